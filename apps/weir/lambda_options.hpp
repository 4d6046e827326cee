#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lambda_tool {

/// What the command line asks for, of `weir lambda invoke`.
struct options {
  std::vector<std::string> events;   ///< files with payloads, one after the other; "-" is standard input
  std::vector<std::string> program;  ///< the function, and its arguments; not empty
  std::chrono::seconds timeout{3};   ///< of an invocation, 1 s to 15 min
  unsigned redeliveries = 0;         ///< how often an event comes again that is not done
};

/// How many of the words of a command line are the tool's own: those before the "--" of `weir lambda ... -- PROGRAM ARGUMENT...`.
int words_before_program(int argc, char const* const* argv) noexcept;

/// Adds the command to the program's; when it was given, `to` is what it says. `program`: what stands behind "--".
void add_lambda(CLI::App& app, std::optional<options>& to, std::vector<std::string> program);

}  // namespace lambda_tool
