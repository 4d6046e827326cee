#pragma once
#include <weir/task.hpp>

#include <chrono>
#include <string>

namespace weir::aws::detail {

// What a command has come to.
struct command_result {
  int status = 0;  // 0 to 255; 128 and above: by a signal, as shells say it
  bool too_late = false;
  std::string out, err;  // at most 64 KiB of each
};

// Runs a command by `/bin/sh -c`, with this process's environment and no input, and waits for its end, and for whoever it leaves behind
// with its output open. After `limit`, by the system's clock, and when the task is cancelled or dropped, it is killed, with all of its
// process group; who has left that (setsid) is not waited for any more. Throws errc::unavailable when it cannot be started.
task<command_result> run_shell_command(std::string command, std::chrono::milliseconds limit);

}  // namespace weir::aws::detail
