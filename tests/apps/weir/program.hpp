#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace state_tool::test {

/// How a run of the program ended, and what it said.
struct ending {
  int exit_code = -1;
  std::string out, err;
};

/// Whether there is a program to test: the environment variable WEIR_BINARY names it. Else the running test is reported as skipped.
bool ready();

/// Runs the program with `arguments` in `folder`, with `input` on its standard input, and waits for its end.
ending run_program(std::vector<std::string> const& arguments, std::string const& folder, std::string_view input = "");

/// `weir state ...`.
ending state(std::vector<std::string> arguments, std::string const& folder, std::string_view input = "");

}  // namespace state_tool::test
