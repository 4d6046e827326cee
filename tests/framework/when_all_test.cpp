#include <weir/when_all.hpp>

#include <weir/reschedule.hpp>
#include <weir/sleep.hpp>
#include <weir/spawn.hpp>
#include <weir/testing/run.hpp>
#include <weir/timeout.hpp>

#include "support/catch.hpp"
#include "support/tracked.hpp"

#include <boost/asio/io_context.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using weir::test::tracked;

namespace {

template <class T> task<T> after(std::chrono::nanoseconds d, T x) {
  co_await sleep_for(d);
  co_return x;
}
task<> pause(std::chrono::nanoseconds d) { co_await sleep_for(d); }
task<int> breaks(std::chrono::nanoseconds d, std::string why) {
  co_await sleep_for(d);
  throw std::runtime_error(why);
}
// Ends only when cancelled; says so.
task<int> waits(int& ended) {
  tracked const local(1);
  try {
    co_await sleep_for(100h);
  } catch (error const&) {
    ++ended;
    throw;
  }
  co_return 0;
}

}  // namespace

TEST_CASE("when_all runs its tasks beside each other and returns a tuple in the order given", "[framework][when_all]") {
  auto const body = []() -> task<> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    auto all = when_all(after(3s, 1), after(1s, std::string("two")), pause(2s), after(0s, std::make_unique<int>(4)));
    auto [one, two, nothing, four] = co_await std::move(all);
    CHECK(one == 1);
    CHECK(two == "two");
    CHECK(nothing == std::monostate());
    CHECK(*four == 4);
    CHECK(own.clock().now() - start == 3'000'000'000);
    std::tuple<> none = co_await when_all();
    (void)none;
  };
  testing::run(body());
}

TEST_CASE("when_all of a vector returns a vector; of nothing, nothing", "[framework][when_all]") {
  auto const body = []() -> task<> {
    std::vector<task<int>> work;
    for (int i = 0; i != 50; ++i) work.push_back(after(std::chrono::seconds(50 - i), i));
    auto const results = co_await when_all(std::move(work));
    REQUIRE(results.size() == 50);
    for (int i = 0; i != 50; ++i) CHECK(results[static_cast<std::size_t>(i)] == i);
    std::vector<task<>> pauses;
    for (int i = 0; i != 5; ++i) pauses.push_back(pause(1s));
    co_await when_all(std::move(pauses));
    auto const none = co_await when_all(std::vector<task<int>>());
    CHECK(none.empty());
    co_await when_all(std::vector<task<>>());
  };
  testing::run(body());
}

TEST_CASE("the first failure cancels the others, which are joined, and is thrown", "[framework][when_all]") {
  int ended = 0;
  auto const body = [&]() -> task<> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    std::string failure;
    try {
      auto all = when_all(waits(ended), breaks(2s, "second"), breaks(1s, "first"), waits(ended));
      (void)co_await std::move(all);
    } catch (std::runtime_error const& e) {
      failure = e.what();
      CHECK(ended == 2);
      CHECK(tracked::alive == 0);
    }
    CHECK(failure == "first");
    CHECK(own.clock().now() - start == 1'000'000'000);
  };
  testing::run(body());
}

TEST_CASE("when one fails at its start those after it are not started", "[framework][when_all]") {
  int started = 0;
  auto const counts = [](int& n) -> task<int> {
    ++n;
    co_return n;
  };
  auto const broken = []() -> task<int> {
    throw std::runtime_error("at once");
    co_return 0;
  };
  auto const body = [&]() -> task<> {
    bool failed = false;
    try {
      auto all = when_all(counts(started), broken(), counts(started));
      (void)co_await std::move(all);
    } catch (std::runtime_error const&) {
      failed = true;
    }
    CHECK(failed);
    CHECK(started == 1);
  };
  testing::run(body());
}

TEST_CASE("cancellation from outside reaches all of them, and they are joined", "[framework][when_all]") {
  int ended = 0;
  auto const body = [&]() -> task<> {
    auto const inner = [](int& n) -> task<> {
      auto all = when_all(waits(n), waits(n));
      (void)co_await std::move(all);
    };
    bool timed_out = false;
    try {
      co_await with_timeout(1s, inner(ended));
    } catch (error const& e) {
      timed_out = e.code() == errc::timed_out;
    }
    CHECK(timed_out);
    CHECK(ended == 2);
    CHECK(tracked::alive == 0);
  };
  testing::run(body());
}

TEST_CASE("what was passed to the tasks is gone when when_all returns", "[framework][when_all]") {
  auto const holds = [](tracked) -> task<int> {
    co_await sleep_for(1ms);
    co_return 1;
  };
  auto const body = [&]() -> task<> {
    std::vector<task<int>> work;
    for (int i = 0; i != 3; ++i) work.push_back(holds(tracked(i)));
    (void)co_await when_all(std::move(work));
    CHECK(tracked::alive == 0);
  };
  testing::run(body());
}

TEST_CASE("when_all under when_all, in every order of events", "[framework][when_all]") {
  auto const hops = [](int n) -> task<int> {
    for (int i = 0; i != n; ++i) co_await reschedule();
    co_return n;
  };
  auto const pair = [&hops](int n) -> task<int> {
    auto all = when_all(hops(n), hops(2 * n));
    auto [a, b] = co_await std::move(all);
    co_return a + b;
  };
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    auto const body = [&]() -> task<int> {
      std::vector<task<int>> work;
      for (int i = 0; i != 10; ++i) work.push_back(pair(i));
      auto const sums = co_await when_all(std::move(work));
      int all = 0;
      for (int const s : sums) all += s;
      co_return all;
    };
    CHECK(testing::run(body(), seed) == 3 * 45);
  }
}

TEST_CASE("a million synchronous when_all in a row do not grow the stack", "[framework][when_all]") {
  auto const now = [](int x) -> task<int> { co_return x; };
  auto const body = [&]() -> task<long> {
    long sum = 0;
    for (int i = 0; i != 1'000'000; ++i) {
      auto all = when_all(now(1), now(2));
      auto const [a, b] = co_await std::move(all);
      sum += a + b;
    }
    co_return sum;
  };
  CHECK(testing::run(body()) == 3'000'000);
}

TEST_CASE("the event loop may be destroyed under when_all", "[framework][when_all]") {
  auto loop = std::make_unique<boost::asio::io_context>(1);
  int ended = 0;
  auto const body = [&]() -> task<> {
    auto all = when_all(waits(ended), waits(ended));
    (void)co_await std::move(all);
  };
  spawn(*loop, body(), [](std::exception_ptr) {});
  loop->poll();
  CHECK(tracked::alive == 2);
  loop.reset();
  CHECK(tracked::alive == 0);
  CHECK(ended == 0);
}
