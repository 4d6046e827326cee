#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ticks {

/// How the time of a tick is written in the input.
enum class time_unit { seconds, milliseconds, microseconds, nanoseconds, rfc3339 };

/// A point in time, in nanoseconds since the Unix epoch (UTC), from its text: a whole number of `unit`s, or an RFC 3339 time
/// ("2024-08-08T23:54:15.342Z", any offset, up to nine digits of a second). Null when the text is not of that form or the time does
/// not fit in 64 bits (years 1677 to 2262).
std::optional<std::int64_t> parse_time(std::string_view text, time_unit unit) noexcept;

/// A length of time in nanoseconds from a whole number and one of `ms`, `s`, `m`, `h`, `d` ("1m", "500ms"). Null when it is not of
/// that form, is zero, or does not fit.
std::optional<std::int64_t> parse_duration(std::string_view text) noexcept;

/// The shortest text `parse_duration` reads back to the same length: "1m", "90s", "250ms". `nanoseconds` a positive multiple of 1 ms.
std::string duration_text(std::int64_t nanoseconds);

/// "2024-08-08 23:54:15", with ".342" behind it when there is a part of a second; UTC. For people; `nanoseconds` since the epoch.
std::string time_text(std::int64_t nanoseconds);

}  // namespace ticks
