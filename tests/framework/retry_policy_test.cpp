#include <weir/retry_policy.hpp>

#include <weir/error.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <chrono>
#include <exception>
#include <limits>
#include <set>
#include <stdexcept>
#include <system_error>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using weir::test::fails_with;

namespace {

std::exception_ptr away() { return std::make_exception_ptr(error(errc::unavailable, "service: away")); }
constexpr std::uint64_t all_bits = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TEST_CASE("delays double from the first one up to the cap, and end with the attempts", "[framework][retry_policy]") {
  auto const p = retry_policy().attempts(7).first_delay(100ms).cap(1s).blur(jitter::none);
  std::vector<std::chrono::nanoseconds> delays;
  for (unsigned failed = 1; auto const d = p.delay(failed, 0); ++failed) delays.push_back(*d);
  CHECK(delays == std::vector<std::chrono::nanoseconds>{100ms, 200ms, 400ms, 800ms, 1s, 1s});
  CHECK_FALSE(retry_policy().attempts(1).delay(1, 0));
}

TEST_CASE("delays never overflow, however many attempts and however long the cap", "[framework][retry_policy]") {
  auto const longest = std::chrono::nanoseconds::max();
  auto const p = retry_policy().attempts(1'000'000).first_delay(3ns).cap(longest).blur(jitter::none);
  CHECK(*p.delay(2, 0) == 6ns);
  std::chrono::nanoseconds before = 0ns;
  for (unsigned failed = 1; failed != 200; ++failed) {
    CHECK(*p.delay(failed, all_bits) >= before);
    before = *p.delay(failed, all_bits);
  }
  CHECK(before == longest);
  CHECK(*p.delay(999'999, 1) == longest);
  CHECK(*retry_policy().attempts(99).first_delay(0ms).blur(jitter::none).delay(98, 5) == 0ns);
  CHECK(*retry_policy().first_delay(5s).cap(1s).blur(jitter::none).delay(1, 0) == 1s);
}

TEST_CASE("full jitter lies between nothing and the delay, equal jitter in its upper half, and both reach their ends",
          "[framework][retry_policy]") {
  auto const full = retry_policy().first_delay(4ns), equal = full.blur(jitter::equal);
  std::set<std::int64_t> of_full, of_equal;
  for (std::uint64_t random = 0; random != 100; ++random) {
    of_full.insert(full.delay(1, random)->count());
    of_equal.insert(equal.delay(1, random)->count());
  }
  CHECK(of_full == std::set<std::int64_t>{0, 1, 2, 3, 4});
  CHECK(of_equal == std::set<std::int64_t>{2, 3, 4});
}

TEST_CASE("by default only what is retryable is tried again, cancellation never", "[framework][retry_policy]") {
  retry_policy const p;
  CHECK(p.after(away(), 1));
  CHECK(p.after(std::make_exception_ptr(std::system_error(std::make_error_code(std::errc::connection_refused))), 1));
  CHECK_FALSE(p.after(std::make_exception_ptr(error(errc::corrupt, "store: damaged")), 1));
  CHECK_FALSE(p.after(std::make_exception_ptr(std::runtime_error("foreign")), 1));
  CHECK_FALSE(p.after(std::make_exception_ptr(42), 1));
  CHECK_FALSE(p.after(away(), p.max_attempts()));
  auto const anything = p.when([](std::exception const&) { return true; });
  CHECK(anything.after(std::make_exception_ptr(std::runtime_error("foreign")), 1));
  CHECK_FALSE(anything.after(std::make_exception_ptr(error(errc::cancelled, "cancelled")), 1));
  CHECK_FALSE(anything.after(std::make_exception_ptr(42), 1));
  auto const nothing = p.when([](std::exception const&) { return false; });
  CHECK_FALSE(nothing.after(away(), 1));
}

TEST_CASE("the random source is asked once per delay, and not at all without jitter", "[framework][retry_policy]") {
  int asked = 0;
  auto const p = retry_policy().first_delay(10ns).random([&asked]() -> std::uint64_t { return static_cast<std::uint64_t>(++asked); });
  CHECK(*p.after(away(), 1) == 1ns);
  CHECK(*p.after(away(), 1) == 2ns);
  CHECK(*p.blur(jitter::none).after(away(), 1) == 10ns);
  CHECK(asked == 2);
}

TEST_CASE("the default source of jitter does not repeat itself", "[framework][retry_policy]") {
  auto const p = retry_policy().first_delay(1h).cap(1h);
  std::set<std::int64_t> seen;
  for (int i = 0; i != 20; ++i) {
    auto const d = p.after(away(), 1);
    CHECK(*d >= 0ns);
    CHECK(*d <= 1h);
    seen.insert(d->count());
  }
  CHECK(seen.size() > 15);
}

TEST_CASE("a policy refuses values that make no sense", "[framework][retry_policy]") {
  fails_with(errc::invalid_option, [] { (void)retry_policy().attempts(0); }, "0 attempts");
  fails_with(errc::invalid_option, [] { (void)retry_policy().first_delay(-1ns); }, "first delay");
  fails_with(errc::invalid_option, [] { (void)retry_policy().cap(-1ns); }, "cap");
}
