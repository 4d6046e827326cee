#pragma once
#include <weir/clock.hpp>

namespace weir {

/// A clock that stands still until it is told to go on. Time jumps from timer to timer, so that a test of an hour takes
/// microseconds. `testing::simulation` drives one; a program can drive its own for replays.
class virtual_clock final : public clock {
public:
  /// Starts at 2024-01-01T00:00:00Z unless told otherwise.
  explicit virtual_clock(instant start = 1'704'067'200'000'000'000) noexcept : now_(start) {}
  instant now() const noexcept override { return now_; }
  std::chrono::nanoseconds steady() const noexcept override { return std::chrono::nanoseconds(now_); }
  void start(timer& t, std::chrono::nanoseconds delay) override;
  void stop(timer& t) noexcept override { queue_.stop(t); }
  /// Jumps to the next timer and fires it. False: there is none.
  bool advance_to_next();
  /// Goes on by `d`, firing every timer on the way at its time.
  void advance(std::chrono::nanoseconds d);
  std::size_t pending() const noexcept { return queue_.size(); }

private:
  timer_queue queue_;
  instant now_;
};

}  // namespace weir
