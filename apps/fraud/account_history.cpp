#include "account_history.hpp"

#include <algorithm>
#include <cstddef>

namespace fraud {
namespace {

constexpr double ns_per_hour = 3.6e12;

std::optional<alert> judge_failure(login const& next, account_history& past, rules const& r) {
  auto& times = past.failures;
  std::erase_if(times, [&](weir::instant t) { return next.time - t > r.within; });
  times.push_back(next.time);
  if (times.size() < r.failures) return std::nullopt;
  failed_logins found{next.account, times.front(), times.back(), static_cast<std::uint32_t>(times.size())};
  times.clear();
  return found;
}

std::optional<alert> judge_travel(login const& next, account_history& past, rules const& r) {
  auto const before = past.last;
  past.last = visit{next.time, next.from};
  if (!before) return std::nullopt;
  double const km = distance_km(before->from, next.from);
  double const hours = static_cast<double>(next.time - before->time) / ns_per_hour;
  if (km < r.least_distance || km <= r.max_speed * hours) return std::nullopt;
  return impossible_travel{next.account, before->time, next.time, before->from, next.from};
}

}  // namespace

std::optional<alert> judge(login const& next, account_history& past, rules const& r) {
  return next.success ? judge_travel(next, past, r) : judge_failure(next, past, r);
}

std::int64_t memory_of(rules const& r) {
  double const longest = distance_km({0, 0}, {0, 180}) / r.max_speed * ns_per_hour;
  constexpr double most = 1e18;  // 31 years
  return std::max(r.within, static_cast<std::int64_t>(std::min(longest, most)) + 1);
}

}  // namespace fraud
