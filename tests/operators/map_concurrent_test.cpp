#include <weir/operators/map_concurrent.hpp>

#include "operators/beside_support.hpp"
#include "support/fails_with.hpp"

#include <algorithm>
#include <memory>
#include <string>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

namespace {

task<int> times_ten(int x) { co_return 10 * x; }
// Takes as many ms as it says.
task<int> takes(int x) {
  co_await sleep_for(std::chrono::milliseconds(x));
  co_return x;
}
auto takes_noted(work_log& log) {
  return [&log](int x) -> task<int> {
    in_work const here(log);
    try {
      co_await sleep_for(std::chrono::milliseconds(x));
    } catch (error const&) {
      ++log.cancelled;
      throw;
    }
    ++log.done;
    co_return x;
  };
}
concurrency both(std::size_t n, ordering o) { return concurrency(n).order(o); }
std::vector<int> tens(int n) {
  std::vector<int> v;
  for (int i = 0; i != n; ++i) v.push_back(10 * i);
  return v;
}

}  // namespace

TEST_CASE("map_concurrent replaces each element by its task's result, in order, for every chunking and capacity",
          "[operators][map_concurrent]") {
  for (std::size_t const chunk : chunkings) {
    for (std::size_t const capacity : {1u, 2u, 7u, 1000u}) {
      feed<int> source(numbers(0, 100));
      source.chunks(chunk);
      CHECK(all_of<int>(source.open() | map_concurrent(capacity, times_ten)) == tens(100));
    }
  }
  CHECK(all_of<int>(feed<int>({}).open() | map_concurrent(3, times_ten)).empty());
}

TEST_CASE("map_concurrent works on up to its capacity at once, and no more", "[operators][map_concurrent]") {
  for (std::size_t const capacity : {1u, 3u, 8u}) {
    work_log log;
    auto const body = [&]() -> task<instant> {
      context const& own = co_await current_context();
      instant const start = own.clock().now();
      feed<int> source(std::vector<int>(24, 5));
      stream<int> s = source.open() | map_concurrent(capacity, takes_noted(log));
      while (co_await s.next()) {}
      co_return own.clock().now() - start;
    };
    CHECK(testing::run(body()) == 5'000'000 * 24 / static_cast<instant>(capacity));
    CHECK(log.most == capacity);
    CHECK(log.done == 24);
  }
}

TEST_CASE("ordered results leave in input order, unordered ones as they are done", "[operators][map_concurrent]") {
  std::vector<int> const times{30, 10, 20, 5};  // with three places 5 begins when 10 is done, and ends at 15
  CHECK(all_of<int>(feed<int>(times).open() | map_concurrent(4, takes)) == times);
  CHECK(all_of<int>(feed<int>(times).open() | map_concurrent(both(4, ordering::unordered), takes)) == std::vector<int>{5, 10, 20, 30});
  CHECK(all_of<int>(feed<int>(times).open() | map_concurrent(both(3, ordering::unordered), takes)) == std::vector<int>{10, 5, 20, 30});
}

TEST_CASE("a finished result does not wait for the next input", "[operators][map_concurrent]") {
  for (ordering const o : {ordering::ordered, ordering::unordered}) {
    auto const body = [o]() -> task<std::vector<instant>> {
      context const& own = co_await current_context();
      instant const start = own.clock().now();
      stream<int> s = slow_numbers(1, 4, 1h) | map_concurrent(both(4, o), takes);
      std::vector<instant> seen;
      while (co_await s.next()) seen.push_back((own.clock().now() - start) / 1'000'000);
      co_return seen;
    };
    CHECK(testing::run(body()) == std::vector<instant>{3'600'001, 7'200'002, 10'800'003});
  }
}

// elements  1   2 | 3   4       2 is slow; nothing passes the barrier before it, though 3 and 4 are done
TEST_CASE("a barrier leaves only after everything before it was delivered, and nothing overtakes it", "[operators][map_concurrent]") {
  for (ordering const o : {ordering::ordered, ordering::unordered}) {
    for (std::size_t const chunk : chunkings) {
      feed<int> source({10, 50, 1, 2});
      source.chunks(chunk).barrier_at(2).barrier_at(4);
      stream<int> s = source.open() | map_concurrent(both(8, o), takes);
      CHECK(testing::run(show(std::move(s))) == "10 50 | 1 2 |");
    }
    feed<int> source({50, 10, 2, 1});
    source.mark_at(0, mark::idle()).barrier_at(2).barrier_at(2).mark_at(3, mark::idle());
    stream<int> s = source.open() | map_concurrent(both(8, o), takes);
    CHECK(testing::run(show(std::move(s))) == (o == ordering::ordered ? "idle 50 10 | | 2 idle 1" : "idle 10 50 | | 2 idle 1"));
  }
}

TEST_CASE("a checkpoint behind map_concurrent is complete when the results before it have been asked past", "[operators][map_concurrent]") {
  auto const body = []() -> task<> {
    feed<int> source({5, 1, 1, 1});
    source.chunks(4).barrier_at(2);
    stream<int> s = source.open() | map_concurrent(4, takes);
    (void)co_await s.next();
    CHECK_FALSE(source.barrier().completed());
    (void)co_await s.next();
    CHECK_FALSE(source.barrier().completed());
    (void)co_await s.next();
    CHECK(source.barrier().completed());
  };
  testing::run(body());
}

TEST_CASE("event times are kept", "[operators][map_concurrent]") {
  feed<int> source({3, 2, 1});
  source.chunks(3).mark_at(3, mark::watermark(20));
  timed_stream<int> s = source.open_timed() | map_concurrent(3, takes);
  CHECK(testing::run(show<int>(std::move(s))) == "3@0 2@10 1@20 w20");
  feed<int> again({3, 2, 1});
  again.chunks(3).mark_at(3, mark::watermark(20));
  timed_stream<int> u = again.open_timed() | map_concurrent(both(3, ordering::unordered), takes);
  CHECK(testing::run(show<int>(std::move(u))) == "1@20 2@10 3@0 w20");
}

TEST_CASE("an upstream failure is delivered after the results in flight", "[operators][map_concurrent]") {
  for (ordering const o : {ordering::ordered, ordering::unordered}) {
    feed<int> source({1, 2, 3});
    source.fails("source broke");
    auto const got = testing::run(drain<int>(source.open() | map_concurrent(both(8, o), takes)));
    CHECK(got.values == std::vector<int>{1, 2, 3});
    CHECK(got.failure == "source broke");
  }
}

TEST_CASE("when one fails, results before it are delivered, those after it are cancelled and joined, then it is thrown",
          "[operators][map_concurrent]") {
  work_log log;
  auto const f = [&log](int x) -> task<int> {
    in_work const here(log);
    try {
      co_await sleep_for(std::chrono::milliseconds(x));
    } catch (error const&) {
      ++log.cancelled;
      throw;
    }
    if (x == 5) throw std::runtime_error("five");
    co_return x;
  };
  auto const body = [&]() -> task<> {
    feed<int> source({20, 10, 5, 3'600'000, 3'600'000});
    stream<int> s = source.open() | map_concurrent(5, f);
    seen<int> got;
    auto draining = drain(std::move(s));
    got = co_await std::move(draining);
    CHECK(got.values == std::vector<int>{20, 10});
    CHECK(got.failure == "five");
    CHECK(log.running == 0);  // joined
    CHECK(log.cancelled == 2);
  };
  testing::run(body());
}

TEST_CASE("of two failures the first in order is thrown; unordered, the first in time", "[operators][map_concurrent]") {
  auto const f = [](int x) -> task<int> {
    co_await sleep_for(std::chrono::milliseconds(x));
    throw std::runtime_error(std::to_string(x));
  };
  CHECK(testing::run(drain<int>(feed<int>({30, 10, 20}).open() | map_concurrent(3, f))).failure == "30");
  CHECK(testing::run(drain<int>(feed<int>({30, 10, 20}).open() | map_concurrent(both(3, ordering::unordered), f))).failure == "10");
  // ... also behind a mark which it cannot pass
  feed<int> fenced({30, 10});
  fenced.barrier_at(1);
  CHECK(testing::run(drain<int>(fenced.open() | map_concurrent(both(3, ordering::unordered), f))).failure == "10");
}

TEST_CASE("a function that fails before it returns a task fails its element", "[operators][map_concurrent]") {
  auto const f = [](int x) {
    if (x == 2) throw std::runtime_error("two");
    return takes(x);
  };
  auto const got = testing::run(drain<int>(feed<int>({3, 2, 1}).open() | map_concurrent(3, f)));
  CHECK(got.values == std::vector<int>{3});
  CHECK(got.failure == "two");
}

TEST_CASE("an element that takes longer than the timeout fails with timed_out", "[operators][map_concurrent]") {
  auto const got = testing::run(drain<int>(feed<int>({1, 5, 90, 2}).open() | map_concurrent(concurrency(4).timeout(50ms), takes)));
  CHECK(got.values == std::vector<int>{1, 5});
  CHECK(got.code == errc::timed_out);
}

TEST_CASE("cancelled while elements are in work: they are cancelled and joined before the pull throws", "[operators][map_concurrent]") {
  for (ordering const o : {ordering::ordered, ordering::unordered}) {
    work_log log;
    auto const body = [&]() -> task<> {
      stream<int> s = feed<int>({10, 3'600'000, 3'600'000, 3'600'000}).open() | map_concurrent(both(3, o), takes_noted(log));
      auto draining = drain_for(std::move(s), 1s);
      seen<int> const got = co_await std::move(draining);
      CHECK(got.values == std::vector<int>{10});
      CHECK(got.code == condition::cancelled);
      CHECK(log.cancelled == 3);
      CHECK(log.running == 0);
    };
    testing::run(body());
  }
}

TEST_CASE("cancelled while it waits for its source", "[operators][map_concurrent]") {
  auto const got = testing::run(drain_for<int>(slow_numbers(0, 3, 1h) | map_concurrent(3, takes), 90min));
  CHECK(got.values == std::vector<int>{0});
  CHECK(got.code == condition::cancelled);
}

TEST_CASE("dropped half-way: tasks and the source's wait are cancelled and joined by the run, nothing leaks",
          "[operators][map_concurrent]") {
  work_log log, source_log;
  auto const f = [&log](tracked x) -> task<tracked> {
    in_work const here(log);
    auto const time = std::chrono::milliseconds(x.value() < 3 ? 1 : 3'600'000);
    co_await sleep_for(time);
    co_return x;
  };
  auto const source = [](work_log& l) -> stream<tracked> {
    in_work const here(l);
    for (int i = 0; i != 6; ++i) co_yield tracked(i);
    co_await sleep_for(1h);
  };
  for (ordering const o : {ordering::ordered, ordering::unordered}) {
    auto const body = [&]() -> task<> {
      context const& own = co_await current_context();
      instant const start = own.clock().now();
      {
        stream<tracked> s = source(source_log) | map_concurrent(both(4, o), f);
        auto taking = take_and_drop(std::move(s), 2);
        auto const got = co_await std::move(taking);
        CHECK(got.size() == 2);
      }
      CHECK(own.clock().now() - start < 1'000'000'000);
    };
    testing::run(body());
    CHECK(log.running == 0);
    CHECK(source_log.running == 0);
    CHECK(tracked::alive == 0);
  }
}

TEST_CASE("back-pressure: with no consumer no more than the capacity is begun", "[operators][map_concurrent]") {
  work_log log;
  feed<int> source(std::vector<int>(100, 1));
  auto const body = [&]() -> task<> {
    stream<int> s = source.open() | map_concurrent(4, takes_noted(log));
    (void)co_await s.next();
    co_await sleep_for(1h);
    CHECK(log.begun <= 4 + 4);  // one chunk of them is with the consumer
    CHECK(source.handed_out() <= 4 + 4 + 1);
  };
  testing::run(body());
}

TEST_CASE("what the function captures, and a parameter by reference, live as long as its tasks", "[operators][map_concurrent]") {
  auto const text = std::make_shared<std::string>("captured and long enough not to be stored inline");
  auto const f = [text](tracked const& x) -> task<std::string> {
    co_await sleep_for(1ms);
    co_return *text + std::to_string(x.value());
  };
  auto const source = []() -> stream<tracked> {
    for (int i = 0; i != 3; ++i) co_yield tracked(i);
  };
  auto const got = all_of<std::string>(source() | map_concurrent(2, f));
  CHECK(got == std::vector<std::string>{*text + "0", *text + "1", *text + "2"});
  CHECK(text.use_count() == 2);
}

TEST_CASE("map_concurrent may be pulled under another context each time", "[operators][map_concurrent]") {
  stream<int> s = slow_numbers(0, 5, 1ms) | map_concurrent(2, takes);
  CHECK(testing::run(pull_each_under_its_own(std::move(s), 5)) == numbers(0, 5));
}

TEST_CASE("every order of events gives a legal result", "[operators][map_concurrent]") {
  auto const hops = [](int x) -> task<int> {
    for (int i = 0; i != x % 4; ++i) co_await reschedule();
    if (x % 5 == 0) co_await sleep_for(1us);
    co_return x;
  };
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    for (ordering const o : {ordering::ordered, ordering::unordered}) {
      CAPTURE(seed, o == ordering::ordered);
      feed<int> source(numbers(0, 40));
      source.chunks(seed % 7).waits().barrier_at(13).barrier_at(30);
      stream<int> s = source.open() | map_concurrent(both(1 + seed % 6, o), hops);
      auto got = testing::run(drain(std::move(s)), seed);
      CHECK(got.failure.empty());
      if (o == ordering::unordered) {
        REQUIRE(got.values.size() == 40);
        auto const at = got.values.begin();
        std::sort(at, at + 13);
        std::sort(at + 13, at + 30);
        std::sort(at + 30, at + 40);
      }
      CHECK(got.values == numbers(0, 40));
    }
  }
}

TEST_CASE("dropped, cancelled or failing at any point under any order of events: all ends and nothing leaks",
          "[operators][map_concurrent]") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    work_log log;
    auto const f = [&log, seed](tracked x) -> task<tracked> {
      in_work const here(log);
      for (int i = 0; i != x.value() % 3; ++i) co_await reschedule();
      if (seed % 3 == 0 && x.value() == 9) throw std::runtime_error("nine");
      co_await sleep_for(std::chrono::microseconds(x.value() % 4));
      co_return x;
    };
    auto const source = [](std::uint64_t n) -> stream<tracked> {
      for (int i = 0; i != 40; ++i) {
        if (static_cast<std::uint64_t>(i) % 5 == n % 5) co_await reschedule();
        co_yield tracked(i);
      }
    };
    auto const o = seed % 2 == 0 ? ordering::ordered : ordering::unordered;
    auto const body = [&]() -> task<> {
      stream<tracked> s = source(seed) | map_concurrent(both(5, o), f);
      try {
        if (seed % 4 == 0) {
          auto draining = drain_for(std::move(s), std::chrono::microseconds(seed % 9));
          (void)co_await std::move(draining);
        } else {
          auto taking = take_and_drop(std::move(s), seed % 12);
          (void)co_await std::move(taking);
        }
      } catch (std::runtime_error const&) {}
    };
    testing::run(body(), seed);
    CHECK(log.running == 0);
    CHECK(tracked::alive == 0);
  }
}

TEST_CASE("the event loop may be destroyed while elements are in work", "[operators][map_concurrent]") {
  auto const f = [](tracked x) -> task<int> {
    co_await sleep_for(1h);
    co_return x.value();
  };
  auto const source = []() -> stream<tracked> {
    tracked const local(-1);
    for (int i = 0; i != 10; ++i) co_yield tracked(i);
  };
  for (ordering const o : {ordering::ordered, ordering::unordered}) {
    destroy_loop_under<int>(source() | map_concurrent(both(4, o), f));
    CHECK(tracked::alive == 0);
    destroy_loop_under<int>(source() | map_concurrent(concurrency(4).order(o).timeout(2h), f));
    CHECK(tracked::alive == 0);
  }
}

TEST_CASE("millions of synchronous completions do not grow the stack", "[operators][map_concurrent]") {
  auto const source = []() -> stream<long> {
    for (long i = 0; i != 10'000'000; ++i) co_yield long(i);
  };
  auto const f = [](long x) -> task<long> { co_return x; };
  auto const body = [&]() -> task<long> {
    stream<long> s = source() | map_concurrent(1, f);
    long sum = 0;
    while (long* x = co_await s.next()) sum += *x;
    co_return sum;
  };
  CHECK(testing::run(body()) == 49'999'995'000'000);
}

TEST_CASE("map_concurrent in a row, and under one another", "[operators][map_concurrent]") {
  stream<int> s = feed<int>(numbers(0, 30)).open() | map_concurrent(3, takes) | map_concurrent(both(2, ordering::unordered), times_ten) |
                  map_concurrent(4, takes);
  CHECK(all_of(std::move(s)) == tens(30));
}

TEST_CASE("map_concurrent refuses a capacity of nothing and a timeout of nothing", "[operators][map_concurrent]") {
  fails_with(errc::invalid_option, [] { (void)map_concurrent(0, takes); }, "map_concurrent: cannot be built", "capacity of 0");
  fails_with(errc::invalid_option, [] { (void)concurrency(1).timeout(0ms); }, "timeout");
}
