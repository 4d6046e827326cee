#include <weir/kinesis/read_limits.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <memory>
#include <string>

using namespace weir;
using kinesis::read_limits;
using kinesis::read_rate;
using kinesis::shard_allowance;

namespace {

constexpr instant second = 1'000'000'000, begin = 1'700'000'000 * second;
constexpr std::size_t mebibyte = 1024 * 1024;

}  // namespace

TEST_CASE("a shard is read five times a second", "[kinesis][limits]") {
  shard_allowance a{read_rate()};
  CHECK(a.take_turn(begin) == begin);
  CHECK(a.take_turn(begin) == begin + second / 5);
  CHECK(a.take_turn(begin + second / 10) == begin + 2 * second / 5);
  CHECK(a.take_turn(begin + 10 * second) == begin + 10 * second);  // what was not used is gone
}

TEST_CASE("a reply of ten mebibytes takes five seconds, a small one nothing", "[kinesis][limits]") {
  shard_allowance a{read_rate()};
  a.take_turn(begin);
  a.spend(1000, begin);
  CHECK(a.take_turn(begin + second / 5) == begin + second / 5);
  a.spend(10 * mebibyte, begin + second / 5);
  CHECK(a.take_turn(begin + second) == begin + second / 5 + 5 * second);
}

TEST_CASE("all who read a shard take turns, and others are not in their way", "[kinesis][limits]") {
  read_limits all;
  auto const one = all.of("ticks", "a"), same = all.of("ticks", "a"), other = all.of("ticks", "b"), elsewhere = all.of("trades", "a");
  CHECK(one == same);
  CHECK(one->take_turn(begin) == begin);
  CHECK(same->take_turn(begin) == begin + second / 5);
  CHECK(other->take_turn(begin) == begin);
  CHECK(elsewhere->take_turn(begin) == begin);
}

TEST_CASE("a process has one set of limits while somebody has it", "[kinesis][limits]") {
  auto const one = read_limits::of_this_process();
  CHECK(read_limits::of_this_process() == one);
  auto const a = one->of("ticks", "a");
  CHECK(read_limits::of_this_process()->of("ticks", "a") == a);
}

TEST_CASE("a slower rate is for shards that others read, too", "[kinesis][limits]") {
  read_limits all(read_rate(1, 1000));
  auto const a = all.of("ticks", "a");
  CHECK(a->take_turn(begin) == begin);
  CHECK(a->take_turn(begin) == begin + second);
  a->spend(3000, begin + second);
  CHECK(a->take_turn(begin + second) == begin + 4 * second);
}

TEST_CASE("limits of shards that nobody reads any more are forgotten", "[kinesis][limits]") {
  read_limits all;
  std::weak_ptr<shard_allowance> gone;
  for (int i = 0; i != 1000; ++i) gone = all.of("ticks", std::to_string(i));
  CHECK(gone.expired());
  CHECK(all.of("ticks", "0")->take_turn(begin) == begin);
}
