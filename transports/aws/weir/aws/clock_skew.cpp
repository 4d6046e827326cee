#include <weir/aws/clock_skew.hpp>

#include <weir/aws/service_error.hpp>
#include <weir/net/http_date.hpp>

#include <chrono>
#include <cstdlib>
#include <optional>

namespace weir::aws {
namespace {
constexpr std::int64_t tolerated = std::chrono::nanoseconds(std::chrono::minutes(4)).count();
}

instant clock_skew::corrected(instant now) const noexcept { return now + ahead_.load(std::memory_order_relaxed); }

bool clock_skew::learn(net::response const& answer, instant signed_for, instant now) {
  std::optional<service_error> const refusal = read_service_error(answer);
  if (!refusal) return false;
  auto const text = answer.headers.find("Date");
  std::optional<instant> const date = text ? net::parse_http_date(*text, now) : std::nullopt;
  if (!date) return false;
  service_error_kind const kind = kind_of(*refusal);
  bool const off = std::abs(*date - signed_for) > tolerated;
  if (kind != service_error_kind::clock && !(kind == service_error_kind::credentials && off)) return false;
  ahead_.store(*date - now, std::memory_order_relaxed);
  return true;
}

}  // namespace weir::aws
