#include "guarded_main.hpp"

#include "complain.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <system_error>

namespace command_line {

int guarded_main(std::string_view program, std::function<int()> const& body) {
  std::signal(SIGPIPE, SIG_IGN);
  int exit_code = 1;
  try {
    exit_code = body();
  } catch (std::exception const& e) {
    complain(program, e.what());
  }
  if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && exit_code == 0) {
    complain(program, "cannot write to standard output: " + std::error_code(errno, std::system_category()).message());
    exit_code = 1;
  }
  return exit_code;
}

}  // namespace command_line
