#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace ticks::test {

/// How a run of the program is disturbed.
struct disturbance {
  /// A signal after so long, once.
  std::optional<std::chrono::milliseconds> after;
  int signal = 0;
  /// SIGKILL when the program enters its n-th system call, counted from 1; 0: never. Deterministic: every moment between two calls, in
  /// which files are as they are, can be hit.
  long kill_at_call = 0;
  /// Runs as a user without rights (nobody), where the test runs as root.
  bool without_rights = false;
  /// Not a disturbance of the program but of its output: standard output is closed at the other end.
  bool deaf = false;
};

/// How it ended.
struct ending {
  int exit_code = -1;  ///< of a normal end; else -1
  int signal = 0;      ///< that killed it
  long calls = 0;      ///< system calls, where they were counted
  long peak_kib = 0;   ///< most memory it had, in KiB
  std::string out, err;
};

/// The program under test: the path in the environment variable WEIR_TICKS_BINARY; null where it is not set.
std::optional<std::string> binary();

/// Runs the program with `arguments` in `folder` and waits for its end.
ending run_program(std::vector<std::string> const& arguments, std::string const& folder, disturbance const& how = {});

}  // namespace ticks::test
