#pragma once
#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace weir {

/// A point in time: nanoseconds since the Unix epoch, UTC, without leap seconds. Reaches from 1677-09-21 to 2262-04-11.
using instant = std::int64_t;

/// Before every event: what "no time yet" is called, for example the watermark of a stream that has seen nothing.
inline constexpr instant start_of_time = std::numeric_limits<instant>::min();
/// After every event: the watermark of data that has ended.
inline constexpr instant end_of_time = std::numeric_limits<instant>::max();

/// From the system clock's time, of any resolution. What is finer than a nanosecond is cut off downwards; what does not fit becomes
/// `start_of_time` or `end_of_time`.
template <class Duration> constexpr instant to_instant(std::chrono::sys_time<Duration> t) noexcept {
  using period = std::ratio_divide<typename Duration::period, std::nano>;
  if constexpr (period::den == 1 && std::integral<typename Duration::rep>) {
    instant out = 0;
    if (!__builtin_mul_overflow(t.time_since_epoch().count(), period::num, &out)) return out;
    return t.time_since_epoch().count() < 0 ? start_of_time : end_of_time;
  } else {
    using exact = std::chrono::duration<long double, std::nano>;
    auto const n = exact(t.time_since_epoch()).count();
    if (n < static_cast<long double>(start_of_time)) return start_of_time;
    if (n >= static_cast<long double>(end_of_time)) return end_of_time;
    return std::chrono::floor<std::chrono::nanoseconds>(t.time_since_epoch()).count();
  }
}

/// To the system clock's time, in nanoseconds. Exact.
constexpr std::chrono::sys_time<std::chrono::nanoseconds> to_sys_time(instant t) noexcept {
  return std::chrono::sys_time<std::chrono::nanoseconds>(std::chrono::nanoseconds(t));
}

/// The largest multiple of `step` since the epoch that is not after `t`, before 1970 too; `start_of_time` where that does not fit.
/// `step` > 0.
constexpr instant floor_to(instant t, std::chrono::nanoseconds step) noexcept {
  instant const rest = t % step.count();
  instant out = t - rest;
  if (rest < 0 && __builtin_sub_overflow(out, step.count(), &out)) return start_of_time;
  return out;
}

}  // namespace weir
