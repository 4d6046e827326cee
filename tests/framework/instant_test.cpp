#include <weir/instant.hpp>

#include "support/catch.hpp"

using namespace weir;
using namespace std::chrono;

TEST_CASE("an instant is nanoseconds since 1970, whatever the clock's resolution", "[framework][instant]") {
  CHECK(to_instant(sys_days(year(1970) / 1 / 2)) == 86'400'000'000'000);
  CHECK(to_instant(sys_days(year(2024) / 1 / 1)) == 1'704'067'200'000'000'000);  // date -u -d 2024-01-01 +%s
  CHECK(to_instant(sys_time<milliseconds>(milliseconds(-1))) == -1'000'000);
  CHECK(to_instant(sys_time<nanoseconds>(nanoseconds(7))) == 7);
  CHECK(to_instant(sys_time<duration<double>>(duration<double>(1.5))) == 1'500'000'000);
}

TEST_CASE("what is finer than a nanosecond is cut off downwards", "[framework][instant]") {
  using picoseconds = duration<std::int64_t, std::pico>;
  CHECK(to_instant(sys_time<picoseconds>(picoseconds(1'999))) == 1);
  CHECK(to_instant(sys_time<picoseconds>(picoseconds(-1))) == -1);
}

TEST_CASE("a time that does not fit is the start or the end of time", "[framework][instant]") {
  CHECK(to_instant(sys_days(year(3000) / 1 / 1)) == end_of_time);
  CHECK(to_instant(sys_days(year(1000) / 1 / 1)) == start_of_time);
  CHECK(to_instant(sys_time<duration<double>>(duration<double>(1e300))) == end_of_time);
  CHECK(to_instant(sys_time<duration<double>>(duration<double>(-1e300))) == start_of_time);
}

TEST_CASE("an instant comes back from the system clock's type unchanged", "[framework][instant]") {
  for (instant const t : {start_of_time, instant(-1), instant(0), instant(1), instant(1'723'161'255'342'000'000), end_of_time})
    CHECK(to_instant(to_sys_time(t)) == t);
}

TEST_CASE("floor_to goes down to a multiple of the step, before 1970 too", "[framework][instant]") {
  CHECK(floor_to(119'999'999'999, 60s) == 60'000'000'000);
  CHECK(floor_to(120'000'000'000, 60s) == 120'000'000'000);
  CHECK(floor_to(0, 60s) == 0);
  CHECK(floor_to(-1, 60s) == -60'000'000'000);
  CHECK(floor_to(-60'000'000'000, 60s) == -60'000'000'000);
  CHECK(floor_to(-60'000'000'001, 60s) == -120'000'000'000);
  CHECK(floor_to(5, 1ns) == 5);
}

TEST_CASE("floor_to stays at the start of time", "[framework][instant]") {
  CHECK(floor_to(start_of_time, 60s) == start_of_time);
  CHECK(floor_to(start_of_time + 1, hours(24)) == start_of_time);
  CHECK(floor_to(end_of_time, 1s) == 9'223'372'036'000'000'000);
}
