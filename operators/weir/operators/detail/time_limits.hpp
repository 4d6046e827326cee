#pragma once
#include <weir/instant.hpp>

#include <chrono>
#include <cstdint>
#include <string_view>

// Event times and spans are bounded so that no sum of a time and a few spans leaves int64.
namespace weir::detail {

inline constexpr instant century = 100 * 365 * std::chrono::nanoseconds(std::chrono::hours(24)).count();
// 1777 to 2162.
inline constexpr instant earliest_event = start_of_time + century, latest_event = end_of_time - century;
// Of a window, a gap, a bound, an offset, an allowed lateness.
inline constexpr std::chrono::nanoseconds longest_span = std::chrono::hours(24) * 365 * 20;

// Before all that is computed from event times.
inline constexpr instant before_events = earliest_event - 2 * longest_span.count();

enum class span_from : std::uint8_t { zero, one };
// Throws `errc::invalid_option`.
void check_span(std::string_view who, std::string_view what, std::chrono::nanoseconds span, span_from least);
// A window's size and the distance between starts.
void check_windows(std::string_view who, std::chrono::nanoseconds size, std::chrono::nanoseconds slide);

// Windows can be computed around t: an event time, or that of the results of windows on windows.
constexpr bool placeable(instant t) noexcept { return t >= earliest_event && t <= latest_event + 2 * longest_span.count(); }
// Throws `errc::out_of_range`: the times are those of a source that has not been through event_time.
[[noreturn]] void throw_not_placeable(instant t);

// A time and a span (d >= 0), up to the end of time.
constexpr instant later_by(instant t, std::chrono::nanoseconds d) noexcept {
  instant out = 0;
  return __builtin_add_overflow(t, d.count(), &out) ? end_of_time : out;
}

}  // namespace weir::detail
