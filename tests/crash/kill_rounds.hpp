#pragma once
#include "crash/place.hpp"
#include "support/program.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weir::test {

/// A program that is to be killed.
struct victim {
  std::string program;                                              ///< its path
  std::function<std::unique_ptr<place>()> fresh;                    ///< makes a place for results
  std::function<std::vector<std::string>(place const&)> arguments;  ///< the command line that keeps them there
  std::string select;                                               ///< SQL for the results
  std::function<void(place const&)> check_more;                     ///< what else has to be so at the end of a round
};

/// What happened in the rounds.
struct kill_report {
  int rounds = 0;
  int kills = 0;                  ///< runs that ended by SIGKILL
  int half_way = 0;               ///< ... and left results, but not all
  int at_commits = 0;             ///< ... at a system call that was chosen: around a write to a disk or a server
  std::vector<std::string> calm;  ///< the results of a run that was left alone
};

/// Runs the program once in peace, and then, round by round, kills it with SIGKILL at random moments, one to four times, and lets it come
/// to its end: with the results of the calm run, and with exit code 0 every time it was not killed. A run after the end changes nothing.
///
/// WEIR_CRASH_ROUNDS says how many rounds; without, there are ten, or as many, but at least three, as begin within 30 s.
/// Half of the moments are spread over the length of the calm run, half lie around its system calls that write to a disk or a server. The
/// seed (WEIR_CRASH_SEED, or any) is printed with the time that a round takes. Checks with Catch2.
kill_report kill_and_compare(std::string const& what, victim const& v);

}  // namespace weir::test
