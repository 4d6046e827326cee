#pragma once
#include <weir/instant.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir {

/// One wait. `fire` runs once on the clock's strand when the time has come; a timer that dies is stopped. `lost` runs instead
/// when the event loop is destroyed first.
class timer {
public:
  timer() = default;
  timer(timer const&) = delete;
  timer& operator=(timer const&) = delete;
  bool pending() const noexcept { return queue_ != nullptr; }
  virtual void fire() noexcept = 0;
  virtual void lost() noexcept {}

protected:
  ~timer();

private:
  friend class timer_queue;
  class timer_queue* queue_ = nullptr;
  std::size_t slot_ = 0;
  std::int64_t due_ = 0;
  std::uint64_t order_ = 0;
};

/// Timers by due time; equal ones in the order in which they were started. A binary heap that knows each timer's place, so
/// that stopping is O(log n). The unit of time is the clock's affair.
class timer_queue {
public:
  timer_queue() = default;
  timer_queue(timer_queue const&) = delete;
  timer_queue& operator=(timer_queue const&) = delete;
  ~timer_queue();
  bool empty() const noexcept { return heap_.empty(); }
  std::size_t size() const noexcept { return heap_.size(); }
  std::int64_t first_due() const noexcept { return heap_.front()->due_; }
  void start(timer& t, std::int64_t due);
  void stop(timer& t) noexcept;
  /// Takes the first timer out when it is due at `now`, else null.
  timer* pop_due(std::int64_t now) noexcept;

private:
  bool before(timer const& a, timer const& b) const noexcept { return a.due_ != b.due_ ? a.due_ < b.due_ : a.order_ < b.order_; }
  void place(timer& t, std::size_t slot) noexcept;
  void up(std::size_t slot) noexcept;
  void down(std::size_t slot) noexcept;

  std::vector<timer*> heap_;
  std::uint64_t next_order_ = 0;
};

/// Where a pipeline's time comes from. All waiting goes through it: the system's clock in production, a virtual one in tests
/// and simulation, where time jumps to the next timer. Strand only.
class clock {
public:
  clock() = default;
  clock(clock const&) = delete;
  clock& operator=(clock const&) = delete;
  virtual ~clock() = default;
  /// The wall clock: nanoseconds since the Unix epoch, UTC.
  virtual instant now() const noexcept = 0;
  /// How long it has been since some moment: it never goes back, and steps of the wall clock do not move it.
  virtual std::chrono::nanoseconds steady() const noexcept = 0;
  /// Fires `t` after `delay` (at once, but never from within this call, when it is not positive). Steps of the wall clock do not
  /// move it. A timer that is running already is started anew.
  virtual void start(timer& t, std::chrono::nanoseconds delay) = 0;
  virtual void stop(timer& t) noexcept = 0;
};

}  // namespace weir
