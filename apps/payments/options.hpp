#pragma once

#include <command_line/event_time_options.hpp>
#include <command_line/store_name.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace payments {

/// What the command line asks for. The defaults here are the defaults of the program. Lengths of time in ns.
struct options {
  std::string input;                               ///< file of payments; empty: the demonstration
  std::string dead_letters;                        ///< file for lines that are no payments; empty: such a line ends the run
  std::optional<command_line::store_name> totals;  ///< where totals and progress are kept; null: in memory
  std::uint32_t batch = 65'536;                    ///< deliveries between two checkpoints, at most
  std::int64_t window = 60'000'000'000;
  std::int64_t horizon = 3'600'000'000'000;  ///< how long an id is remembered, at the least; covers `bound` and, with `update`, `lateness`
  command_line::event_time_options time{.bound = 10'000'000'000, .lateness = 600'000'000'000};
};

/// Reads the command line. Null when there is nothing to run: then `exit_code` is 0 after `--help` and `--version` (printed), or 2 after
/// a mistake, which is explained in one line on standard error.
std::optional<options> parse_command_line(int argc, char const* const* argv, int& exit_code);

}  // namespace payments
