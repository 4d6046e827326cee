#include <weir/detail/console_write.hpp>

#include <weir/error.hpp>

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <system_error>

namespace weir::detail {
namespace {

// A write to a pipe without a reader is an error, and not the end of the program. Signals of others stay as they are.
class without_sigpipe {
public:
  without_sigpipe() noexcept {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::sigset_t waiting;
    ::sigpending(&waiting);
    was_waiting_ = ::sigismember(&waiting, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  without_sigpipe(without_sigpipe const&) = delete;
  without_sigpipe& operator=(without_sigpipe const&) = delete;
  ~without_sigpipe() {
    if (!was_waiting_) {
      std::timespec const now{};
      while (::sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {}
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

private:
  ::sigset_t pipe_, before_;
  bool was_waiting_;
};

[[noreturn]] void fail(int descriptor, int number) {
  std::string const where = "descriptor " + std::to_string(descriptor);
  if (number == EPIPE) {
    throw error(errc::io, "console: cannot write", "the reader of the pipe has gone away", "keep it open until the pipeline has ended")
        .with_detail(where);
  }
  throw error(std::error_code(number, std::system_category()), "console: cannot write", std::system_category().message(number))
      .with_detail(where);
}

}  // namespace

task<> console_write::write(checkpoint_key, std::uint64_t) {
  without_sigpipe const guard;
  while (taken_ != text_.size()) {
    ssize_t const n = ::write(descriptor_, text_.data() + taken_, text_.size() - taken_);
    if (n >= 0) {
      taken_ += static_cast<std::size_t>(n);
    } else if (errno == EAGAIN) {
      ::pollfd room{descriptor_, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      fail(descriptor_, errno);
    }
  }
  co_return;
}

bool console_write::join(outside_write& later) {
  auto* const other = dynamic_cast<console_write*>(&later);
  if (!other || other->descriptor_ != descriptor_) return false;
  text_ += other->text_;
  return true;
}

}  // namespace weir::detail
