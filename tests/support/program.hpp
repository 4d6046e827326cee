#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weir::test {

/// How a run of a program is disturbed.
struct disturbance {
  /// A signal after so long, once.
  std::optional<std::chrono::microseconds> after;
  /// Or earlier: as soon as this holds, which is looked at every 20 ms.
  std::function<bool()> as_soon_as;
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
  int exit_code = -1;       ///< of a normal end; else -1
  int signal = 0;           ///< that killed it
  std::vector<long> calls;  ///< the numbers (SYS_...) of its system calls in order, where they were looked at: with `kill_at_call`
  long peak_kib = 0;        ///< most memory it had, in KiB
  std::string out, err;
};

/// The program that the environment variable `variable` names by its path; null where it is not set.
std::optional<std::string> program_of(char const* variable);

/// Runs `program` with `arguments` in `folder` and waits for its end.
ending run_program(std::string const& program, std::vector<std::string> const& arguments, std::string const& folder,
                   disturbance const& how = {});

}  // namespace weir::test
