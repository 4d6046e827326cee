#include "support/child_program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace weir::test {

child_program::child_program(std::filesystem::path const& folder, std::vector<std::string> const& command,
                             std::vector<std::string> const& environment) {
  std::vector<std::string> parts = command, variables = environment;
  std::vector<char*> argv;
  for (std::string& p : parts) argv.push_back(p.data());
  argv.push_back(nullptr);
  std::vector<char*> all;
  for (std::string& v : variables) all.push_back(v.data());
  for (char** each = ::environ; *each; ++each) all.push_back(*each);
  all.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  pid_t const parent = ::getpid();
  child_ = ::fork();
  if (child_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent || ::chdir(folder.c_str()) != 0) ::_exit(126);
    ::dup2(ends[1], 1);
    ::execve(argv[0], argv.data(), all.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  output_ = ends[0];
  if (child_ < 0) throw std::runtime_error("no child");
}

child_program::~child_program() {
  send(SIGKILL);
  wait();
  ::close(output_);
}

std::string child_program::read_line() {
  std::string out;
  for (char c = 0; ::read(output_, &c, 1) == 1 && c != '\n';) out += c;
  return out;
}

void child_program::send(int signal) const {
  if (child_ > 0) ::kill(child_, signal);
}

std::optional<int> child_program::ended() { return wait(WNOHANG); }
std::optional<int> child_program::wait() { return wait(0); }

std::optional<int> child_program::wait(int how) {
  int status = 0;
  if (child_ <= 0 || ::waitpid(child_, &status, how) != child_) return std::nullopt;
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::unique_ptr<child_program> logged_program(std::filesystem::path const& folder, std::vector<std::string> command,
                                              std::filesystem::path const& log, std::vector<std::string> const& environment) {
  command.insert(command.begin(), {"/bin/sh", "-c", R"(exec "$@" >>"$0" 2>&1)", log.string()});
  return std::make_unique<child_program>(folder, command, environment);
}

}  // namespace weir::test
