#include <weir/postgres/detail/socket_watch.hpp>

#include <weir/asio.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <tuple>

namespace weir::postgres::detail {
namespace asio = boost::asio;
using boost::system::error_code;

// Shared with the completions, which may come when the wait is over.
struct socket_watch::parts {
  parts(asio::any_io_executor const& executor, int fd) : socket(executor, fd), timer(executor) {}

  void stop() {
    ++round;
    error_code ignored;
    std::ignore = socket.cancel(ignored);
    timer.cancel();
  }
  void wake() {
    error_code ignored;
    std::ignore = socket.cancel(ignored);
  }

  asio::posix::stream_descriptor socket;
  asio::steady_timer timer;
  unsigned round = 0;
  bool late = false, writable = false;
};

namespace {
template <class Parts> struct stopping {
  explicit stopping(Parts& p) noexcept : all(&p) {}
  stopping(stopping const&) = delete;
  stopping& operator=(stopping const&) = delete;
  ~stopping() { all->stop(); }
  Parts* all;
};
}  // namespace

socket_watch::socket_watch(asio::any_io_executor const& executor, int socket) : parts_(std::make_shared<parts>(executor, socket)) {}
socket_watch::~socket_watch() {
  if (parts_->socket.is_open()) parts_->socket.release();
}

task<bool> socket_watch::wait(readiness what, std::chrono::steady_clock::time_point until) {
  auto const all = parts_;
  unsigned const round = ++all->round;
  all->late = all->writable = false;
  stopping const at_end(*all);
  all->timer.expires_at(until);
  all->timer.async_wait([all, round](error_code const& stopped) {
    if (stopped || all->round != round) return;
    all->late = true;
    all->wake();
  });
  if (what == readiness::either) {
    all->socket.async_wait(asio::posix::stream_descriptor::wait_write, [all, round](error_code const& stopped) {
      if (stopped || all->round != round) return;
      all->writable = true;
      all->wake();
    });
  }
  auto const kind = what == readiness::write ? asio::posix::stream_descriptor::wait_write : asio::posix::stream_descriptor::wait_read;
  auto const [failed] = co_await all->socket.async_wait(kind, asio::as_tuple(use));
  if (failed != asio::error::operation_aborted || all->writable) co_return true;  // of a failure, libpq hears itself
  if (!all->late) weir::detail::throw_cancelled();
  co_return false;
}

}  // namespace weir::postgres::detail
