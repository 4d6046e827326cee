#include "time_text.hpp"

#include <weir/rfc3339.hpp>

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace command_line {
namespace {

constexpr std::int64_t second = 1'000'000'000;

bool scaled(std::int64_t value, std::int64_t factor, std::int64_t& out) noexcept { return !__builtin_mul_overflow(value, factor, &out); }

}  // namespace

std::optional<std::int64_t> parse_time(std::string_view text, time_unit unit) noexcept {
  std::int64_t factor = 1;
  switch (unit) {
    case time_unit::seconds: factor = second; break;
    case time_unit::milliseconds: factor = 1'000'000; break;
    case time_unit::microseconds: factor = 1'000; break;
    case time_unit::nanoseconds: break;
    case time_unit::rfc3339:
      if (auto const time = weir::parse_rfc3339(text)) return *time;
      return std::nullopt;
  }
  std::int64_t value = 0;
  auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !scaled(value, factor, value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_duration(std::string_view text) noexcept {
  std::int64_t value = 0;
  auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || value < 0 || text.starts_with('-')) return std::nullopt;
  std::string_view const unit = text.substr(static_cast<std::size_t>(end - text.data()));
  std::int64_t factor = 0;
  if (unit == "ms") factor = 1'000'000;
  if (unit == "s") factor = second;
  if (unit == "m") factor = 60 * second;
  if (unit == "h") factor = 3600 * second;
  if (unit == "d") factor = 86400 * second;
  if (factor == 0 || !scaled(value, factor, value)) return std::nullopt;
  return value;
}

std::string duration_text(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return "0s";
  struct unit {
    std::int64_t size;
    char const* name;
  };
  for (unit const u : {unit{86400 * second, "d"}, unit{3600 * second, "h"}, unit{60 * second, "m"}, unit{second, "s"}})
    if (nanoseconds % u.size == 0) return fmt::format("{}{}", nanoseconds / u.size, u.name);
  return fmt::format("{}ms", nanoseconds / 1'000'000);
}

std::string time_text(std::int64_t nanoseconds) {
  auto text = weir::format_rfc3339(nanoseconds, nanoseconds % second == 0 ? 0 : 3);
  text[text.find('T')] = ' ';
  text.pop_back();  // the Z
  return text;
}

}  // namespace command_line
