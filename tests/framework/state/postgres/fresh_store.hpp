#pragma once
#include <weir/postgres/state_store.hpp>
#include <weir/testing/run.hpp>

#include "framework/state/postgres/server.hpp"

#include <weir/postgres/connection.hpp>

#include <memory>
#include <string>

namespace weir::test {

/// Options for a store in a schema that no other test uses.
inline postgres::state_store_options fresh_options(std::string const& conninfo) {
  static int number = 0;
  postgres::state_store_options out(postgres::connection_options(conninfo), "weir \"test\" " + std::to_string(++number));
  out.patience = std::chrono::seconds(30);
  return out;
}

/// Runs commands on a connection of their own, and says what the first column of the first row is.
inline std::string ask(std::string const& conninfo, std::string const& sql) {
  auto const work = [](std::string info, std::string text) -> task<std::string> {
    postgres::connection on{postgres::connection_options(std::move(info))};
    co_await on.open();
    postgres::statement asked(std::move(text));
    postgres::result const found = co_await on.query(std::move(asked));
    if (found.rows() == 0) co_return std::string();
    co_return std::string(found.text(0, 0));
  };
  return testing::run(work(conninfo, sql));
}

/// The schema's name as SQL has it.
inline std::string in_quotes(std::string const& schema) {
  std::string out = "\"";
  for (char const c : schema) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

}  // namespace weir::test
