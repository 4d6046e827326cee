#pragma once

#include "support/program.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ticks::test {

using weir::test::disturbance;
using weir::test::ending;

/// The program under test; null where WEIR_TICKS_BINARY does not name it.
inline std::optional<std::string> binary() { return weir::test::program_of("WEIR_TICKS_BINARY"); }

/// Runs it with `arguments` in `folder` and waits for its end.
inline ending run_program(std::vector<std::string> const& arguments, std::string const& folder, disturbance const& how = {}) {
  return weir::test::run_program(binary().value(), arguments, folder, how);
}

}  // namespace ticks::test
