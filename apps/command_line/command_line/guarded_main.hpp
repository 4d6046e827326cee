#pragma once

#include <functional>
#include <string_view>

namespace command_line {

/// What `main` of each program does: runs `body`, says in one line what it throws, and that standard output could not be written.
///
/// Returns the exit code: that of `body`, or 1 after such a failure. From here on SIGPIPE is ignored in the whole process: a reader that
/// went away is an error of the write, which says so.
int guarded_main(std::string_view program, std::function<int()> const& body);

}  // namespace command_line
