#include <weir/aws/detail/asked_delay.hpp>

#include <weir/net/retry_after.hpp>

#include <algorithm>
#include <charconv>

namespace weir::aws::detail {
namespace {

constexpr std::chrono::nanoseconds most_longer = std::chrono::seconds(5);

std::chrono::nanoseconds asked_for(net::headers const& answer, instant now) noexcept {
  if (auto const text = answer.find("x-amz-retry-after")) {
    std::int64_t n = 0;
    auto const [end, failed] = std::from_chars(text->data(), text->data() + text->size(), n);
    constexpr std::int64_t most = 86'400'000;
    if (failed == std::errc() && end == text->data() + text->size() && n >= 0) return std::chrono::milliseconds(std::min(n, most));
  }
  if (auto const text = answer.find("Retry-After"))
    if (auto const found = net::parse_retry_after(*text, now)) return *found;
  return {};
}

}  // namespace

std::chrono::nanoseconds asked_delay(net::headers const& answer, std::chrono::nanoseconds own, instant now) noexcept {
  return std::clamp(asked_for(answer, now), own, own + most_longer);
}

}  // namespace weir::aws::detail
