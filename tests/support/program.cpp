#include "support/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace weir::test {
namespace {

std::string content(std::string const& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

[[noreturn]] void become(std::string const& program, std::vector<std::string> const& arguments, std::string const& folder,
                         disturbance const& how, int out, int err) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (auto const& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  if (::chdir(folder.c_str()) != 0) ::_exit(125);
  int const file = ::open(program.c_str(), O_RDONLY | O_CLOEXEC);  // it may lie where only root may look
  if (file < 0) ::_exit(126);
  if (how.without_rights && ::getuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(125);
  if (how.kill_at_call != 0) ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  ::fexecve(file, argv.data(), environ);
  ::_exit(126);
}

// Steps from system call to system call.
int trace(::pid_t child, disturbance const& how, std::vector<long>& calls) {
  int status = 0;
  ::waitpid(child, &status, 0);  // stopped by fexecve
  ::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  int deliver = 0;
  for (;;) {
    ::ptrace(PTRACE_SYSCALL, child, nullptr, deliver);
    deliver = 0;
    ::waitpid(child, &status, 0);
    if (!WIFSTOPPED(status)) return status;
    if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
      deliver = WSTOPSIG(status);
      continue;
    }
    __ptrace_syscall_info about{};
    if (::ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof about, &about) < 0) throw std::runtime_error("PTRACE_GET_SYSCALL_INFO");
    if (about.op != PTRACE_SYSCALL_INFO_ENTRY) continue;
    calls.push_back(static_cast<long>(about.entry.nr));
    if (static_cast<long>(calls.size()) == how.kill_at_call) ::kill(child, SIGKILL);
  }
}

// Waits for its end until `due`; then it gets the signal.
int disturb(::pid_t child, disturbance const& how) {
  int const watch = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  if (watch < 0) throw std::runtime_error("pidfd_open");
  ::pollfd ended{watch, POLLIN, 0};
  std::chrono::microseconds left = *how.after;
  bool running = true;
  while (running && left.count() > 0 && !(how.as_soon_as && how.as_soon_as())) {
    auto const step = how.as_soon_as ? std::min<std::chrono::microseconds>(left, std::chrono::milliseconds(20)) : left;
    timespec const patience{step.count() / 1'000'000, step.count() % 1'000'000 * 1'000};
    running = ::ppoll(&ended, 1, &patience, nullptr) == 0;
    left -= step;
  }
  if (running) ::kill(child, how.signal);
  ::close(watch);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace

std::optional<std::string> program_of(char const* variable) {
  char const* const path = std::getenv(variable);
  if (!path || !*path) return std::nullopt;
  return std::string(path);
}

ending run_program(std::string const& program, std::vector<std::string> const& arguments, std::string const& folder,
                   disturbance const& how) {
  std::string const out_file = folder + "/.stdout", err_file = folder + "/.stderr";
  int ends[2] = {-1, -1};
  int out = -1;
  if (how.deaf) {
    if (::pipe(ends) != 0) throw std::runtime_error("pipe");
    out = ends[1];
    ::close(ends[0]);
  } else {
    out = ::open(out_file.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
  }
  int const err = ::open(err_file.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
  if (out < 0 || err < 0) throw std::runtime_error("cannot open " + err_file);

  ::pid_t const child = ::fork();
  if (child == 0) become(program, arguments, folder, how, out, err);
  ::close(out);
  ::close(err);
  if (child < 0) throw std::runtime_error("fork");

  ending e;
  int status = 0;
  if (how.kill_at_call != 0) {
    status = trace(child, how, e.calls);
  } else if (how.after) {
    status = disturb(child, how);
  } else {
    rusage used{};
    ::wait4(child, &status, 0, &used);
    e.peak_kib = used.ru_maxrss;
  }
  if (WIFEXITED(status)) e.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) e.signal = WTERMSIG(status);
  e.out = content(out_file);
  e.err = content(err_file);
  return e;
}

}  // namespace weir::test
