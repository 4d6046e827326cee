#pragma once
#include "support/node_server.hpp"
#include "support/skip.hpp"

#include <memory>
#include <string>

namespace weir::test {

/// DynamoDB as dynalite, an emulator of npm, has it: in memory, empty, with tables that come and go at once. Null, and the running test
/// is reported as skipped, where it cannot be had. It does not verify signatures, and knows no transactions.
inline std::unique_ptr<node_server> dynalite() {
  auto const folder = has_node() ? npm_package("dynalite", "4.0.0") : std::nullopt;
  if (!folder) {
    skip("needs node, npm, and dynalite from it");
    return nullptr;
  }
  return std::make_unique<node_server>(*folder,
                                       "const s = require('dynalite')({createTableMs: 0, deleteTableMs: 0, updateTableMs: 0})\n"
                                       "s.listen(0, '127.0.0.1', () => console.log(s.address().port))");
}

}  // namespace weir::test
