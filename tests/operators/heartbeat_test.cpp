#include <weir/operators/heartbeat.hpp>

#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/testing/script.hpp>

#include "operators/beside_support.hpp"
#include "support/fails_with.hpp"

#include <cstdint>
#include <list>
#include <string>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using testing::script;

namespace {

template <class T> stream<T> beating(stream<T> s, std::chrono::nanoseconds every = 10s) { return std::move(s) | heartbeat(every); }

// Elements, quiet times in seconds, barriers, each with the second at which it came: `1@0 q10@10 |@12`. Busy for so long after each.
task<std::string> told(stream<int> s, std::chrono::nanoseconds busy = 0s) {
  context const& own = co_await current_context();
  instant const start = own.clock().now();
  std::string out;
  while (chunk<int> c = co_await next_chunk(s)) {
    std::string const now = "@" + std::to_string((own.clock().now() - start) / 1'000'000'000) + " ";
    for (int const x : c.elements) out += std::to_string(x) + now;
    for (mark const& m : c.marks) out += (m.kind == mark_kind::idle ? "q" + std::to_string(m.time / 1'000'000'000) : "|") + now;
    if (busy.count() != 0) co_await sleep_for(busy);
  }
  co_return out;
}

}  // namespace

// s    0   10   20   30   33   43   45
// in   1                  2         3
// out  1   q10  q20  q30  2    q10  3
TEST_CASE("a source that gives nothing is said to be quiet, again and again, until it gives something", "[operators][heartbeat]") {
  auto const s = script<int>().element(1).wait(33s).element(2).wait(12s).element(3);
  CHECK(testing::run(told(beating(s.play()))) == "1@0 q10@10 q20@20 q30@30 2@33 q10@43 3@45 ");
}

TEST_CASE("elements pass in their chunks, marks in their place, and nothing is added while they come", "[operators][heartbeat]") {
  for (std::size_t const n : chunkings) {
    feed<int> in(numbers(0, 6));
    in.chunks(n).mark_at(0, mark::idle()).barrier_at(2).barrier_at(2).mark_at(3, mark::watermark(7)).barrier_at(6).stops();
    CHECK(testing::run(show(beating(in.open()))) == "idle 0 1 | | 2 w7 3 4 5 | stop");
  }
  CHECK(all_of(beating(feed<int>({}).open())).empty());
}

// s     0    15    25    40    50    55    65
// asked 1    2..                     2
// out   1          q10         q20         2       busy for 15 s with each; it listens from 15, from 40
TEST_CASE("time in which the consumer is busy does not count", "[operators][heartbeat]") {
  auto const s = script<int>().element(1).wait(40s).element(2);
  CHECK(testing::run(told(beating(s.play()), 15s)) == "1@0 q10@25 q20@50 2@65 ");
  CHECK(testing::run(told(beating(s.play(), 1h), 15s)) == "1@0 2@55 ");
}

// s    0    4    8    10   12   16   20   21
// in   1    |    |         |    |         2
// out  1    |    |    q10  |    |    q20  2
TEST_CASE("checkpoints do not make a source less quiet", "[operators][heartbeat]") {
  std::list<cut> cuts;
  for (std::size_t i = 0; i != 4; ++i) cuts.emplace_back(i);
  auto const source = [](std::list<cut>* all) -> stream<int> {
    co_yield 1;
    for (cut& c : *all) {
      co_await sleep_for(4s);
      co_yield mark::barrier(c);
    }
    co_await sleep_for(5s);
    co_yield 2;
  };
  CHECK(testing::run(told(beating(source(&cuts)))) == "1@0 |@4 |@8 q10@10 |@12 |@16 q20@20 2@21 ");
}

TEST_CASE("a source that says itself that it is quiet is believed", "[operators][heartbeat]") {
  auto const s = script<int>().element(1).quiet(24s, 8s).wait(11s).element(2);
  CHECK(testing::run(told(beating(s.play()))) == "1@0 q8@8 q16@16 q24@24 q34@34 2@35 ");
}

TEST_CASE("behind a heartbeat event time goes on without elements, and windows close", "[operators][heartbeat]") {
  auto const times = [](int x) -> instant { return 1'704'067'200'000'000'000 + x * 1'000'000'000LL; };  // the virtual clock's start
  auto const body = [&]() -> task<> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    auto counts = script<int>().elements({0, 1}).wait(1h).play() | heartbeat(1s) | event_time(times, bounded_disorder(5s)) |
                  tumbling_window(1min, late::drop()) | aggregate(count());
    auto const* const r = co_await counts.next();
    REQUIRE(r);
    CHECK(r->value == 2);
    CHECK(own.clock().now() - start == 65'000'000'000);  // 1 + 64 - 5 s and 1 ns reach the minute; 1 + 65 do
    CHECK(counts.explain().partitions.at(0).state == partition_state::idle);
  };
  testing::run(body());
}

TEST_CASE("heartbeat forwards a failure after what came before it", "[operators][heartbeat]") {
  feed<int> in(numbers(0, 3));
  auto const got = testing::run(drain(beating(in.fails("broke").open())));
  CHECK(got.values == numbers(0, 3));
  CHECK(got.failure == "broke");
}

TEST_CASE("heartbeat does not run ahead of its consumer by more than a chunk", "[operators][heartbeat]") {
  for (std::size_t const n : {1u, 4u}) {
    feed<int> in(numbers(0, 100));
    in.chunks(n).waits();
    auto const body = [&]() -> task<> {
      stream<int> s = beating(in.open());
      (void)co_await s.next();
      co_await sleep_for(1h);
      CHECK(in.handed_out() == n);
    };
    testing::run(body());
  }
}

TEST_CASE("a checkpoint behind a heartbeat is complete when what was before it has been asked past", "[operators][heartbeat]") {
  feed<int> in(numbers(0, 4));
  in.chunks(2).barrier_at(2);
  auto const body = [&]() -> task<> {
    stream<int> s = beating(in.open());
    (void)co_await s.next();
    (void)co_await s.next();
    CHECK_FALSE(in.barrier().completed());
    (void)co_await s.next();
    CHECK(in.barrier().completed());
  };
  testing::run(body());
}

TEST_CASE("heartbeat is cancelled between beats, and while a chunk waits", "[operators][heartbeat]") {
  work_log log;
  auto const body = [&](std::chrono::nanoseconds gap, std::chrono::nanoseconds after) -> task<std::size_t> {
    auto draining = drain_for(beating(slow_numbers(0, 9, gap, &log)), after);
    seen<int> const got = co_await std::move(draining);
    CHECK(got.code == condition::cancelled);
    CHECK(log.running == 0);
    co_return got.values.size();
  };
  CHECK(testing::run(body(1h, 25s)) == 0);
  CHECK(testing::run(body(3s, 10s)) == 3);
}

TEST_CASE("heartbeat may be dropped at any point; nothing leaks", "[operators][heartbeat]") {
  auto const source = [](work_log& l) -> stream<tracked> {
    in_work const here(l);
    for (int i = 0; i != 6; ++i) {
      if (i % 2 == 0) co_await sleep_for(25s);
      co_yield tracked(i);
    }
  };
  for (std::size_t n = 0; n != 8; ++n) {
    work_log log;
    auto const body = [&]() -> task<> {
      auto taking = take_and_drop(beating(source(log)), n);
      (void)co_await std::move(taking);
    };
    testing::run(body());
    CHECK(log.running == 0);
    CHECK(tracked::alive == 0);
  }
}

TEST_CASE("heartbeat may be pulled under another context each time", "[operators][heartbeat]") {
  CHECK(testing::run(pull_each_under_its_own(beating(slow_numbers(0, 5, 25s)), 5)) == numbers(0, 5));
}

TEST_CASE("heartbeat: every order of events gives the same elements", "[operators][heartbeat]") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    auto const got =
        testing::run(drain_slowly(beating(slow_numbers(0, 20, std::chrono::seconds(seed % 3)), 1s), std::chrono::seconds(seed % 2)), seed);
    CHECK(got == numbers(0, 20));
  }
}

TEST_CASE("heartbeat: the event loop may be destroyed under it", "[operators][heartbeat]") {
  destroy_loop_under(beating(slow_numbers(0, 5, 1h)));
}

TEST_CASE("a period of heartbeat must be above zero", "[operators][heartbeat]") {
  fails_with(errc::invalid_option, [] { (void)heartbeat(0s); }, "heartbeat: cannot be built", "its period is 0 ns");
  fails_with(errc::invalid_option, [] { (void)heartbeat(-1s); }, "heartbeat: cannot be built");
}
