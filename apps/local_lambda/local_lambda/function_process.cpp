#include "function_process.hpp"

#include <weir/asio.hpp>
#include <weir/error.hpp>
#include <weir/timeout.hpp>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <utility>

namespace local_lambda {
namespace {

constexpr std::chrono::seconds patience{2};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& one : texts) out.push_back(one.data());
  out.push_back(nullptr);
  return out;
}

// Ours, but for those in `first`.
std::vector<std::string> with_ours(std::vector<std::string> first) {
  std::vector<std::string> out = std::move(first);
  std::size_t const given = out.size();
  for (char** each = environ; *each != nullptr; ++each) {
    std::string_view const ours(*each), name = ours.substr(0, ours.find('=') + 1);
    bool hidden = name.empty();
    for (std::size_t i = 0; i != given; ++i) hidden = hidden || out[i].starts_with(name);
    if (!hidden) out.emplace_back(ours);
  }
  return out;
}

// Standard output is for answers, and the broken pipes are those of a program that looks for them.
class spawn_settings {
public:
  spawn_settings() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, STDERR_FILENO, STDOUT_FILENO);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);  // Asio's sockets among them
    ::posix_spawnattr_init(&attributes_);
    ::sigset_t standard;
    ::sigemptyset(&standard);
    ::sigaddset(&standard, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes_, &standard);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  spawn_settings(spawn_settings const&) = delete;
  spawn_settings& operator=(spawn_settings const&) = delete;
  ~spawn_settings() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }
  ::posix_spawn_file_actions_t const* actions() const noexcept { return &actions_; }
  ::posix_spawnattr_t const* attributes() const noexcept { return &attributes_; }

private:
  ::posix_spawn_file_actions_t actions_;
  ::posix_spawnattr_t attributes_;
};

[[noreturn]] void fail_to_start(std::string const& program, int code) {
  throw weir::error(std::error_code(code, std::system_category()), "weir: cannot start " + program,
                    std::error_code(code, std::system_category()).message(), "give the function's program behind --");
}

}  // namespace

function_process::function_process(boost::asio::any_io_executor const& on, std::vector<std::string> command,
                                   std::vector<std::string> environment)
    : watch_(on) {
  std::vector<std::string> all = with_ours(std::move(environment));
  spawn_settings const how;
  std::vector<char*> const words = pointers_to(command), variables = pointers_to(all);
  int const failed = ::posix_spawnp(&id_, command.front().c_str(), how.actions(), how.attributes(), words.data(), variables.data());
  if (failed != 0) fail_to_start(command.front(), failed);
  int const watched = static_cast<int>(::syscall(SYS_pidfd_open, id_, 0));  // glibc 2.36 declares pidfd_open for C alone
  if (watched < 0) {
    int const code = errno;
    ::kill(-id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
    fail_to_start(command.front(), code);
  }
  watch_.assign(watched);
}

function_process::~function_process() {
  if (!how_.empty()) return;
  ::kill(-id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
}

bool function_process::has_ended() {
  if (!how_.empty()) return true;
  ::siginfo_t end{};
  if (::waitid(P_PID, static_cast<::id_t>(id_), &end, WEXITED | WNOHANG | WNOWAIT) != 0) {
    how_ = "in a way that is not known, since SIGCHLD is ignored";
    return true;
  }
  if (end.si_pid == 0) return false;
  ::kill(-id_, SIGKILL);  // what it has started; the group has its number for as long as it is not waited for
  ::waitpid(id_, nullptr, 0);
  how_ = (end.si_code == CLD_EXITED ? "with exit code " : "by signal ") + std::to_string(end.si_status);
  return true;
}

weir::task<> function_process::ended() {
  while (!has_ended()) co_await watch_.async_wait(boost::asio::posix::stream_descriptor::wait_read, weir::use);
}

weir::task<> function_process::end() {
  if (has_ended()) co_return;
  ::kill(-id_, SIGTERM);
  try {
    weir::task<> ending = weir::with_timeout(patience, ended());
    co_await std::move(ending);
    co_return;
  } catch (weir::error const& e) {
    if (e.code() != weir::errc::timed_out) throw;
  }
  ::kill(-id_, SIGKILL);
  weir::task<> ending = ended();
  co_await std::move(ending);
}

}  // namespace local_lambda
