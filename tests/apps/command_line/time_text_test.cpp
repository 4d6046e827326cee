#include <command_line/time_text.hpp>

#include "support/catch.hpp"

#include <cstdint>

using namespace command_line;

// Values by Python's datetime; the third and the two last are examples of RFC 3339 section 5.8 and the bounds of 64 bits.
TEST_CASE("an RFC 3339 time is read to the nanosecond") {
  CHECK(parse_time("2024-08-08T23:54:15.342Z", time_unit::rfc3339) == 1723161255342000000);
  CHECK(parse_time("2024-02-29T00:00:00+05:30", time_unit::rfc3339) == 1709145000000000000);
  CHECK(parse_time("1985-04-12T23:20:50.52Z", time_unit::rfc3339) == 482196050520000000);
  CHECK(parse_time("1996-12-19T16:39:57-08:00", time_unit::rfc3339) == 851042397000000000);
  CHECK(parse_time("1969-12-31t23:59:59.5z", time_unit::rfc3339) == -500000000);
  CHECK(parse_time("2262-04-11T23:47:16.854775807Z", time_unit::rfc3339) == INT64_MAX);
}

TEST_CASE("a time that is not RFC 3339 is refused") {
  for (auto const* text :
       {"", "2024", "2024-08-08", "2024-08-08T23:54:15", "2024-08-08T23:54:15.Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z",
        "2024-08-08T24:00:00Z", "2024-08-08T23:60:00Z", "2024-08-08T23:54:15Z ", "2024-08-08T23:54:15+0530",
        "2024-08-08T23:54:15.1234567890Z", "2262-04-11T23:47:16.854775808Z", "9999-01-01T00:00:00Z", "1723161255342"})
    CHECK_FALSE(parse_time(text, time_unit::rfc3339));
}

TEST_CASE("a whole number is a time in its unit") {
  CHECK(parse_time("1723161255342", time_unit::milliseconds) == 1723161255342000000);
  CHECK(parse_time("1723161255", time_unit::seconds) == 1723161255000000000);
  CHECK(parse_time("1723161255342123", time_unit::microseconds) == 1723161255342123000);
  CHECK(parse_time("1723161255342123456", time_unit::nanoseconds) == 1723161255342123456);
  CHECK(parse_time("-1", time_unit::milliseconds) == -1000000);
  for (auto const* text : {"", "-", "1.5", "1e3", " 1", "1 ", "0x1", "99999999999999999999", "9223372036855"})
    CHECK_FALSE(parse_time(text, time_unit::milliseconds));
}

TEST_CASE("a duration is a whole number with a unit") {
  CHECK(parse_duration("1m") == 60'000'000'000);
  CHECK(parse_duration("1s") == 1'000'000'000);
  CHECK(parse_duration("250ms") == 250'000'000);
  CHECK(parse_duration("2h") == 7'200'000'000'000);
  CHECK(parse_duration("1d") == 86'400'000'000'000);
  CHECK(parse_duration("0s") == 0);
  for (auto const* text : {"", "m", "-1m", "-0s", "1", "1.5m", "1 m", "1min", "1ns", "999999999999d"}) CHECK_FALSE(parse_duration(text));
  for (auto const* text : {"0s", "1m", "90s", "250ms", "1h", "1d", "5m"}) CHECK(duration_text(parse_duration(text).value()) == text);
}

TEST_CASE("times are shown to people in UTC") {
  CHECK(time_text(1723161255342000000) == "2024-08-08 23:54:15.342");
  CHECK(time_text(1709145000000000000) == "2024-02-28 18:30:00");
  CHECK(time_text(-500000000) == "1969-12-31 23:59:59.500");
}
