#include <weir/aws/clock_skew.hpp>

#include <weir/aws/service_error.hpp>
#include <weir/net/http_date.hpp>

#include <chrono>
#include <cstdlib>
#include <optional>

namespace weir::aws {
namespace {

constexpr std::int64_t tolerated = std::chrono::nanoseconds(std::chrono::minutes(4)).count();

std::optional<instant> date_of(net::headers const& answer, instant now) noexcept {
  auto const text = answer.find("Date");
  return text ? net::parse_http_date(*text, now) : std::nullopt;
}

}  // namespace

instant clock_skew::corrected(instant now) const noexcept { return now + ahead_.load(std::memory_order_relaxed); }

bool clock_skew::learn(net::response const& answer, instant signed_for, instant now) {
  std::optional<service_error> const refusal = read_service_error(answer);
  if (!refusal) return false;
  std::optional<instant> const date = date_of(answer.headers, now);
  if (!date) return false;
  service_error_kind const kind = kind_of(*refusal);
  bool const off = std::abs(*date - signed_for) > tolerated;
  if (kind != service_error_kind::clock && !(kind == service_error_kind::credentials && off)) return false;
  ahead_.store(*date - now, std::memory_order_relaxed);
  return true;
}

void clock_skew::hear(net::headers const& answer, instant now) noexcept {
  if (std::optional<instant> const date = date_of(answer, now)) heard_.store(*date - now, std::memory_order_relaxed);
}

std::chrono::nanoseconds clock_skew::at_least() const noexcept { return std::chrono::nanoseconds(heard_.load(std::memory_order_relaxed)); }

}  // namespace weir::aws
