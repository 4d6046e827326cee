#include <weir/operators/throttle.hpp>

#include <weir/error.hpp>

#include <limits>
#include <string>

namespace weir::detail {
namespace {

token_bucket checked(std::uint64_t rate, std::chrono::nanoseconds per, std::uint64_t burst) {
  auto const refuse = [](std::string why) { throw error(errc::invalid_option, "throttle: cannot be built", std::move(why)); };
  if (rate == 0) refuse("a rate of 0 elements never lets one pass; give it at least 1");
  if (per <= per.zero()) refuse("the time is not above zero");
  if (burst == 0) refuse("a burst of 0 elements never lets one pass; give it at least 1");
  if (burst > std::uint64_t(std::numeric_limits<std::int64_t>::max()) / static_cast<std::uint64_t>(per.count()))
    refuse("the burst is too large for this time");
  return token_bucket(rate, per, burst);
}

}  // namespace

open_throttled::open_throttled(std::uint64_t rate, std::chrono::nanoseconds per, std::uint64_t burst)
    : bucket_(checked(rate, per, burst)) {}

}  // namespace weir::detail
