#pragma once
#include <weir/environment.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

namespace weir::detail {

// The system's clock on an Asio executor: one steady_timer for the earliest of all waits.
class asio_clock final : public clock {
public:
  explicit asio_clock(boost::asio::any_io_executor const& executor);
  ~asio_clock() override;
  instant now() const noexcept override;
  std::chrono::nanoseconds steady() const noexcept override;
  void start(timer& t, std::chrono::nanoseconds delay) override;
  void stop(timer& t) noexcept override;

private:
  class waiting;
  void arm();
  void fire_due();
  void lose_all() noexcept;

  boost::asio::any_io_executor executor_;
  timer_queue queue_;
  std::optional<boost::asio::steady_timer> timer_;  // made by the first wait: with it the loop polls its reactor every round
  std::shared_ptr<asio_clock*> self_;               // null behind it: the clock is gone, its completions say nothing any more
  std::int64_t armed_ = std::numeric_limits<std::int64_t>::max();
};

class asio_environment final : public environment {
public:
  explicit asio_environment(boost::asio::any_io_executor executor) : executor_(std::move(executor)), clock_(executor_) {}
  void post(resumption r) override;
  weir::clock& clock() noexcept override { return clock_; }
  boost::asio::any_io_executor const& executor() noexcept override { return executor_; }

private:
  boost::asio::any_io_executor executor_;
  asio_clock clock_;
};

}  // namespace weir::detail
