#include <weir/operators/split.hpp>

#include <weir/operators/event_time.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/merge.hpp>
#include <weir/operators/scan.hpp>
#include <weir/operators/take.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/simulation.hpp>
#include <weir/when_all.hpp>

#include "operators/support.hpp"
#include "support/fails_with.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

namespace {

bool is_even(int x) { return x % 2 == 0; }

template <class T> struct both_seen {
  both_seen(seen<T> m, seen<T> r) : matching(std::move(m)), rest(std::move(r)) {}
  seen<T> matching, rest;
};
template <class T> task<both_seen<T>> drain_both(stream<T> matching, stream<T> rest) {
  auto work = when_all(drain(std::move(matching)), drain(std::move(rest)));
  auto [m, r] = co_await std::move(work);
  co_return both_seen<T>(std::move(m), std::move(r));
}
template <class S> auto drained(S halves, std::uint64_t seed = 1) {
  return testing::run(drain_both(std::move(halves.matching), std::move(halves.rest)), seed);
}
task<> first_of(stream<int> s, std::vector<int>& got, std::size_t n) {
  while (got.size() != n) {
    int const* const x = co_await s.next();
    if (!x) break;
    got.push_back(*x);
  }
}
task<> with_pauses(stream<int> s, std::vector<int>& got, std::chrono::nanoseconds pause) {
  while (int const* const x = co_await s.next()) {
    got.push_back(*x);
    co_await sleep_for(pause);
  }
}

}  // namespace

TEST_CASE("split gives each element to one half, in order, for every chunking, capacity and order of events") {
  for (std::size_t const n : chunkings) {
    for (std::size_t const capacity : {1u, 2u, 1024u}) {
      for (std::uint64_t seed = 1; seed != 20; ++seed) {
        auto got = drained(split(feed(numbers(0, 50)).chunks(n).open(), [](int x) { return x % 3 == 0; }, {.capacity = capacity}), seed);
        CHECK(got.matching.values == std::vector{0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45, 48});
        CHECK(got.rest.values.size() == 33);
        CHECK(std::is_sorted(got.rest.values.begin(), got.rest.values.end()));
        CHECK(got.matching.failure + got.rest.failure == "");
      }
    }
  }
}

TEST_CASE("split of a source that waits gives the same") {
  for (std::uint64_t seed = 1; seed != 20; ++seed) {
    auto const got = drained(split(feed(numbers(0, 9)).chunks(2).waits().open(), is_even), seed);
    CHECK(got.matching.values == std::vector{0, 2, 4, 6, 8});
    CHECK(got.rest.values == std::vector{1, 3, 5, 7});
  }
}

TEST_CASE("split of an empty stream is two empty streams") {
  auto const got = drained(split(feed<int>({}).open(), is_even));
  CHECK(got.matching.values.empty());
  CHECK(got.rest.values.empty());
}

TEST_CASE("a split with an option that cannot be is refused") {
  fails_with(errc::invalid_option, [] { (void)split(feed<int>({}).open(), is_even, {.capacity = 0}); }, "split", "capacity");
  fails_with(errc::invalid_option, [] { (void)split(feed<int>({}).open(), is_even, {.patience = 0s}); }, "split", "patience");
}

TEST_CASE("split takes chains, and moves elements that cannot be copied") {
  auto out = split(feed(numbers(0, 4)).open() | map([](int x) { return std::make_unique<int>(x); }), [](auto const& p) { return *p > 1; });
  auto const got = drained(std::move(out));
  CHECK(*got.matching.values.at(1) == 3);
  CHECK(*got.rest.values.at(1) == 1);
}

TEST_CASE("both halves fail as their source does, after what came before") {
  for (std::size_t const n : chunkings) {
    auto const got = drained(split(feed<int>({1, 2, 3}).chunks(n).fails("connection lost").open(), is_even));
    CHECK(got.matching.values == std::vector{2});
    CHECK(got.rest.values == std::vector{1, 3});
    CHECK(got.matching.failure == "connection lost");
    CHECK(got.rest.failure == "connection lost");
  }
}

TEST_CASE("both halves fail when the predicate does, after what came before, and no checkpoint behind it is done") {
  for (std::size_t const n : chunkings) {
    feed<int> in({1, 2, 3, 4});
    in.chunks(n).barrier_at(2).barrier_at(4);
    auto const got = drained(split(in.open(), [](int x) {
      if (x == 3) throw std::runtime_error("no three");
      return is_even(x);
    }));
    CHECK(got.matching.values == std::vector{2});
    CHECK(got.rest.values == std::vector{1});
    CHECK(got.matching.failure == "no three");
    CHECK(got.rest.failure == "no three");
    CHECK_FALSE(in.barrier(1).completed());
  }
}

TEST_CASE("a half that is not taken from holds the source up once its capacity is used") {
  auto const work = []() -> task<> {
    feed<int> in(numbers(0, 100));
    auto halves = split(in.chunks(2).open(), is_even, {.capacity = 4});
    CHECK(in.handed_out() == 0);
    std::vector<int> fast, slow;
    auto both = when_all(first_of(std::move(halves.matching), fast, 1000), with_pauses(std::move(halves.rest), slow, 1s));
    auto watch = [](feed<int> source, std::vector<int>& taken) -> task<> {
      for (int i = 0; i < 20; ++i) {
        co_await sleep_for(500ms);
        // Odd ones: taken in blocks of what waited, and at most capacity + 1 wait; each comes with an even one.
        CHECK(source.handed_out() <= 2 * (taken.size() + 5 + 5));
      }
    };
    auto all = when_all(std::move(both), watch(in, slow));
    co_await std::move(all);
    CHECK(fast.size() == 50);
    CHECK(slow.size() == 50);
  };
  for (std::uint64_t seed = 1; seed != 20; ++seed) testing::run(work(), seed);
}

TEST_CASE("consuming one half after the other is reported once the capacity is used") {
  auto const work = []() -> task<> {
    auto halves = split(feed(numbers(0, 100)).open(), is_even, {.capacity = 10});
    auto const got = co_await drain(std::move(halves.matching));
    CHECK(got.code == errc::stalled);
    CHECK(got.failure ==
          "split: cannot go on: the other half has 10 elements waiting and nobody asks for them; "
          "consume both halves beside each other (when_all), or raise the capacity");
    CHECK(got.values.size() == 10);
  };
  testing::run(work());
}

TEST_CASE("one consumer that takes from both halves in turn is told when that cannot go on") {
  auto const work = []() -> task<> {
    auto [matching, rest] = split(feed(numbers(0, 100)).open(), [](int x) { return x > 50; }, {.capacity = 10});
    int const* const one = co_await rest.next();
    CHECK(one);
    bool stalled = false;
    try {
      int const* const other = co_await matching.next();
      CHECK(!other);
    } catch (error const& e) {
      stalled = e.code() == errc::stalled;
    }
    CHECK(stalled);
  };
  testing::run(work());
}

TEST_CASE("consuming one half after the other works within the capacity") {
  auto const work = []() -> task<> {
    auto halves = split(feed(numbers(0, 100)).open(), is_even);
    auto const first = co_await drain(std::move(halves.matching));
    auto const second = co_await drain(std::move(halves.rest));
    CHECK(first.values.size() == 50);
    CHECK(second.values.size() == 50);
  };
  testing::run(work());
}

TEST_CASE("a half fails when the other was dropped before its end, pulled or not") {
  auto const work = [](std::size_t pulls) -> task<> {
    auto halves = split(feed(numbers(0, 100)).open(), is_even, {.capacity = 4});
    std::vector<int> some;
    auto both = when_all(first_of(std::move(halves.matching), some, pulls), drain(std::move(halves.rest)));
    auto const [none, rest] = co_await std::move(both);
    (void)none;
    CHECK(some.size() == pulls);
    CHECK(rest.code == errc::misuse);
    CHECK(rest.failure.find("the other half was dropped before its end") != std::string::npos);
  };
  for (std::size_t const pulls : {0u, 1u, 7u})
    for (std::uint64_t seed = 1; seed != 20; ++seed) testing::run(work(pulls), seed);
}

TEST_CASE("a half may be dropped where that was said to discard its elements, which are done then") {
  for (std::size_t const n : chunkings) {
    for (std::uint64_t seed = 1; seed != 20; ++seed) {
      auto const work = [](std::size_t chunk) -> task<> {
        feed<int> in(numbers(0, 100));
        in.chunks(chunk).barrier_at(10).barrier_at(100);
        auto halves = split(in.open(), is_even, {.capacity = 4, .when_dropped = split_dropped::discard});
        std::vector<int> some;
        auto both = when_all(first_of(std::move(halves.matching), some, 3), drain(std::move(halves.rest)));
        auto const [none, rest] = co_await std::move(both);
        (void)none;
        CHECK(rest.failure == "");
        CHECK(rest.values.size() == 50);
        CHECK(in.barrier(0).completed());
        CHECK(in.barrier(1).completed());
      };
      testing::run(work(n), seed);
    }
  }
}

TEST_CASE("split dropped half-way destroys what it holds") {
  REQUIRE(tracked::alive == 0);
  for (std::size_t const n : chunkings) {
    auto const work = [](std::size_t chunk) -> task<> {
      std::vector<tracked> in;
      for (int i = 1; i <= 20; ++i) in.emplace_back(i);
      auto [matching, rest] = split(feed(std::move(in)).chunks(chunk).open(), [](tracked const& t) { return is_even(t.value()); });
      tracked const* const two = co_await matching.next();
      CHECK(two);
      tracked const* const one = co_await rest.next();
      CHECK(one);
    };
    testing::run(work(n));
    CHECK(tracked::alive == 0);
  }
  {
    auto never_pulled = split(feed(std::vector<tracked>(3, tracked(1))).open(), [](tracked const&) { return true; });
  }
  CHECK(tracked::alive == 0);
}

TEST_CASE("a half that waits for the other may be cancelled by itself") {
  for (std::uint64_t seed = 1; seed != 20; ++seed) {
    auto const work = []() -> task<> {
      context& own = co_await current_context();
      context branch(own);
      auto halves = split(feed(numbers(0, 100)).open(), is_even, {.capacity = 4});
      std::vector<int> slow;
      auto cancels = [](context& c) -> task<> {
        co_await sleep_for(5s);
        c.cancel();
      };
      auto lone = [](stream<int> s, context& c) -> task<seen<int>> { co_return co_await drain(std::move(s)).under(c); };
      auto tolerant = [](stream<int> s, std::vector<int>& taken) -> task<std::error_code> {
        try {
          co_await with_pauses(std::move(s), taken, 2s);
        } catch (error const& e) {
          co_return e.code();
        }
        co_return std::error_code();
      };
      auto all = when_all(lone(std::move(halves.matching), branch), tolerant(std::move(halves.rest), slow), cancels(branch));
      auto const [cancelled, other, none] = co_await std::move(all);
      (void)none;
      CHECK(cancelled.code == condition::cancelled);
      CHECK(other == errc::misuse);  // the cancelled half was dropped
      CHECK(slow.size() >= 3);
    };
    testing::run(work(), seed);
  }
}

TEST_CASE("a half that is cancelled while it reads ends the other with it") {
  auto const work = []() -> task<> {
    context& own = co_await current_context();
    context branch(own);
    auto halves = split(feed(numbers(0, 100)).chunks(1).waits().open() | map([&branch](int x) {
                          if (x == 20) branch.cancel();
                          return x;
                        }),
                        is_even);
    auto both = drain_both<int>(std::move(halves.matching), std::move(halves.rest));
    auto const got = co_await std::move(both).under(branch);
    CHECK(got.matching.code == condition::cancelled);
    CHECK(got.rest.code == condition::cancelled);
  };
  testing::run(work());
}

TEST_CASE("split keeps event times, and marks reach both halves in their place") {
  for (std::size_t const n : chunkings) {
    CAPTURE(n);
    feed<int> in({1, 2, 3, 4});
    in.chunks(n).mark_at(1, mark::watermark(5)).barrier_at(2).mark_at(3, mark::idle()).stops();
    auto halves = split(in.open_timed(), is_even);
    static_assert(std::is_same_v<decltype(halves.rest), timed_stream<int>>);
    auto const shown = [](timed_stream<int> m, timed_stream<int> r) -> task<std::string> {
      auto work = when_all(show<int>(std::move(m)), show<int>(std::move(r)));
      auto const [a, b] = co_await std::move(work);
      co_return a + " / " + b;
    };
    CHECK(testing::run(shown(std::move(halves.matching), std::move(halves.rest))) == "w5 2@10 | idle 4@30 stop / 1@0 w5 | 3@20 idle stop");
    CHECK_FALSE(in.barrier().completed());  // show() completes nothing
  }
}

TEST_CASE("a checkpoint is done when it is done in both halves, and not before") {
  auto const work = []() -> task<> {
    feed<int> in({0, 1, 2, 3});
    in.chunks(4).barrier_at(2);
    auto [matching, rest] = split(in.open(), is_even);
    for (int i = 0; i < 2; ++i) {
      int const* const x = co_await matching.next();  // 0, 2
      CHECK(x);
    }
    CHECK_FALSE(in.barrier().completed());
    for (int i = 0; i < 2; ++i) {
      int const* const x = co_await rest.next();  // 1, 3
      CHECK(x);
      CHECK(in.barrier().completed() == (i == 1));
    }
  };
  testing::run(work());
}

TEST_CASE("the state of operators behind both halves is checkpointed and restored") {
  // Sums of the even and of the odd numbers, each behind a half.
  auto const run_sums = [](stream<int> s, barrier* until) -> task<std::pair<std::vector<int>, std::vector<int>>> {
    auto halves = split(std::move(s), is_even);
    stream<int> evens = std::move(halves.matching) | scan(0, std::plus<>());
    stream<int> odds = std::move(halves.rest) | scan(0, std::plus<>());
    auto both = drain_both<int>(std::move(evens), std::move(odds));
    auto got = co_await std::move(both);
    if (until) CHECK(until->completed());
    co_return std::pair(std::move(got.matching.values), std::move(got.rest.values));
  };
  for (std::size_t const n : chunkings) {
    for (std::size_t at = 0; at <= 8; ++at) {
      CAPTURE(n, at);
      feed<int> first(numbers(0, static_cast<int>(at)));
      first.chunks(n).barrier_at(at);
      auto got = testing::run(run_sums(first.open(), &first.barrier()));
      feed<int> second(numbers(static_cast<int>(at), 8));
      second.chunks(n).restores(state_at(first.barrier()));
      auto const tail = testing::run(run_sums(second.open(), nullptr));
      got.first.insert(got.first.end(), tail.first.begin(), tail.first.end());
      got.second.insert(got.second.end(), tail.second.begin(), tail.second.end());
      CHECK(got.first == std::vector{0, 2, 6, 12});
      CHECK(got.second == std::vector{1, 4, 9, 16});
    }
  }
}

TEST_CASE("split refuses a state that is not its own") {
  feed<int> in(numbers(0, 3));
  in.restores(whole_states({{"split 0/take", std::vector<std::byte>(3)}}));
  auto halves = split(in.open(), is_even);
  stream<int> evens = std::move(halves.matching) | take(2);
  auto const got = testing::run(drain_both<int>(std::move(evens), std::move(halves.rest)));
  CHECK(got.matching.code == errc::corrupt);
}
