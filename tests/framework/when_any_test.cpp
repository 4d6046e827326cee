#include <weir/when_any.hpp>

#include <weir/reschedule.hpp>
#include <weir/sleep.hpp>
#include <weir/stream.hpp>
#include <weir/testing/run.hpp>
#include <weir/timeout.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/tracked.hpp"

#include <stdexcept>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using weir::test::tracked;

namespace {

task<int> after(std::chrono::nanoseconds d, int x) {
  tracked const local(x);
  co_await sleep_for(d);
  co_return x;
}
task<> pause(std::chrono::nanoseconds d) { co_await sleep_for(d); }
task<int> breaks(std::chrono::nanoseconds d) {
  co_await sleep_for(d);
  throw std::runtime_error("broken");
}
// Has its result although it was cancelled.
task<int> stubborn(int x) {
  try {
    co_await sleep_for(1h);
  } catch (error const&) {}
  co_return x;
}
template <class T> bool was_cancelled(outcome<T> const& o) {
  try {
    if (o.error()) std::rethrow_exception(o.error());
  } catch (error const& e) {
    return e.code() == condition::cancelled;
  }
  return false;
}

}  // namespace

TEST_CASE("when_any says which ended first, and the others are cancelled and joined", "[framework][when_any]") {
  auto const body = []() -> task<> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    auto any = when_any(after(3h, 1), pause(1s), after(2h, 3));
    auto r = co_await std::move(any);
    CHECK(r.index == 1);
    CHECK(std::get<1>(r.outcomes).has_value());
    CHECK(was_cancelled(std::get<0>(r.outcomes)));
    CHECK(was_cancelled(std::get<2>(r.outcomes)));
    CHECK(own.clock().now() - start == 1'000'000'000);
    CHECK(tracked::alive == 0);
  };
  testing::run(body());
}

TEST_CASE("nothing is lost: what the others had all the same is in their outcome", "[framework][when_any]") {
  auto const body = []() -> task<> {
    auto any = when_any(after(1s, 7), stubborn(8), after(1s, 9));
    auto r = co_await std::move(any);
    CHECK(r.index == 0);
    CHECK(std::get<0>(r.outcomes).get() == 7);
    CHECK(std::get<1>(r.outcomes).get() == 8);
    CHECK(was_cancelled(std::get<2>(r.outcomes)));
  };
  testing::run(body());
}

TEST_CASE("an element that a pull got while the timer was first is not lost", "[framework][when_any]") {
  auto const patient = []() -> stream<int> {
    try {
      co_await sleep_for(1h);
    } catch (error const&) {}
    co_yield 42;
  };
  auto const next = [](stream<int>& s) -> task<int*> { co_return co_await s.next(); };
  auto const body = [&]() -> task<> {
    stream<int> s = patient();
    auto any = when_any(next(s), pause(1s));
    auto r = co_await std::move(any);
    CHECK(r.index == 1);
    REQUIRE(std::get<0>(r.outcomes).has_value());
    CHECK(*std::get<0>(r.outcomes).get() == 42);
  };
  testing::run(body());
}

TEST_CASE("to fail is to end: the failure is the outcome, when_any does not throw", "[framework][when_any]") {
  auto const body = []() -> task<> {
    auto any = when_any(breaks(1s), after(1h, 1));
    auto r = co_await std::move(any);
    CHECK(r.index == 0);
    CHECK(std::get<0>(r.outcomes).failed());
    CHECK_THROWS_AS(std::get<0>(r.outcomes).get(), std::runtime_error);
    CHECK(was_cancelled(std::get<1>(r.outcomes)));
  };
  testing::run(body());
}

TEST_CASE("one that ends at its start keeps the rest from starting", "[framework][when_any]") {
  int started = 0;
  auto const now = [](int& n) -> task<int> { co_return ++n; };
  auto const body = [&]() -> task<> {
    auto any = when_any(now(started), now(started));
    auto r = co_await std::move(any);
    CHECK(r.index == 0);
    CHECK(started == 1);
    CHECK(was_cancelled(std::get<1>(r.outcomes)));
  };
  testing::run(body());
}

TEST_CASE("when_any of a vector; of nothing it is misuse", "[framework][when_any]") {
  auto const body = []() -> task<> {
    std::vector<task<int>> work;
    for (int i = 0; i != 20; ++i) work.push_back(after(std::chrono::seconds(20 - i), i));
    auto r = co_await when_any(std::move(work));
    CHECK(r.index == 19);
    CHECK(r.outcomes[19].get() == 19);
    for (std::size_t i = 0; i != 19; ++i) CHECK(was_cancelled(r.outcomes[i]));
  };
  testing::run(body());
  test::fails_with(errc::misuse, [] { (void)testing::run(when_any(std::vector<task<int>>())); }, "when_any");
}

TEST_CASE("when_any is cancelled from outside as all of its tasks are", "[framework][when_any]") {
  auto const body = []() -> task<> {
    context const& own = co_await current_context();
    auto any = when_any(after(1h, 1), stubborn(2));
    auto limited = with_timeout(1s, std::move(any));
    auto r = co_await std::move(limited);
    CHECK(was_cancelled(std::get<0>(r.outcomes)));
    CHECK(std::get<1>(r.outcomes).get() == 2);
    CHECK_FALSE(own.cancelled());
  };
  testing::run(body());
}

TEST_CASE("when_any: every order of events has a first", "[framework][when_any]") {
  auto const hops = [](int n) -> task<int> {
    for (int i = 0; i != n; ++i) co_await reschedule();
    co_return n;
  };
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    auto const body = [&]() -> task<> {
      std::vector<task<int>> work;
      for (int i = 1; i != 6; ++i) work.push_back(hops(i));
      auto r = co_await when_any(std::move(work));
      CHECK(r.outcomes[r.index].get() == static_cast<int>(r.index) + 1);
      for (auto const& o : r.outcomes) CHECK((o.has_value() || o.failed()));
    };
    testing::run(body(), seed);
  }
}
