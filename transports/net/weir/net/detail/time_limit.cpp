#include <weir/net/detail/time_limit.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace weir::net::detail {

// Shared with the completion, which may come when the limit is gone.
struct time_limit::wait {
  wait(boost::asio::any_io_executor const& executor, time_limit& of) : timer(executor), limit(&of) {}
  boost::asio::steady_timer timer;
  time_limit* limit;
};

time_limit::time_limit(context& parent, std::chrono::nanoseconds limit)
    : branch_(parent), wait_(std::make_shared<wait>(parent.environment().executor(), *this)) {
  wait_->timer.expires_after(limit);
  wait_->timer.async_wait([w = wait_](boost::system::error_code const& stopped) {
    if (stopped || !w->limit || w->limit->branch_.cancelled()) return;
    w->limit->passed_ = true;
    w->limit->branch_.cancel();
  });
}

time_limit::~time_limit() {
  wait_->limit = nullptr;
  wait_->timer.cancel();
}

}  // namespace weir::net::detail
