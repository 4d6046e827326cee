#include <weir/operators/throttle.hpp>

#include "operators/beside_support.hpp"
#include "support/fails_with.hpp"

#include <limits>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

namespace {

// Milliseconds from the start at which elements come.
task<std::vector<instant>> arrivals(stream<int> from) {
  context const& own = co_await current_context();
  instant const start = own.clock().now();
  std::vector<instant> at;
  while (co_await from.next()) at.push_back((own.clock().now() - start) / 1'000'000);
  co_return at;
}

}  // namespace

TEST_CASE("a bucket starts full, never holds more than the burst, and rounding does not add up", "[operators][throttle]") {
  detail::token_bucket thirds(3, 1s, 2);
  CHECK(thirds.take(5, 0) == 2);
  CHECK(thirds.take(1, 333'333'333) == 0);
  CHECK(thirds.until_next(333'333'333) == 1ns);
  CHECK(thirds.take(1, 333'333'334) == 1);
  CHECK(thirds.take(9, 999'999'999) == 1);
  CHECK(thirds.take(9, 1'000'000'000) == 1);  // 2 + 3 in the first second
  CHECK(thirds.take(9, 3'600'000'000'000) == 2);
  CHECK(thirds.take(9, 0) == 0);  // the clock was set back
  CHECK(thirds.until_next(0) == 333'333'334ns);
  CHECK(thirds.take(9, std::numeric_limits<instant>::max()) == 2);
}

TEST_CASE("throttle lets a burst pass at once and then the rate, for every chunking", "[operators][throttle]") {
  for (std::size_t const chunk : chunkings) {
    feed<int> source(numbers(0, 8));
    source.chunks(chunk);
    CHECK(testing::run(arrivals(source.open() | throttle(10, 1s, 3))) == std::vector<instant>{0, 0, 0, 100, 200, 300, 400, 500});
    feed<int> again(numbers(0, 8));
    again.chunks(chunk);
    CHECK(all_of<int>(again.open() | throttle(10, 1s, 1)) == numbers(0, 8));
  }
  CHECK(all_of<int>(feed<int>({}).open() | throttle(1, 1s)).empty());
}

TEST_CASE("by default the burst is the rate; a quiet time fills the bucket, and not more", "[operators][throttle]") {
  CHECK(testing::run(arrivals(feed<int>(numbers(0, 5)).open() | throttle(2, 1s))) == std::vector<instant>{0, 0, 500, 1000, 1500});
  auto const quiet = []() -> stream<int> {
    for (int i = 0; i != 2; ++i) co_yield int(i);
    co_await sleep_for(1h);
    for (int i = 2; i != 5; ++i) co_yield int(i);
  };
  CHECK(testing::run(arrivals(quiet() | throttle(2, 1s))) == std::vector<instant>{0, 0, 3'600'000, 3'600'000, 3'600'500});
}

TEST_CASE("back-pressure: throttle pulls nothing while it waits for a token", "[operators][throttle]") {
  feed<int> source(numbers(0, 10));
  auto const body = [&]() -> task<> {
    stream<int> s = source.open() | throttle(1, 1h, 1);
    (void)co_await s.next();
    co_await sleep_for(5h);
    CHECK(source.handed_out() == 1);
  };
  testing::run(body());
}

TEST_CASE("marks keep their place and do not wait for the element behind them", "[operators][throttle]") {
  for (std::size_t const chunk : chunkings) {
    feed<int> source(numbers(0, 5));
    source.chunks(chunk).mark_at(0, mark::idle()).mark_at(1, mark::watermark(3)).barrier_at(3).mark_at(5, mark::watermark(9)).stops();
    timed_stream<int> s = source.open_timed() | throttle(1, 1s, 1);
    CHECK(testing::run(show<int>(std::move(s))) == "idle 0@0 w3 1@10 2@20 | 3@30 4@40 w9 stop");
  }
  auto const body = []() -> task<> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    feed<int> source(numbers(0, 2));
    source.chunks(2).mark_at(1, mark::idle());
    stream<int> s = source.open() | throttle(1, 1h, 1);
    chunk<int> const first = co_await next_chunk(s);
    CHECK(first.elements.size() == 1);
    CHECK(first.marks.size() == 1);
    CHECK(own.clock().now() == start);
  };
  testing::run(body());
}

TEST_CASE("a barrier is complete when what was before it has been asked past", "[operators][throttle]") {
  feed<int> source(numbers(0, 4));
  source.chunks(4).barrier_at(2);
  auto const body = [&]() -> task<> {
    stream<int> s = source.open() | throttle(1, 1s, 1);
    (void)co_await s.next();
    (void)co_await s.next();
    CHECK_FALSE(source.barrier().completed());
    (void)co_await s.next();
    CHECK(source.barrier().completed());
  };
  testing::run(body());
}

TEST_CASE("an upstream failure is passed on behind what came before it", "[operators][throttle]") {
  feed<int> source(numbers(0, 3));
  source.fails("source broke");
  auto const got = testing::run(drain<int>(source.open() | throttle(1, 1s, 1)));
  CHECK(got.values == numbers(0, 3));
  CHECK(got.failure == "source broke");
}

TEST_CASE("cancelled while an element waits for its token; dropped while it waits: nothing leaks", "[operators][throttle]") {
  auto const got = testing::run(drain_for<int>(feed<int>(numbers(0, 3)).open() | throttle(1, 1h, 1), 1min));
  CHECK(got.values == std::vector<int>{0});
  CHECK(got.code == condition::cancelled);
  auto const source = []() -> stream<tracked> {
    for (int i = 0; i != 6; ++i) co_yield tracked(i);
  };
  CHECK(testing::run(take_and_drop<tracked>(source() | throttle(1, 1ms, 1), 2)).size() == 2);
  CHECK(tracked::alive == 0);
  destroy_loop_under<int>(feed<int>(numbers(0, 3)).open() | throttle(1, 1h, 1));
}

TEST_CASE("throttle: every order of events gives the same", "[operators][throttle]") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    feed<int> source(numbers(0, 20));
    source.chunks(seed % 5).waits();
    CHECK(testing::run(drain<int>(source.open() | throttle(1 + seed % 4, 1us, 1 + seed % 3)), seed).values == numbers(0, 20));
  }
}

TEST_CASE("throttle may be pulled under another context each time", "[operators][throttle]") {
  stream<int> s = feed<int>(numbers(0, 5)).open() | throttle(1, 1s, 1);
  CHECK(testing::run(pull_each_under_its_own(std::move(s), 5)) == numbers(0, 5));
}

TEST_CASE("throttle refuses rates that let nothing pass", "[operators][throttle]") {
  fails_with(errc::invalid_option, [] { (void)throttle(0, 1s); }, "throttle: cannot be built", "rate of 0");
  fails_with(errc::invalid_option, [] { (void)throttle(1, 0s); }, "time");
  fails_with(errc::invalid_option, [] { (void)throttle(1, 1s, 0); }, "burst of 0");
  fails_with(errc::invalid_option, [] { (void)throttle(1, 1h, std::numeric_limits<std::uint64_t>::max()); }, "too large");
}
