#include <weir/rfc3339.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <random>
#include <string>

using weir::format_rfc3339;
using weir::instant;
using weir::parse_rfc3339;
using fault = weir::rfc3339_fault;

namespace {
constexpr instant second = 1'000'000'000;

instant at(std::string_view text) {
  auto const parsed = parse_rfc3339(text);
  INFO(text);
  REQUIRE(parsed.has_value());
  return *parsed;
}
bool is(std::string_view text, fault expected) {
  auto const parsed = parse_rfc3339(text);
  INFO(text);
  return parsed.has_error() && parsed.error() == expected;
}
}  // namespace

TEST_CASE("the examples of RFC 3339, section 5.8 are read", "[framework][rfc3339]") {
  CHECK(at("1985-04-12T23:20:50.52Z") == 482'196'050 * second + 520'000'000);
  CHECK(at("1996-12-19T16:39:57-08:00") == at("1996-12-20T00:39:57Z"));
  CHECK(at("1996-12-20T00:39:57Z") == 851'042'397 * second);
  CHECK(at("1990-12-31T23:59:60Z") == at("1991-01-01T00:00:00Z"));  // 23:59:60 + 0 s in the formula of POSIX
  CHECK(at("1990-12-31T15:59:60-08:00") == at("1990-12-31T23:59:60Z"));
  CHECK(at("1937-01-01T12:00:27.87+00:20") == at("1937-01-01T11:40:27.87Z"));
}

TEST_CASE("times are read as date -u computes them", "[framework][rfc3339]") {
  // date -u -d TEXT +%s
  CHECK(at("1970-01-01T00:00:00Z") == 0);
  CHECK(at("1969-12-31T23:59:59Z") == -1 * second);
  CHECK(at("2000-02-29T12:34:56Z") == 951'827'696 * second);
  CHECK(at("2024-02-29T23:59:59Z") == 1'709'251'199 * second);
  CHECK(at("2024-08-08T23:54:15Z") == 1'723'161'255 * second);
  CHECK(at("1900-03-01T00:00:00Z") == -2'203'891'200 * second);
  CHECK(at("2100-03-01T00:00:00Z") == 4'107'542'400 * second);
  CHECK(at("2001-09-09T03:46:40+02:00") == 1'000'000'000 * second);
  CHECK(at("2038-01-19T03:14:08Z") == 2'147'483'648 * second);
  CHECK(at("1700-01-01T00:00:00Z") == -8'520'336'000 * second);
}

TEST_CASE("up to nine digits of a second are read", "[framework][rfc3339]") {
  CHECK(at("1970-01-01T00:00:00.1Z") == 100'000'000);
  CHECK(at("1970-01-01T00:00:00.000000001Z") == 1);
  CHECK(at("1970-01-01T00:00:00.123456789Z") == 123'456'789);
  CHECK(at("1969-12-31T23:59:59.999999999Z") == -1);
  CHECK(is("1970-01-01T00:00:00.1234567890Z", fault::too_precise));
  CHECK(is("1970-01-01T00:00:00.Z", fault::malformed));
}

TEST_CASE("small letters, a space and any offset are read", "[framework][rfc3339]") {
  CHECK(at("1985-04-12t23:20:50z") == at("1985-04-12T23:20:50Z"));
  CHECK(at("1985-04-12 23:20:50Z") == at("1985-04-12T23:20:50Z"));
  CHECK(at("1985-04-12T23:20:50-00:00") == at("1985-04-12T23:20:50Z"));
  CHECK(at("1985-04-12T23:20:50+23:59") == at("1985-04-11T23:21:50Z"));
  CHECK(at("1985-04-12T23:20:50-23:59") == at("1985-04-13T23:19:50Z"));
}

TEST_CASE("a day that does not exist is refused", "[framework][rfc3339]") {
  for (char const* day :
       {"2023-02-29", "1900-02-29", "2100-02-29", "2024-02-30", "2024-04-31", "2024-13-01", "2024-00-01", "2024-01-00", "2024-01-32"})
    CHECK(is(std::string(day) + "T00:00:00Z", fault::no_such_date));
  CHECK(at("2000-02-29T00:00:00Z") == 951'782'400 * second);  // divisible by 400
}

TEST_CASE("a time of day that does not exist is refused", "[framework][rfc3339]") {
  for (char const* time : {"24:00:00Z", "00:60:00Z", "00:00:61Z", "99:00:00Z"})
    CHECK(is(std::string("2024-01-01T") + time, fault::no_such_time));
  for (char const* offset : {"+24:00", "-24:00", "+00:60"}) CHECK(is(std::string("2024-01-01T00:00:00") + offset, fault::no_such_offset));
}

TEST_CASE("a leap second is read only where one can be", "[framework][rfc3339]") {
  CHECK(at("2016-12-31T23:59:60Z") == 1'483'228'800 * second);
  CHECK(at("2016-12-31T23:59:60.5Z") == 1'483'228'800 * second + second / 2);
  CHECK(at("2015-07-01T08:59:60+09:00") == at("2015-07-01T00:00:00Z"));
  CHECK(is("2016-12-30T23:59:60Z", fault::no_such_time));
  CHECK(is("2016-12-31T22:59:60Z", fault::no_such_time));
  CHECK(is("2016-12-31T23:59:60+01:00", fault::no_such_time));
}

TEST_CASE("what is not of the form is refused", "[framework][rfc3339]") {
  for (char const* text : {"",
                           "2024",
                           "2024-01-01",
                           "2024-01-01T00:00:00",
                           "2024-01-01T00:00Z",
                           "20240101T000000Z",
                           "2024-1-01T00:00:00Z",
                           "24-01-01T00:00:00Z",
                           "2024-01-01T00:00:00ZZ",
                           "2024-01-01T00:00:00Z ",
                           " 2024-01-01T00:00:00Z",
                           "2024-01-01_00:00:00Z",
                           "2024/01/01T00:00:00Z",
                           "2024-01-01T00.00.00Z",
                           "2024-01-01T00:00:00+0100",
                           "2024-01-01T00:00:00+01",
                           "2024-01-01T00:00:00+01:0",
                           "2024-01-01T00:00:00,5Z",
                           "+024-01-01T00:00:00Z",
                           "-024-01-01T00:00:00Z",
                           "2024-01-01T00:00:0xZ",
                           "2024-01-01T00:00:00 UTC",
                           "now"})
    CHECK(is(text, fault::malformed));
}

TEST_CASE("the limits of 64 bits of nanoseconds are kept exactly", "[framework][rfc3339]") {
  CHECK(at("2262-04-11T23:47:16.854775807Z") == weir::end_of_time);
  CHECK(at("1677-09-21T00:12:43.145224192Z") == weir::start_of_time);
  CHECK(is("2262-04-11T23:47:16.854775808Z", fault::out_of_range));
  CHECK(is("1677-09-21T00:12:43.145224191Z", fault::out_of_range));
  CHECK(is("9999-12-31T23:59:59Z", fault::out_of_range));
  CHECK(is("0000-01-01T00:00:00Z", fault::out_of_range));
  CHECK(at("2262-04-12T00:47:16.854775807+01:00") == weir::end_of_time);
}

TEST_CASE("times are written in UTC with as many digits as they need", "[framework][rfc3339]") {
  CHECK(format_rfc3339(0) == "1970-01-01T00:00:00Z");
  CHECK(format_rfc3339(1'723'161'255'342'000'000) == "2024-08-08T23:54:15.342Z");
  CHECK(format_rfc3339(1'000) == "1970-01-01T00:00:00.000001Z");
  CHECK(format_rfc3339(-1) == "1969-12-31T23:59:59.999999999Z");
  CHECK(format_rfc3339(weir::end_of_time) == "2262-04-11T23:47:16.854775807Z");
  CHECK(format_rfc3339(weir::start_of_time) == "1677-09-21T00:12:43.145224192Z");
}

TEST_CASE("times are written with a fixed number of digits, cut off downwards", "[framework][rfc3339]") {
  CHECK(format_rfc3339(1'723'161'255'342'999'999, 3) == "2024-08-08T23:54:15.342Z");
  CHECK(format_rfc3339(1'723'161'255'342'999'999, 0) == "2024-08-08T23:54:15Z");
  CHECK(format_rfc3339(0, 9) == "1970-01-01T00:00:00.000000000Z");
  CHECK(format_rfc3339(-1, 3) == "1969-12-31T23:59:59.999Z");
}

TEST_CASE("what is written is read back exactly, and sorts like its time", "[framework][rfc3339]") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    auto const a = static_cast<instant>(random() >> random() % 40), b = static_cast<instant>(random());
    REQUIRE(at(format_rfc3339(a)) == a);
    REQUIRE(at(format_rfc3339(b, 9)) == b);
    REQUIRE((format_rfc3339(a, 9) < format_rfc3339(b, 9)) == (a < b));
  }
}

TEST_CASE("value() of a text that is no time throws with the reason", "[framework][rfc3339]") {
  weir::test::fails_with(
      weir::errc::malformed, [] { static_cast<void>(parse_rfc3339("2023-02-29T00:00:00Z").value()); }, "names a day that does not exist");
}
