#include <weir/file/replay_schedule.hpp>

#include "support/catch.hpp"

using weir::end_of_time;
using weir::start_of_time;
using weir::file::replay_schedule;

TEST_CASE("the first record is due at once and the others at their distance from it") {
  replay_schedule s(1);
  CHECK(s.due(5'000, 100) == 100);
  CHECK(s.due(5'001, 100) == 101);
  CHECK(s.due(9'000, 2'000) == 4'100);
  CHECK(s.due(4'000, 2'000) == -900);
}

TEST_CASE("the speed divides distances") {
  replay_schedule fast(60);
  CHECK(fast.due(0, 0) == 0);
  CHECK(fast.due(3'600'000'000'000, 0) == 60'000'000'000);
  replay_schedule slow(0.5);
  CHECK(slow.due(10, 0) == 0);
  CHECK(slow.due(20, 0) == 20);
}

TEST_CASE("nanoseconds are exact over years") {
  replay_schedule s(1);
  CHECK(s.due(1, 0) == 0);
  CHECK(s.due(1'723'161'255'342'000'001, 0) == 1'723'161'255'342'000'000);
}

TEST_CASE("times that cannot be are due never or at once, without an overflow") {
  replay_schedule s(0.001);
  CHECK(s.due(0, 1'000) == 1'000);
  CHECK(s.due(end_of_time, 1'000) == end_of_time);
  CHECK(s.due(start_of_time, 1'000) == start_of_time);
  replay_schedule t(1);
  CHECK(t.due(start_of_time, 0) == 0);
  CHECK(t.due(end_of_time, 0) == end_of_time);
}
