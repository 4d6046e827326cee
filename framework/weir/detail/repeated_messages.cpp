#include <weir/detail/repeated_messages.hpp>

#include <algorithm>
#include <utility>

namespace weir::detail {
namespace {

// A message without its numbers.
std::string kind_of(log_level level, std::string_view message) {
  std::string out(1, static_cast<char>('0' + static_cast<int>(level)));
  for (char const c : message) {
    if (c < '0' || c > '9') out += c;
    else if (out.back() != '#') out += '#';
  }
  return out;
}

}  // namespace

std::optional<std::uint64_t> repeated_messages::say(log_level level, std::string_view message, std::chrono::nanoseconds now) {
  if (within_.count() <= 0 || level == log_level::error) return 0;
  std::string id = kind_of(level, message);
  auto const known = kinds_.find(id);
  if (known == kinds_.end()) {
    if (kinds_.size() == most) forget(now);
    kinds_.emplace(std::move(id), kind{now});
    return 0;
  }
  kind& k = known->second;
  if (now - k.said < within_) {
    ++k.left_out;
    return std::nullopt;
  }
  k.said = now;
  return std::exchange(k.left_out, 0);
}

// Those of old that have nothing to tell, else the oldest.
void repeated_messages::forget(std::chrono::nanoseconds now) {
  std::erase_if(kinds_, [&](auto const& k) { return k.second.left_out == 0 && now - k.second.said >= within_; });
  if (kinds_.size() < most) return;
  kinds_.erase(std::ranges::min_element(kinds_, {}, [](auto const& k) { return k.second.said; }));
}

}  // namespace weir::detail
