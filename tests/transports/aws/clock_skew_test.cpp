#include <weir/aws/clock_skew.hpp>

#include "support/catch.hpp"

#include <chrono>
#include <string>

using namespace weir;
using namespace std::chrono;

namespace {

constexpr instant date = to_instant(sys_days(2026y / November / 29) + 12h);
constexpr std::int64_t minute = nanoseconds(1min).count();

net::response refused(std::string const& code, std::string const& at = "Sun, 29 Nov 2026 12:00:00 GMT") {
  net::response r;
  r.status = 403;
  r.body = "{\"__type\":\"" + code + "\"}";
  if (!at.empty()) r.headers.add("Date", at);
  return r;
}

}  // namespace

TEST_CASE("a clock that is off is corrected by the Date of the answer that says so", "[aws][clock_skew]") {
  for (char const* const code :
       {"RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture", "InvalidSignatureException", "SignatureDoesNotMatch"}) {
    for (std::int64_t const off : {-20 * minute, 20 * minute}) {
      CAPTURE(code, off);
      aws::clock_skew skew;
      instant const now = date + off;
      CHECK(skew.corrected(now) == now);
      CHECK(skew.learn(refused(code), now, now));
      CHECK(skew.corrected(now) == date);
      CHECK(skew.corrected(now + minute) == date + minute);
      CHECK_FALSE(skew.learn(refused("SignatureDoesNotMatch"), skew.corrected(now), now));  // then it is the secret
    }
  }
}

TEST_CASE("a signature that does not match at the right time is no matter of the clock", "[aws][clock_skew]") {
  aws::clock_skew skew;
  CHECK_FALSE(skew.learn(refused("InvalidSignatureException"), date - 3 * minute, date - 3 * minute));
  CHECK_FALSE(skew.learn(refused("AccessDeniedException"), date - 20 * minute, date - 20 * minute));
  net::response fine = refused("");
  fine.status = 200;
  CHECK_FALSE(skew.learn(fine, date - 20 * minute, date - 20 * minute));
  CHECK(skew.corrected(date) == date);
}

TEST_CASE("a request that was under way for long is signed again, by the same clock", "[aws][clock_skew]") {
  aws::clock_skew skew;
  CHECK(skew.learn(refused("InvalidSignatureException"), date - 6 * minute, date));
  CHECK(skew.corrected(date) == date);
}

TEST_CASE("how far a clock is ahead is heard from any Date, and nothing is signed by it", "[aws][clock_skew]") {
  aws::clock_skew skew;
  CHECK(skew.at_least() == 0s);
  for (nanoseconds const off : {nanoseconds(-90s), nanoseconds(90s), nanoseconds(0)}) {
    net::response answer = refused("");
    answer.status = 200;
    skew.hear(answer.headers, date - off.count());
    CHECK(skew.at_least() == off);
    net::response const odd = refused("", "noon"), none = refused("", "");
    skew.hear(odd.headers, date);
    skew.hear(none.headers, date);
    CHECK(skew.at_least() == off);
    CHECK(skew.corrected(date) == date);
  }
}

TEST_CASE("without a Date that can be read there is nothing to go by", "[aws][clock_skew]") {
  aws::clock_skew skew;
  CHECK_FALSE(skew.learn(refused("RequestTimeTooSkewed", ""), date - 20 * minute, date - 20 * minute));
  CHECK_FALSE(skew.learn(refused("RequestTimeTooSkewed", "noon"), date - 20 * minute, date - 20 * minute));
}
