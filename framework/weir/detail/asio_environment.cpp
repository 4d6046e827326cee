#include <weir/detail/asio_environment.hpp>

#include <boost/asio/post.hpp>

#include <algorithm>

namespace weir::detail {
namespace {
std::int64_t steady_now() noexcept { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }
}  // namespace

// The completion of the one wait. Destroyed without having run, the event loop is gone, and with it all waits.
class asio_clock::waiting {
public:
  explicit waiting(std::shared_ptr<asio_clock*> self) noexcept : self_(std::move(self)) {}
  waiting(waiting&&) noexcept = default;
  waiting& operator=(waiting&&) noexcept = default;
  ~waiting() {
    if (self_ && *self_) (*self_)->lose_all();
  }
  void operator()(boost::system::error_code const& stopped) {
    auto const self = std::move(self_);
    if (!stopped && *self) (*self)->fire_due();
  }

private:
  std::shared_ptr<asio_clock*> self_;
};

asio_clock::asio_clock(boost::asio::any_io_executor const& executor) : executor_(executor), self_(std::make_shared<asio_clock*>(this)) {}

asio_clock::~asio_clock() { *self_ = nullptr; }

instant asio_clock::now() const noexcept { return to_instant(std::chrono::system_clock::now()); }
std::chrono::nanoseconds asio_clock::steady() const noexcept { return std::chrono::nanoseconds(steady_now()); }

void asio_clock::start(timer& t, std::chrono::nanoseconds delay) {
  std::int64_t const now = steady_now();
  std::int64_t const wait = std::max<std::int64_t>(delay.count(), 0);
  queue_.start(t, wait > std::numeric_limits<std::int64_t>::max() - now ? std::numeric_limits<std::int64_t>::max() : now + wait);
  arm();
}

void asio_clock::stop(timer& t) noexcept { queue_.stop(t); }  // an idle wake-up is cheaper than another system call

void asio_clock::arm() {
  if (queue_.empty() || queue_.first_due() >= armed_) return;
  armed_ = queue_.first_due();
  if (!timer_) timer_.emplace(executor_);
  timer_->expires_at(std::chrono::steady_clock::time_point(std::chrono::nanoseconds(armed_)));
  timer_->async_wait(waiting(self_));
}

void asio_clock::fire_due() {
  auto const self = self_;
  armed_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t const now = steady_now();
  while (timer* const t = queue_.pop_due(now)) {
    t->fire();
    if (!*self) return;  // the last coroutine has ended, and this clock with it
  }
  arm();
}

void asio_clock::lose_all() noexcept {
  auto const self = self_;
  while (timer* const t = *self ? queue_.pop_due(std::numeric_limits<std::int64_t>::max()) : nullptr) t->lost();
}

namespace {
struct run_it {
  explicit run_it(resumption r) noexcept : r(std::move(r)) {}
  void operator()() { r(); }
  resumption r;
};
}  // namespace

void asio_environment::post(resumption r) {
  auto const executor = executor_;  // what is posted may end everything, this included, on another thread before post returns
  boost::asio::post(executor, run_it(std::move(r)));
}

}  // namespace weir::detail
