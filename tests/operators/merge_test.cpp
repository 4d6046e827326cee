#include <weir/operators/merge.hpp>

#include <weir/operators/map.hpp>

#include "operators/beside_support.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

namespace {

std::vector<int> sorted(std::vector<int> v) {
  std::sort(v.begin(), v.end());
  return v;
}
// Elements of the inputs keep their order: 0.., 100.., 200..
bool each_in_order(std::vector<int> const& all) {
  for (int input = 0; input != 10; ++input) {
    std::vector<int> one;
    std::copy_if(all.begin(), all.end(), std::back_inserter(one), [&](int x) { return x / 100 == input; });
    if (!std::is_sorted(one.begin(), one.end())) return false;
  }
  return true;
}

}  // namespace

// ms   10  20  30  40  50  60
// a    0       1       2              every 20 ms, from 10
// b        100             101        at 20 and 55
TEST_CASE("elements leave in the order in which they arrive", "[operators][merge]") {
  auto const at = [](std::vector<std::pair<int, int>> what) -> stream<int> {
    int now = 0;
    for (auto const& [x, ms] : what) {
      co_await sleep_for(std::chrono::milliseconds(ms - now));
      now = ms;
      co_yield int(x);
    }
  };
  stream<int> s = merge(at({{0, 10}, {1, 30}, {2, 50}}), at({{100, 20}, {101, 55}}));
  CHECK(all_of(std::move(s)) == std::vector<int>{0, 100, 1, 2, 101});
}

TEST_CASE("inputs that always have something take turns", "[operators][merge]") {
  stream<int> s = merge(feed<int>(numbers(0, 3)).open(), feed<int>(numbers(100, 105)).open(), feed<int>(numbers(200, 202)).open());
  CHECK(all_of(std::move(s)) == std::vector<int>{0, 100, 200, 1, 101, 201, 2, 102, 103, 104});
}

TEST_CASE("nothing is lost for any chunking, one input, none, and empty ones", "[operators][merge]") {
  for (std::size_t const chunk : chunkings) {
    feed<int> a(numbers(0, 50)), b(numbers(50, 60)), c({});
    a.chunks(chunk);
    b.chunks(chunk);
    CHECK(sorted(all_of(merge(a.open(), b.open(), c.open()))) == numbers(0, 60));
  }
  CHECK(all_of(merge(feed<int>(numbers(0, 5)).open())) == numbers(0, 5));
  CHECK(all_of(merge(std::vector<stream<int>>())).empty());
  std::vector<stream<int>> many;
  for (int i = 0; i != 50; ++i) many.push_back(feed<int>(numbers(10 * i, 10 * i + 10)).open());
  CHECK(sorted(all_of(merge(std::move(many)))) == numbers(0, 500));
}

TEST_CASE("chains can be merged, and a merge can be the source of one", "[operators][merge]") {
  auto const negate = [](int x) { return -x; };
  auto a = feed<int>(numbers(1, 3)).open() | map(negate);
  auto all = merge(std::move(a), feed<int>(numbers(10, 12)).open()) | map(negate);
  CHECK(all_of<int>(std::move(all)) == std::vector<int>{1, -10, 2, -11});
}

TEST_CASE("each input's barriers pass in their place; idle and stop do not, a stop comes last", "[operators][merge]") {
  feed<int> a(numbers(0, 4)), b(numbers(100, 103));
  a.chunks(2).barrier_at(2).barrier_at(4).stops();
  b.mark_at(0, mark::idle()).barrier_at(1);  // a is not idle; the mark is no turn of b's
  CHECK(testing::run(show(merge(a.open(), b.open()))) == "0 1 | 100 2 3 | | 101 102 stop");
}

TEST_CASE("a merge is idle when all its inputs are, for the shortest of their quiet times; what ended does not count",
          "[operators][merge]") {
  auto const quiet = [](int first, std::chrono::nanoseconds time) -> stream<int> {
    co_yield int(first);
    co_yield mark::idle(time);
    co_await sleep_for(1h);
    co_yield int(first + 1);
  };
  auto const body = [&]() -> task<std::vector<std::int64_t>> {
    stream<int> s = merge(quiet(0, 3s), feed<int>({200}).open(), quiet(100, 2s));
    std::vector<std::int64_t> told;
    while (chunk<int> c = co_await next_chunk(s))
      for (mark const& m : c.marks) told.push_back(m.time);
    co_return told;
  };
  CHECK(testing::run(body()) == std::vector<std::int64_t>{2'000'000'000});
}

TEST_CASE("a checkpoint of an input is complete when what was before it has been asked past", "[operators][merge]") {
  feed<int> a(numbers(0, 4)), b(numbers(100, 103));
  a.chunks(2).barrier_at(2);
  auto const body = [&]() -> task<> {
    stream<int> s = merge(a.open(), b.open());
    (void)co_await s.next();
    (void)co_await s.next();
    CHECK_FALSE(a.barrier().completed());
    (void)co_await s.next();
    CHECK(a.barrier().completed());
  };
  testing::run(body());
}

TEST_CASE("when one input fails, what arrived before is delivered, the others are cancelled and joined", "[operators][merge]") {
  work_log log;
  auto const body = [&]() -> task<> {
    feed<int> a(numbers(0, 3)), b(numbers(100, 102));
    b.fails("b broke");
    stream<int> s = merge(a.open(), b.open(), slow_numbers(200, 201, 1h, &log));
    auto draining = drain(std::move(s));
    seen<int> const got = co_await std::move(draining);
    CHECK(got.values == std::vector<int>{0, 100, 1, 101, 2});
    CHECK(got.failure == "b broke");
    CHECK(log.running == 0);
  };
  testing::run(body());
}

TEST_CASE("cancelled while all inputs wait", "[operators][merge]") {
  work_log log;
  auto const body = [&]() -> task<> {
    stream<int> s = merge(slow_numbers(0, 9, 1h, &log), slow_numbers(100, 109, 2h, &log));
    auto draining = drain_for(std::move(s), 90min);
    seen<int> const got = co_await std::move(draining);
    CHECK(got.values == std::vector<int>{0});
    CHECK(got.code == condition::cancelled);
    CHECK(log.running == 0);
  };
  testing::run(body());
}

TEST_CASE("dropped half-way: inputs that wait, and those with a chunk, end with the run; nothing leaks", "[operators][merge]") {
  auto const source = [](work_log& l, std::chrono::nanoseconds gap) -> stream<tracked> {
    in_work const here(l);
    for (int i = 0; i != 6; ++i) {
      if (gap.count() != 0) co_await sleep_for(gap);
      co_yield tracked(i);
    }
  };
  for (std::size_t n = 0; n != 8; ++n) {
    work_log log;
    auto const body = [&]() -> task<> {
      stream<tracked> s = merge(source(log, 0ns), source(log, 0ns), source(log, 1h), source(log, 1ns));
      auto taking = take_and_drop(std::move(s), n);
      (void)co_await std::move(taking);
    };
    testing::run(body());
    CHECK(log.running == 0);
    CHECK(tracked::alive == 0);
  }
}

TEST_CASE("back-pressure: an input is no more than a chunk ahead", "[operators][merge]") {
  feed<int> a(numbers(0, 100)), b(numbers(100, 200));
  a.waits();
  b.chunks(10).waits();
  auto const body = [&]() -> task<> {
    stream<int> s = merge(a.open(), b.open());
    (void)co_await s.next();
    co_await sleep_for(1h);
    CHECK(a.handed_out() == 1);
    CHECK(b.handed_out() == 10);
  };
  testing::run(body());
}

TEST_CASE("merge may be pulled under another context each time", "[operators][merge]") {
  stream<int> s = merge(slow_numbers(0, 5, 1ms), slow_numbers(0, 0, 1ms));
  CHECK(testing::run(pull_each_under_its_own(std::move(s), 5)) == numbers(0, 5));
}

TEST_CASE("merge: every order of events gives a legal result, also when dropped, cancelled or failing", "[operators][merge]") {
  auto const hopping = [](int first, std::uint64_t seed) -> stream<int> {
    for (int i = first; i != first + 20; ++i) {
      if (static_cast<std::uint64_t>(i) % (1 + seed % 4) == 0) co_await reschedule();
      co_yield int(i);
    }
    if (seed % 5 == 0) throw std::runtime_error("broke");
    if (seed % 3 == 0) co_await sleep_for(1us);
  };
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    stream<int> s = merge(hopping(0, seed), hopping(100, seed + 1), hopping(200, seed + 2));
    auto const got = testing::run(drain(std::move(s)), seed);
    CHECK(each_in_order(got.values));
    if ((seed + 2) % 5 > 2) {
      CHECK(got.values.size() == 60);
      CHECK(got.failure.empty());
    } else {
      CHECK(got.failure == "broke");
    }
    auto const cut_off = [&]() -> task<> {
      stream<int> t = merge(hopping(0, seed), slow_numbers(100, 110, 1us), hopping(200, seed + 2));
      try {
        if (seed % 2 == 0) {
          auto draining = drain_for(std::move(t), std::chrono::microseconds(seed % 10));
          (void)co_await std::move(draining);
        } else {
          auto taking = take_and_drop(std::move(t), seed % 30);
          (void)co_await std::move(taking);
        }
      } catch (std::runtime_error const&) {}
    };
    testing::run(cut_off(), seed);
  }
}

TEST_CASE("merge: the event loop may be destroyed under it", "[operators][merge]") {
  destroy_loop_under(merge(slow_numbers(0, 5, 1h), slow_numbers(0, 5, 2h)));
}

TEST_CASE("merge: millions of elements in a row do not grow the stack", "[operators][merge]") {
  auto const source = []() -> stream<long> {
    for (long i = 0; i != 2'000'000; ++i) co_yield long(i);
  };
  auto const body = [&]() -> task<long> {
    stream<long> s = merge(source(), source());
    long sum = 0;
    while (long* x = co_await s.next()) sum += *x;
    co_return sum;
  };
  CHECK(testing::run(body()) == 2 * 1'999'999'000'000);
}
