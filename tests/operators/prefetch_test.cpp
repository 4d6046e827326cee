#include <weir/operators/prefetch.hpp>

#include "operators/beside_support.hpp"
#include "support/fails_with.hpp"

#include <string>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

TEST_CASE("prefetch hands everything on in order, for every chunking and depth", "[operators][prefetch]") {
  for (std::size_t const chunk : chunkings) {
    for (std::size_t const n : {1u, 2u, 10u, 1000u}) {
      feed<int> source(numbers(0, 500));
      source.chunks(chunk);
      CHECK(all_of<int>(source.open() | prefetch(n)) == numbers(0, 500));
    }
  }
  CHECK(all_of<int>(feed<int>({}).open() | prefetch(3)).empty());
}

// source: one each 10 ms; consumer: 10 ms each. Without prefetch 20 ms a round.
TEST_CASE("source and consumer take their time beside each other", "[operators][prefetch]") {
  auto const body = [](bool ahead) -> task<instant> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    stream<int> s = slow_numbers(0, 10, 10ms);
    if (ahead) s = std::move(s) | prefetch(1);
    auto draining = drain_slowly(std::move(s), 10ms);
    (void)co_await std::move(draining);
    co_return (own.clock().now() - start) / 1'000'000;
  };
  CHECK(testing::run(body(false)) == 200);
  CHECK(testing::run(body(true)) == 110);
}

TEST_CASE("an element that is there leaves at once", "[operators][prefetch]") {
  auto const body = []() -> task<> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    stream<int> s = slow_numbers(0, 3, 1h) | prefetch(100);
    (void)co_await s.next();
    CHECK(own.clock().now() - start == 3'600'000'000'000);
  };
  testing::run(body());
}

TEST_CASE("back-pressure: no more than n elements are read ahead", "[operators][prefetch]") {
  for (std::size_t const n : {1u, 5u, 64u}) {
    for (std::size_t const chunk : {0u, 1u}) {
      feed<int> source(numbers(0, 1000));
      source.chunks(chunk).waits();
      auto const body = [&]() -> task<> {
        stream<int> s = source.open() | prefetch(n);
        (void)co_await s.next();
        co_await sleep_for(1h);
        CHECK(source.handed_out() == 1 + n + 1);  // with the consumer, waiting, and the one there is no room for
      };
      testing::run(body());
    }
  }
}

TEST_CASE("marks keep their place, and time and key their shape", "[operators][prefetch]") {
  for (std::size_t const chunk : chunkings) {
    for (std::size_t const n : {1u, 2u, 100u}) {
      feed<int> source(numbers(0, 6));
      source.chunks(chunk).mark_at(0, mark::idle()).barrier_at(2).barrier_at(2).mark_at(3, mark::watermark(7)).barrier_at(6).stops();
      timed_stream<int> s = source.open_timed() | prefetch(n);
      CHECK(testing::run(show<int>(std::move(s))) == "idle 0@0 1@10 | | 2@20 w7 3@30 4@40 5@50 | stop");
    }
  }
}

TEST_CASE("a checkpoint is complete when the consumer is past it, not when it was read", "[operators][prefetch]") {
  feed<int> source(numbers(0, 4));
  source.chunks(2).barrier_at(2);
  auto const body = [&]() -> task<> {
    stream<int> s = source.open() | prefetch(10);
    (void)co_await s.next();
    CHECK(source.handed_out() == 4);
    (void)co_await s.next();
    CHECK_FALSE(source.barrier().completed());
    (void)co_await s.next();
    CHECK(source.barrier().completed());
  };
  testing::run(body());
}

TEST_CASE("an upstream failure follows what was read before it", "[operators][prefetch]") {
  feed<int> source(numbers(0, 5));
  source.fails("source broke");
  auto const got = testing::run(drain<int>(source.open() | prefetch(2)));
  CHECK(got.values == numbers(0, 5));
  CHECK(got.failure == "source broke");
}

TEST_CASE("cancelled while it waits: the pull under way is cancelled and joined", "[operators][prefetch]") {
  work_log log;
  auto const body = [&]() -> task<> {
    stream<int> s = slow_numbers(0, 5, 1h, &log) | prefetch(3);
    auto draining = drain_for(std::move(s), 90min);
    seen<int> const got = co_await std::move(draining);
    CHECK(got.values == std::vector<int>{0});
    CHECK(got.code == condition::cancelled);
    CHECK(log.running == 0);
  };
  testing::run(body());
}

TEST_CASE("dropped half-way while it waits for the source, or for room: joined by the run, nothing leaks", "[operators][prefetch]") {
  auto const source = [](work_log& l) -> stream<tracked> {
    in_work const here(l);
    for (int i = 0; i != 6; ++i) co_yield tracked(i);
    co_await sleep_for(1h);
  };
  for (std::size_t const n : {2u, 100u}) {
    work_log log;
    auto const body = [&]() -> task<> {
      stream<tracked> s = source(log) | prefetch(n);
      auto taking = take_and_drop(std::move(s), 1);
      auto const got = co_await std::move(taking);
      CHECK(got.size() == 1);
    };
    testing::run(body());
    CHECK(log.running == 0);
    CHECK(tracked::alive == 0);
  }
}

TEST_CASE("never pulled, it never starts", "[operators][prefetch]") {
  feed<int> source(numbers(0, 5));
  auto const body = [&]() -> task<> {
    stream<int> s = source.open() | prefetch(2);
    co_await reschedule();
  };
  testing::run(body());
  CHECK(source.handed_out() == 0);
}

TEST_CASE("prefetch may be pulled under another context each time", "[operators][prefetch]") {
  stream<int> s = slow_numbers(0, 5, 1ms) | prefetch(2);
  CHECK(testing::run(pull_each_under_its_own(std::move(s), 5)) == numbers(0, 5));
}

TEST_CASE("prefetch: every order of events gives a legal result, also when dropped or cancelled", "[operators][prefetch]") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    feed<int> source(numbers(0, 50));
    source.chunks(seed % 5).waits().barrier_at(20);
    auto const body = [&]() -> task<> {
      stream<int> s = source.open() | prefetch(1 + seed % 7) | prefetch(2);
      std::vector<int> got;
      while (got.size() != seed) {
        int* const x = co_await s.next();
        if (!x) break;
        got.push_back(*x);
        if (*x % 3 == 0) co_await reschedule();
      }
      CHECK(got == numbers(0, std::min(50, static_cast<int>(seed))));
      CHECK(source.barrier().completed() == (seed > 20));
    };
    testing::run(body(), seed);
    auto const cut_off = [seed]() -> task<> {
      stream<int> s = slow_numbers(0, 50, 3us) | prefetch(4);
      auto draining = drain_for(std::move(s), std::chrono::microseconds(seed));
      seen<int> const got = co_await std::move(draining);
      CHECK(got.values == numbers(0, static_cast<int>(got.values.size())));
      CHECK(got.code == condition::cancelled);
    };
    testing::run(cut_off(), seed);
  }
}

TEST_CASE("prefetch: the event loop may be destroyed under it", "[operators][prefetch]") {
  destroy_loop_under<int>(slow_numbers(0, 5, 1h) | prefetch(3));
}

TEST_CASE("prefetch: the event loop may be destroyed under one that began before what reads from it", "[operators][prefetch]") {
  auto const source = []() -> stream<int> {
    co_yield 1;
    co_yield 2;
    co_await sleep_for(1h);
  };
  auto const body = [&]() -> task<> {
    stream<int> s = source() | prefetch(1);
    (void)co_await s.next();
    stream<int> later = std::move(s) | prefetch(3);
    while (co_await later.next()) {}
  };
  auto loop = std::make_unique<boost::asio::io_context>(1);
  spawn(*loop, body(), [](std::exception_ptr) {});
  loop->poll();
  loop.reset();
}

TEST_CASE("prefetch: ten million elements in a row do not grow the stack", "[operators][prefetch]") {
  auto const source = []() -> stream<long> {
    for (long i = 0; i != 10'000'000; ++i) co_yield long(i);
  };
  auto const body = [&](std::size_t n) -> task<long> {
    stream<long> s = source() | prefetch(n);
    long sum = 0;
    while (long* x = co_await s.next()) sum += *x;
    co_return sum;
  };
  CHECK(testing::run(body(1)) == 49'999'995'000'000);
  CHECK(testing::run(body(1000)) == 49'999'995'000'000);
}

TEST_CASE("prefetch refuses a depth of nothing", "[operators][prefetch]") {
  fails_with(errc::invalid_option, [] { (void)prefetch(0); }, "prefetch: cannot be built");
}
