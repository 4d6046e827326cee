#include <weir/error.hpp>
#include <weir/retry_policy.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <system_error>
#include <utility>

namespace weir {
namespace {

[[noreturn]] void refuse(std::string why) { throw error(errc::invalid_option, "retry policy: cannot be used", std::move(why)); }

std::uint64_t random_bits() {
  thread_local std::mt19937_64 engine([] {
    std::random_device seed;
    return static_cast<std::uint64_t>(seed()) << 32 | seed();
  }());
  return engine();
}

}  // namespace

retry_policy retry_policy::attempts(unsigned n) const {
  if (n == 0) refuse("0 attempts; the first one counts, so at least 1");
  retry_policy p(*this);
  p.attempts_ = n;
  return p;
}

retry_policy retry_policy::first_delay(std::chrono::nanoseconds d) const {
  if (d < d.zero()) refuse("a negative first delay");
  retry_policy p(*this);
  p.first_ = d;
  return p;
}

retry_policy retry_policy::cap(std::chrono::nanoseconds d) const {
  if (d < d.zero()) refuse("a negative cap");
  retry_policy p(*this);
  p.cap_ = d;
  return p;
}

retry_policy retry_policy::blur(jitter j) const {
  retry_policy p(*this);
  p.jitter_ = j;
  return p;
}

retry_policy retry_policy::when(std::function<bool(std::exception const&)> predicate) const {
  retry_policy p(*this);
  p.predicate_ = std::move(predicate);
  return p;
}

retry_policy retry_policy::random(std::function<std::uint64_t()> source) const {
  retry_policy p(*this);
  p.random_ = std::move(source);
  return p;
}

std::optional<std::chrono::nanoseconds> retry_policy::delay(unsigned failed, std::uint64_t random) const noexcept {
  if (failed >= attempts_) return std::nullopt;
  auto const first = static_cast<std::uint64_t>(first_.count()), cap = static_cast<std::uint64_t>(cap_.count());
  unsigned const doublings = failed == 0 ? 0 : failed - 1;
  // first * 2^doublings > cap, without the overflow
  std::uint64_t const whole = doublings >= 63 ? (first == 0 ? 0 : cap) : first > cap >> doublings ? cap : first << doublings;
  std::uint64_t const least = jitter_ == jitter::none ? whole : jitter_ == jitter::equal ? whole / 2 : 0;
  return std::chrono::nanoseconds(static_cast<std::int64_t>(least + random % (whole - least + 1)));
}

bool retry_policy::worth_another_try(std::exception_ptr const& failure) const {
  try {
    std::rethrow_exception(failure);
  } catch (std::system_error const& e) {
    if (e.code() == condition::cancelled) return false;
    return predicate_ ? predicate_(e) : e.code() == condition::retryable;
  } catch (std::exception const& e) {
    return predicate_ && predicate_(e);
  } catch (...) {
    return false;
  }
}

std::optional<std::chrono::nanoseconds> retry_policy::after(std::exception_ptr const& failure, unsigned failed) const {
  if (failed >= attempts_ || !worth_another_try(failure)) return std::nullopt;
  return delay(failed, jitter_ == jitter::none ? 0 : random_ ? random_() : random_bits());
}

}  // namespace weir
