#pragma once
#include <weir/clock.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/detail/timer_list.hpp>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace weir {

namespace detail {

template <class Out> struct emitted {
  emitted(Out v, instant t) : value(std::move(v)), at(t) {}
  Out value;
  instant at;
};
// What all calls of an operator's functions share.
template <class Out> struct process_surroundings {
  std::vector<emitted<Out>> results;
  instant watermark = start_of_time;
  weir::clock* clock = nullptr;
};
// What one call is about.
struct process_call {
  instant time, timer = start_of_time;
  bool of_timer = false;
  timer_list *timers = nullptr, *clock_timers = nullptr;  // null: the function has no place for them to fire
  bool timers_changed = false, clock_timers_changed = false, forgotten = false;
};
// A time and a span of either sign; what does not fit is an end of time.
constexpr instant shifted(instant t, std::chrono::nanoseconds by) noexcept {
  instant out = 0;
  if (!__builtin_add_overflow(t, by.count(), &out)) return out;
  return by.count() < 0 ? start_of_time : end_of_time;
}
constexpr instant shifted_back(instant t, std::chrono::nanoseconds by) noexcept {
  instant out = 0;
  if (!__builtin_sub_overflow(t, by.count(), &out)) return out;
  return by.count() < 0 ? end_of_time : start_of_time;
}
[[noreturn]] void throw_no_timer_function(char const* function);
[[noreturn]] void throw_timer_not_later();

}  // namespace detail

/// What a function of `process` has around it while it is called: the key, the time, where results go, and the key's timers. `Out` is what
/// it emits. Valid during the call.
template <class Key, class Out> class process_context {
public:
  process_context(detail::process_surroundings<Out>& around, Key const& key, detail::process_call& call) noexcept
      : around_(around), key_(key), call_(call) {}
  process_context(process_context const&) = delete;
  process_context& operator=(process_context const&) = delete;

  Key const& key() const noexcept { return key_; }
  /// Event time: the element's; a timer's own; for a processing-time timer the watermark, or the key's latest time if that is later.
  instant time() const noexcept { return call_.time; }
  /// `time()` and a span, `time()` less a span: `c.set_timer(c.later(5min))`, `s.failures.drop_before(c.earlier(5min))`. Not beyond the
  /// ends of time.
  instant later(std::chrono::nanoseconds span) const noexcept { return detail::shifted(call_.time, span); }
  instant earlier(std::chrono::nanoseconds span) const noexcept { return detail::shifted_back(call_.time, span); }
  /// How far event time has come: everything before it should have been seen. `start_of_time`: not known yet.
  instant watermark() const noexcept { return around_.watermark; }
  /// The element is behind the watermark: its time is before it.
  bool is_late() const noexcept { return !call_.of_timer && call_.time < around_.watermark; }
  /// The time of the context's clock.
  instant now() const noexcept { return around_.clock->now(); }

  /// Gives a result, with the event time `time()` or the one given. Results go on when the function returns; one that throws gives none.
  void emit(Out result) { around_.results.emplace_back(std::move(result), call_.time); }
  void emit(Out result, instant time) { around_.results.emplace_back(std::move(result), time); }

  /// Has the function's `timer(at, state, context)` called for this key when the watermark reaches `at` (w >= at): once, however often
  /// it is set for the same time. Has that time passed already, it is called right behind this function. `end_of_time`: at the end
  /// of the data.
  ///
  /// A timer may set others, later than itself (`errc::misuse` otherwise); once the data has ended those are dropped, so that a timer
  /// which repeats itself ends too.
  void set_timer(instant at) {
    if (!call_.timers) detail::throw_no_timer_function("timer");
    if (call_.of_timer && at <= call_.timer) detail::throw_timer_not_later();
    if (call_.of_timer && around_.watermark == end_of_time) return;
    call_.timers_changed |= call_.timers->set(at);
  }
  /// Takes back a timer; nothing if there is none for that time.
  void cancel_timer(instant at) {
    if (call_.timers) call_.timers_changed |= call_.timers->cancel(at);
  }

  /// Has `processing_timer(at, state, context)` called when `delay` (at least 1 ns) has passed on the context's clock, with the first
  /// element, watermark or idle mark that reaches the operator then. So it is late by as much as those are apart: a live source that is
  /// quiet sends some (each time it has found nothing), a replay sends none. Returns `at`, by which it can be taken back. It does not
  /// prolong the key's life, is not called when the data ends, and keeps its time over a restart. While any is pending, each element costs
  /// a look at the clock.
  instant set_processing_timer(std::chrono::nanoseconds delay) {
    if (!call_.clock_timers) detail::throw_no_timer_function("processing_timer");
    instant const at = detail::later_by(now(), std::max(delay, std::chrono::nanoseconds(1)));
    call_.clock_timers_changed |= call_.clock_timers->set(at);
    return at;
  }
  void cancel_processing_timer(instant at) {
    if (call_.clock_timers) call_.clock_timers_changed |= call_.clock_timers->cancel(at);
  }

  /// The key is done: when the function returns, its state and timers go, without waiting for their expiry.
  void forget() noexcept { call_.forgotten = true; }

private:
  detail::process_surroundings<Out>& around_;
  Key const& key_;
  detail::process_call& call_;
};

}  // namespace weir
