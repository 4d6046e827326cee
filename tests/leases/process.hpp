#pragma once
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fcntl.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// A program that runs beside the test, and ends with it. What it says goes into a file.
class process {
public:
  process(std::string const& program, std::vector<std::string> const& arguments, std::string const& folder, std::string const& out) {
    std::vector<char*> words{const_cast<char*>(program.c_str())};
    for (std::string const& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
    words.push_back(nullptr);
    pid_t const parent = ::getpid();
    child_ = ::fork();
    if (child_ < 0) throw std::runtime_error("no process");
    if (child_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    int const to = ::open(out.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (::getppid() != parent || to < 0 || ::chdir(folder.c_str()) != 0) ::_exit(126);
    ::dup2(to, 1);
    ::dup2(to, 2);
    ::setenv("AWS_ACCESS_KEY_ID", "test", 1);
    ::setenv("AWS_SECRET_ACCESS_KEY", "test", 1);
    ::execv(program.c_str(), words.data());
    ::_exit(127);
  }
  process(process&& o) noexcept : child_(std::exchange(o.child_, -1)) {}
  process& operator=(process&& o) noexcept {
    std::swap(child_, o.child_);
    return *this;
  }
  ~process() {
    if (child_ < 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

  bool running() const noexcept { return child_ > 0; }
  void signal(int which) const noexcept {
    if (child_ > 0) ::kill(child_, which);
  }
  /// How it has ended: its exit code, or 128 and the signal; null: it has not.
  std::optional<int> ended() { return wait(WNOHANG); }
  /// Waits for that.
  int join() { return wait(0).value_or(-1); }

private:
  std::optional<int> wait(int how) {
    int status = 0;
    if (child_ <= 0 || ::waitpid(child_, &status, how) != child_) return std::nullopt;
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  pid_t child_ = -1;
};

}  // namespace weir::test
