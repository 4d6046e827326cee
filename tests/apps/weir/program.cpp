#include "program.hpp"

#include "support/skip.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace state_tool::test {
namespace {

std::string content(std::string const& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

[[noreturn]] void become(std::string const& program, std::vector<std::string> const& arguments, std::string const& folder) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (auto const& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  int const in = ::open((folder + "/.stdin").c_str(), O_RDONLY | O_CLOEXEC);
  int const out = ::open((folder + "/.stdout").c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
  int const err = ::open((folder + "/.stderr").c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  if (::chdir(folder.c_str()) == 0) ::execv(program.c_str(), argv.data());
  ::_exit(126);
}

}  // namespace

bool ready() {
  char const* const path = std::getenv("WEIR_BINARY");
  return (path && *path) || !weir::test::skip("WEIR_BINARY names no program");
}

ending run_program(std::vector<std::string> const& arguments, std::string const& folder, std::string_view input) {
  std::ofstream(folder + "/.stdin", std::ios::binary) << input;
  ::pid_t const child = ::fork();
  if (child == 0) become(std::getenv("WEIR_BINARY"), arguments, folder);
  if (child < 0) throw std::runtime_error("fork");
  int status = 0;
  ::waitpid(child, &status, 0);
  ending e;
  if (WIFEXITED(status)) e.exit_code = WEXITSTATUS(status);
  e.out = content(folder + "/.stdout");
  e.err = content(folder + "/.stderr");
  return e;
}

ending state(std::vector<std::string> arguments, std::string const& folder, std::string_view input) {
  arguments.insert(arguments.begin(), "state");
  return run_program(arguments, folder, input);
}

}  // namespace state_tool::test
