#include <weir/net/http_date.hpp>
#include <weir/net/retry_after.hpp>

#include "support/catch.hpp"

using namespace weir;
using namespace std::chrono_literals;

namespace {
constexpr instant second = 1'000'000'000;
constexpr instant in_1994 = 784'111'777 * second;  // `date -u -d "1994-11-06 08:49:37" +%s`
constexpr instant in_2026 = 1'790'000'000 * second;
}  // namespace

TEST_CASE("a date of HTTP has three forms", "[net][http_date]") {
  // RFC 9110, section 5.6.7.
  CHECK(net::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT", in_2026) == in_1994);
  CHECK(net::parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", in_2026) == in_1994);
  CHECK(net::parse_http_date("Sun Nov  6 08:49:37 1994", in_2026) == in_1994);
  CHECK(net::parse_http_date("Wed Nov 16 08:49:37 1994", in_2026) == in_1994 + 10 * 86'400 * second);
}

TEST_CASE("a date is written in the first form", "[net][http_date]") {
  CHECK(net::http_date(in_1994) == "Sun, 06 Nov 1994 08:49:37 GMT");
  CHECK(net::http_date(in_1994 + second - 1) == "Sun, 06 Nov 1994 08:49:37 GMT");
  CHECK(net::http_date(-1) == "Wed, 31 Dec 1969 23:59:59 GMT");                    // `date -u -d @-1`
  CHECK(net::http_date(951'782'400 * second) == "Tue, 29 Feb 2000 00:00:00 GMT");  // `date -u -d @951782400`
}

TEST_CASE("a year of two digits is at most fifty years ahead", "[net][http_date]") {
  // `date -u -d "2076-01-01" +%s` and of 1977-01-01; the years are seen from September 2026.
  CHECK(net::parse_http_date("Wednesday, 01-Jan-76 00:00:00 GMT", in_2026) == 3'345'062'400 * second);
  CHECK(net::parse_http_date("Saturday, 01-Jan-77 00:00:00 GMT", in_2026) == 220'924'800 * second);
}

TEST_CASE("what is no date, or none that exists, is refused", "[net][http_date]") {
  for (char const* const text :
       {"", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", "1994-11-06T08:49:37Z", "Sun Nov 6 08:49:37 1994"})
    CHECK(net::parse_http_date(text, in_2026) == std::nullopt);
}

TEST_CASE("Retry-After is seconds or a date", "[net][retry_after]") {
  // RFC 9110, section 10.2.3: "120", and a date.
  CHECK(net::parse_retry_after("120", in_1994) == 2min);
  CHECK(net::parse_retry_after("0", in_1994) == 0ns);
  CHECK(net::parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", in_1994 - 90 * second) == 90s);
  CHECK(net::parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", in_2026) == 0ns);
  CHECK(net::parse_retry_after("99999999999999999999", in_1994) == std::chrono::nanoseconds::max());
  for (char const* const text : {"", "-1", "1.5", "120s", " 120", "soon"}) CHECK(net::parse_retry_after(text, in_1994) == std::nullopt);
}
