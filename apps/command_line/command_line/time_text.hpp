#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace command_line {

/// How a time is written in the input.
enum class time_unit { seconds, milliseconds, microseconds, nanoseconds, rfc3339 };

/// A point in time, in nanoseconds since the Unix epoch (UTC), from its text: a whole number of `unit`s, or an RFC 3339 time
/// ("2024-08-08T23:54:15.342Z", any offset, up to nine digits of a second). Null when the text is not of that form or the time does
/// not fit in 64 bits (years 1677 to 2262).
std::optional<std::int64_t> parse_time(std::string_view text, time_unit unit) noexcept;

/// Event times are between these, years 1680 to 2260: windows and bounds are added to them and subtracted, within 64 bits.
inline constexpr std::int64_t earliest_event_time = -9'150'000'000'000'000'000;
inline constexpr std::int64_t latest_event_time = 9'150'000'000'000'000'000;

/// A length of time in nanoseconds, zero or more, from a whole number and one of `ms`, `s`, `m`, `h`, `d` ("1m", "500ms"). Null when it
/// is not of that form or does not fit.
std::optional<std::int64_t> parse_duration(std::string_view text) noexcept;

/// The shortest text `parse_duration` reads back to the same length: "1m", "90s", "250ms". `nanoseconds` a multiple of 1 ms, zero or
/// more.
std::string duration_text(std::int64_t nanoseconds);

/// "2024-08-08 23:54:15", with ".342" behind it when there is a part of a second; UTC. For people; `nanoseconds` since the epoch.
std::string time_text(std::int64_t nanoseconds);

}  // namespace command_line
