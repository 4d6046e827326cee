#pragma once

#include "login_generator.hpp"
#include "rules.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fraud {

/// What the command line asks for. The defaults here are the defaults of the program.
struct options {
  std::string input;         ///< file of logins; empty: the built-in ones
  std::string dead_letters;  ///< file for lines that are no logins; empty: such a line ends the run
  scenario made;
  std::uint64_t count = 100'000;  ///< built-in logins

  std::int64_t bound = 10'000'000'000;  ///< ns that logins may be out of order; what is further behind is late, and not judged
  rules judged_by;
  std::string alerts = "-";  ///< file for the alerts; "-": standard output
};

/// Reads the command line. Null when there is nothing to run: then `exit_code` is 0 after `--help` and `--version` (printed), or 2 after
/// a mistake, which is explained in one line on standard error.
std::optional<options> parse_command_line(int argc, char const* const* argv, int& exit_code);

}  // namespace fraud
