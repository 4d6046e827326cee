#include <log_time.hpp>

#include "support/catch.hpp"

#include <string>

using weblog::log_time_fault;
using weblog::parse_log_time;

namespace {
weir::instant time_of(std::string_view text) {
  auto const time = parse_log_time(text);
  INFO(text);
  REQUIRE(time.has_value());
  return *time;
}
log_time_fault fault_of(std::string_view text) {
  auto const time = parse_log_time(text);
  INFO(text);
  REQUIRE_FALSE(time.has_value());
  return time.error();
}
}  // namespace

// Values by `date -u -d ... +%s` of GNU coreutils.
TEST_CASE("a log's time is read with its offset from UTC") {
  CHECK(time_of("17/May/2015:10:05:03 +0000") == 1431857103'000000000);
  CHECK(time_of("10/Oct/2000:13:55:36 -0700") == 971211336'000000000);
  CHECK(time_of("29/Feb/2024:00:00:00 +0530") == 1709145000'000000000);
  CHECK(time_of("01/Jan/1970:00:00:00 +0000") == 0);
  CHECK(time_of("31/Dec/1969:23:59:59 +0000") == -1'000000000);
  CHECK(time_of("01/Jan/1970:00:00:00 -0001") == 60'000000000);
  CHECK(time_of("31/Dec/2016:23:59:59 +1400") == 1483178399'000000000);
}

TEST_CASE("every month has its name and its days") {
  std::string const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  int const days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  weir::instant previous = time_of("31/Dec/2022:12:00:00 +0000");
  for (int m = 0; m != 12; ++m) {
    for (int day = 1; day <= days[m]; ++day) {
      auto const text = std::string(day < 10 ? "0" : "") + std::to_string(day) + "/" + months[m] + "/2023:12:00:00 +0000";
      INFO(text);
      auto const time = time_of(text);
      CHECK(time - previous == 86'400'000'000'000);
      previous = time;
    }
    CHECK(fault_of(std::to_string(days[m] + 1) + "/" + months[m] + "/2023:12:00:00 +0000") == log_time_fault::date);
  }
}

TEST_CASE("a text that is no time of a log is refused, and says what is wrong with it") {
  for (auto const* text :
       {"", "17/May/2015:10:05:03", "17/May/2015:10:05:03 +000", "17/May/2015:10:05:03 +00000", " 17/May/2015:10:05:03 +000",
        "17-May-2015:10:05:03 +0000", "7/May/2015:10:05:03 +00000", "17/May/2015 10:05:03 +0000", "17/May/2015:10:05:03 Z0000",
        "17/May/2015:10:05:-3 +0000", "17/M4y/2015:10:05:03 +0000", "2015-05-17T10:05:03+00:000"}) {
    INFO(text);
    CHECK(fault_of(text) == log_time_fault::form);
  }
  for (auto const* month : {"may", "MAY", "Mai", "anF", "bMa", "Xyz"})
    CHECK(fault_of(std::string("17/") + month + "/2015:10:05:03 +0000") == log_time_fault::month);
  for (auto const* day : {"00", "32", "99"}) CHECK(fault_of(std::string(day) + "/May/2015:10:05:03 +0000") == log_time_fault::date);
  CHECK(fault_of("29/Feb/2023:00:00:00 +0000") == log_time_fault::date);
  CHECK(fault_of("29/Feb/1900:00:00:00 +0000") == log_time_fault::date);
  for (auto const* clock : {"24:00:00", "23:60:00", "23:59:60", "99:99:99"})
    CHECK(fault_of(std::string("31/Dec/2016:") + clock + " +0000") == log_time_fault::clock);
  for (auto const* offset : {"+2400", "-2400", "+0060", "+9999"})
    CHECK(fault_of(std::string("17/May/2015:10:05:03 ") + offset) == log_time_fault::offset);
  for (auto const* year : {"0000", "1679", "2261", "9999"})
    CHECK(fault_of(std::string("17/May/") + year + ":10:05:03 +0000") == log_time_fault::range);
}
