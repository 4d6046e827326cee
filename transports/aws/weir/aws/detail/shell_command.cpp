#include <weir/aws/detail/shell_command.hpp>

#include <weir/asio.hpp>
#include <weir/cancellation.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/when_all.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <memory>
#include <system_error>
#include <utility>

namespace weir::aws::detail {
namespace asio = boost::asio;
using asio::posix::stream_descriptor;

namespace {

constexpr std::size_t most = std::size_t{64} * 1024;

[[noreturn]] void fail(int why) {
  throw error(errc::unavailable, "aws: cannot run a command", std::error_code(why, std::generic_category()).message(),
              "see that /bin/sh may be run, and the limits of this process");
}

// A descriptor that is closed.
class owned_descriptor {
public:
  owned_descriptor() = default;
  owned_descriptor(owned_descriptor const&) = delete;
  owned_descriptor& operator=(owned_descriptor const&) = delete;
  ~owned_descriptor() { reset(); }
  void reset(int with = -1) noexcept {
    if (at_ >= 0) ::close(at_);
    at_ = with;
  }
  int get() const noexcept { return at_; }
  int release() noexcept { return std::exchange(at_, -1); }

private:
  int at_ = -1;
};

struct pipe_ends {
  pipe_ends() {
    std::array<int, 2> made{};
    if (::pipe2(made.data(), O_CLOEXEC) != 0) fail(errno);
    ours.reset(made[0]);
    theirs.reset(made[1]);
  }
  owned_descriptor ours, theirs;
};

// A process that is over when this is.
class child_process {
public:
  child_process(std::string const& command, int out, int err) {
    ::posix_spawn_file_actions_t files{};
    ::posix_spawnattr_t how{};
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
    ::posix_spawnattr_init(&how);
    ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);  // of its own
    std::string shell = "sh", option = "-c", text = command;
    std::array<char*, 4> arguments{shell.data(), option.data(), text.data(), nullptr};
    int const failed = ::posix_spawn(&id_, "/bin/sh", &files, &how, arguments.data(), ::environ);
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&how);
    if (failed != 0) fail(failed);
  }
  child_process(child_process const&) = delete;
  child_process& operator=(child_process const&) = delete;
  ~child_process() {
    kill();
    if (id_ > 0) (void)wait();
  }
  ::pid_t id() const noexcept { return id_; }
  void kill() const noexcept {
    if (id_ > 0) ::kill(-id_, SIGKILL);
  }
  // Of one that has ended.
  int wait() noexcept {
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {}
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

private:
  ::pid_t id_ = -1;
};

// Kills a process that takes too long, and ends the reading of its output, which others may have open. Shared with the completion, which
// may come when nobody waits any more.
struct deadline {
  deadline(asio::any_io_executor const& executor, child_process const& c, stream_descriptor& o, stream_descriptor& e)
      : timer(executor), of(&c), out(o), err(e) {}
  void pass() {
    boost::system::error_code ignored;
    passed = true;
    of->kill();
    ignored = out.cancel(ignored);
    ignored = err.cancel(ignored);
  }
  asio::steady_timer timer;
  child_process const* of;  // null: it is over, and the descriptors are closed
  stream_descriptor &out, &err;
  bool passed = false;
};

class time_limited {
public:
  time_limited(std::shared_ptr<deadline> d, std::chrono::milliseconds limit) : shared_(std::move(d)) {
    shared_->timer.expires_after(limit);
    shared_->timer.async_wait([at = shared_](boost::system::error_code const& stopped) {
      if (!stopped && at->of) at->pass();
    });
  }
  time_limited(time_limited const&) = delete;
  time_limited& operator=(time_limited const&) = delete;
  ~time_limited() {
    shared_->of = nullptr;
    shared_->timer.cancel();
  }
  bool passed() const noexcept { return shared_->passed; }

private:
  std::shared_ptr<deadline> shared_;
};

// All of it, of which the beginning is returned; when the time is up, what came until then. Both outlive the task, as below.
task<std::string> read_all(stream_descriptor& from, time_limited const& in_time) {
  std::string out;
  std::array<char, 4096> bytes{};
  while (!in_time.passed()) {
    auto const [failed, size] = co_await from.async_read_some(asio::buffer(bytes), asio::as_tuple(use));
    if (failed == asio::error::operation_aborted && !in_time.passed()) weir::detail::throw_cancelled();
    if (failed) break;
    out.append(bytes.data(), std::min(size, most - std::min(most, out.size())));
  }
  co_return out;
}

task<> wait_for_end(stream_descriptor& of) {
  auto const [failed] = co_await of.async_wait(stream_descriptor::wait_read, asio::as_tuple(use));
  if (failed == asio::error::operation_aborted) weir::detail::throw_cancelled();
}

}  // namespace

task<command_result> run_shell_command(std::string command, std::chrono::milliseconds limit) {
  context& own = co_await current_context();
  asio::any_io_executor const strand = own.environment().executor();
  pipe_ends out, err;
  child_process child(command, out.theirs.get(), err.theirs.get());
  out.theirs.reset();
  err.theirs.reset();
  int const watched = static_cast<int>(::syscall(SYS_pidfd_open, child.id(), 0));
  if (watched < 0) fail(errno);
  stream_descriptor end(strand, watched), out_end(strand, out.ours.release()), err_end(strand, err.ours.release());
  time_limited const in_time(std::make_shared<deadline>(strand, child, out_end, err_end), limit);
  command_result result;
  task<std::string> reading_out = read_all(out_end, in_time), reading_err = read_all(err_end, in_time);
  task<> ending = wait_for_end(end);
  auto ended = co_await when_all(std::move(reading_out), std::move(reading_err), std::move(ending));
  result.out = std::move(std::get<0>(ended));
  result.err = std::move(std::get<1>(ended));
  result.too_late = in_time.passed();
  result.status = child.wait();
  co_return result;
}

}  // namespace weir::aws::detail
