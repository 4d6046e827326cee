#include "complain.hpp"
#include "demo.hpp"
#include "options.hpp"
#include "run_bars.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>

namespace {

int run(int argc, char** argv) {
  int exit_code = 0;
  auto const options = ticks::parse_command_line(argc, argv, exit_code);
  if (!options) return exit_code;
  if (options->what == ticks::options::task::demo)
    return ticks::run_demo(options->naive ? ticks::demo_fold::naive : ticks::demo_fold::idempotent);
  return ticks::run_bars(*options);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error of the write, which says so
  int exit_code = 1;
  try {
    exit_code = run(argc, argv);
  } catch (std::exception const& e) {
    ticks::complain(e.what());
  }
  if (std::fflush(stdout) != 0 && exit_code == 0) {
    ticks::complain("cannot write to standard output: " + std::error_code(errno, std::system_category()).message());
    exit_code = 1;
  }
  return exit_code;
}
