#include <weir/net/http_date.hpp>
#include <weir/net/retry_after.hpp>

#include <algorithm>
#include <cstdint>

namespace weir::net {

std::optional<std::chrono::nanoseconds> parse_retry_after(std::string_view value, instant now) noexcept {
  using std::chrono::nanoseconds;
  bool const number = !value.empty() && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
  if (number) {
    constexpr std::int64_t most = nanoseconds::max() / std::chrono::seconds(1);
    std::int64_t seconds = 0;
    for (char const c : value) {
      seconds = seconds * 10 + (c - '0');
      if (seconds > most) return nanoseconds::max();
    }
    return std::chrono::seconds(seconds);
  }
  std::optional<instant> const at = parse_http_date(value, now);
  if (!at) return std::nullopt;
  instant distance = 0;
  if (*at <= now) return nanoseconds(0);
  return __builtin_sub_overflow(*at, now, &distance) ? nanoseconds::max() : nanoseconds(distance);
}

}  // namespace weir::net
