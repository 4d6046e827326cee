#pragma once

#include <command_line/event_time_options.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace weblog {

/// When a window of `alert_window` is worth an alert.
struct alert_rule {
  double above = 5;                 ///< percent of the answers that are errors; 0 to 100
  std::uint64_t at_least = 20;      ///< requests in the window: of fewer, a few errors say little
  std::uint16_t errors_from = 500;  ///< lowest status that is an error: 400 counts mistakes of the clients too

  bool is_error(std::uint16_t status) const noexcept { return status >= errors_from; }
  /// Whether so many errors of so many requests are too many: strictly more than `above` percent.
  bool is_met(std::uint64_t requests, std::uint64_t errors) const noexcept {
    return requests >= at_least && static_cast<double>(errors) * 100 > above * static_cast<double>(requests);
  }
};

/// What the command line asks for. The defaults here are the defaults of the program.
struct options {
  std::string input;                      ///< access log
  std::string dead_letters;               ///< file for lines that are no requests; empty: such a line ends the run
  std::string output = "weblog-results";  ///< folder for the results
  command_line::event_time_options time{.bound = 60'000'000'000};
  alert_rule alert;
};

/// Reads the command line. Null when there is nothing to run: then `exit_code` is 0 after `--help` and `--version` (printed), or 2 after
/// a mistake, which is explained in one line on standard error.
std::optional<options> parse_command_line(int argc, char const* const* argv, int& exit_code);

}  // namespace weblog
