#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nexmark {

/// What the command line says.
struct options {
  std::size_t events = 5'000'000;    ///< 64 bytes of memory each; 1 or more
  std::size_t repetitions = 7;       ///< of each query, in turns; 1 or more
  std::uint64_t seed = 42;           ///< of the events
  std::vector<std::string> queries;  ///< by name; empty: all
  std::optional<std::string> json;   ///< a file for the figures
};

/// Null when there is nothing to run: `exit_code` is 0 after `--help`, or 2 after a mistake, which is explained on standard error.
std::optional<options> parse_command_line(int argc, char const* const* argv, int& exit_code);

}  // namespace nexmark
