// Where branches of a split meet again, a checkpoint passes at one moment: what is behind has all from before it and nothing from after it.
#include <weir/operators/event_time.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/merge.hpp>
#include <weir/operators/prefetch.hpp>
#include <weir/operators/scan.hpp>
#include <weir/operators/split.hpp>
#include <weir/operators/take.hpp>
#include <weir/operators/window.hpp>
#include <weir/operators/window_join.hpp>
#include <weir/sleep.hpp>
#include <weir/when_all.hpp>

#include "operators/support.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

namespace {

using sum = std::pair<int, int>;  // of a key
bool is_even(int x) { return x % 2 == 0; }
stream<int> slowly(stream<int> s, std::chrono::nanoseconds pause) {
  while (int* const x = co_await s.next()) {
    co_await sleep_for(pause);
    co_yield std::move(*x);
  }
}
stream<int> first_of_many(std::vector<stream<int>> many) {
  while (int* const x = co_await many.front().next()) co_yield std::move(*x);
}
template <class Chain> stream<int> those_of(Chain all) {
  while (int* const x = co_await all.next()) co_yield std::move(*x);
}
auto sums_by(stream<int> s, int keys) {
  return std::move(s) | event_time([](int) { return instant{1}; }, monotonic()) | key_by([keys](int x) { return x % keys; }) |
         scan(0, std::plus<>(), never_expires()) | map([](auto const& x) { return sum(x.key, x.value); });
}
stream<sum> sums(stream<int> s, int keys = 2) { return sums_by(std::move(s), keys); }

constexpr int last = 12;
// The sums of 1 to `last`.
std::map<int, int> all_sums(int keys) {
  std::map<int, int> out;
  for (int x = 1; x <= last; ++x) out[x % keys] += x;
  return out;
}
std::map<int, int> last_of_each(std::vector<sum> const& all) {
  std::map<int, int> out;
  for (auto const& [key, value] : all) out[key] = value;
  return out;
}

// For each checkpoint of a run, a run that goes on from it comes to the same sums.
template <class Flow> void check_goes_on(Flow flow, int keys = 2) {
  for (std::size_t const chunk : {0u, 3u, 256u}) {
    for (std::uint64_t seed = 1; seed != 8; ++seed) {
      for (std::size_t at = 1; at + static_cast<std::size_t>(keys) <= last; ++at) {
        CAPTURE(chunk, seed, at);
        feed<int> first(numbers(1, last + 1));
        first.chunks(chunk).waits();
        for (std::size_t const before : {at / 3, at - at / 3, at}) first.barrier_at(before);
        auto const whole = testing::run(drain(flow(first.open())), seed);
        REQUIRE(whole.failure == "");
        CHECK(last_of_each(whole.values) == all_sums(keys));
        CHECK(first.barrier(2).completed());
        feed<int> rest(numbers(static_cast<int>(at) + 1, last + 1));
        rest.chunks(chunk).waits().restores(first.kept());
        auto const tail = testing::run(drain(flow(rest.open())), seed);
        REQUIRE(tail.failure == "");
        CHECK(last_of_each(tail.values) == all_sums(keys));
      }
    }
  }
}

}  // namespace

TEST_CASE("behind branches that meet, a checkpoint has what was before it and nothing else", "[operators][branches]") {
  check_goes_on([](stream<int> s) {
    auto halves = split(std::move(s), is_even);
    return sums(merge(std::move(halves.matching), std::move(halves.rest)));
  });
}

TEST_CASE("one branch is slow", "[operators][branches]") {
  check_goes_on([](stream<int> s) {
    auto halves = split(std::move(s), is_even);
    return sums(merge(slowly(std::move(halves.matching), 5s), std::move(halves.rest)));
  });
  check_goes_on([](stream<int> s) {
    auto halves = split(std::move(s), is_even);
    return sums(merge(std::move(halves.matching), slowly(std::move(halves.rest), 5s)));
  });
}

TEST_CASE("branches with state of their own", "[operators][branches]") {
  check_goes_on([](stream<int> s) {
    auto halves = split(std::move(s), is_even);
    stream<int> evens = std::move(halves.matching) | scan(0, [](int& before, int x) { return std::exchange(before, x), x; });
    return sums(merge(std::move(evens), slowly(std::move(halves.rest), 1s)));
  });
}

TEST_CASE("branches of branches that meet all at once, two first, or one after the other", "[operators][branches]") {
  check_goes_on(
      [](stream<int> s) {
        auto outer = split(std::move(s), is_even);
        auto inner = split(std::move(outer.matching), [](int x) { return x % 4 == 0; });
        return sums(merge(slowly(std::move(inner.matching), 3s), std::move(inner.rest), slowly(std::move(outer.rest), 1s)), 4);
      },
      4);
  check_goes_on(
      [](stream<int> s) {
        auto outer = split(std::move(s), is_even);
        auto inner = split(std::move(outer.matching), [](int x) { return x % 4 == 0; });
        stream<int> evens = merge(std::move(inner.matching), slowly(std::move(inner.rest), 2s));
        return sums(merge(std::move(evens), std::move(outer.rest)), 4);
      },
      4);
  check_goes_on(
      [](stream<int> s) {
        auto outer = split(std::move(s), is_even);
        auto inner = split(std::move(outer.matching), [](int x) { return x % 4 == 0; });
        stream<int> some = merge(std::move(inner.matching), slowly(std::move(outer.rest), 2s));
        return sums(merge(std::move(inner.rest), std::move(some)), 4);
      },
      4);
}

TEST_CASE("what has met parts and meets again", "[operators][branches]") {
  check_goes_on([](stream<int> s) {
    auto first = split(std::move(s), is_even);
    stream<int> met = merge(std::move(first.matching), slowly(std::move(first.rest), 1s));
    auto second = split(std::move(met), [](int x) { return x > 6; });
    return sums(merge(slowly(std::move(second.matching), 1s), std::move(second.rest)));
  });
}

TEST_CASE("a stream of its own among the branches holds nobody up", "[operators][branches]") {
  check_goes_on([](stream<int> s) {
    auto halves = split(std::move(s), is_even);
    stream<int> other = slowly(feed<int>({100, 101}).open(), 1h);
    stream<int> all = merge(std::move(halves.matching), std::move(other), std::move(halves.rest));
    return sums(std::move(all) | filter([](int x) { return x < 100; }));
  });
}

TEST_CASE("a branch that has ended is not waited for", "[operators][branches]") {
  check_goes_on([](stream<int> s) {
    auto halves = split(std::move(s), [](int x) { return x == 1; }, {.when_dropped = split_dropped::discard});
    stream<int> one = std::move(halves.matching) | take(1);
    return sums(merge(std::move(one), std::move(halves.rest)));
  });
}

TEST_CASE("a branch that went through generators and chains, had been pulled, or was one of many is known", "[operators][branches]") {
  check_goes_on([](stream<int> s) {
    auto halves = split(std::move(s), is_even);
    std::vector<stream<int>> one;
    one.push_back(slowly(std::move(halves.rest), 1s));
    return sums(merge(std::move(halves.matching) | prefetch(4), first_of_many(std::move(one))));
  });
  check_goes_on([](stream<int> s) {
    auto halves = split(std::move(s), is_even);
    auto odds = std::move(halves.rest) | filter([](int) { return true; });
    return sums(merge(std::move(halves.matching), those_of(std::move(odds))));
  });
  auto const pulled_before = [](stream<int> s) -> stream<sum> {
    auto halves = split(std::move(s), is_even);
    stream<int> odds = slowly(std::move(halves.rest), 1s);
    std::vector<int> some;
    if (int* const x = co_await odds.next()) some.push_back(*x);
    stream<int> both = merge(std::move(odds), std::move(halves.matching));
    stream<sum> out = sums(std::move(both));
    while (sum* const x = co_await out.next()) co_yield std::move(*x);
  };
  feed<int> in(numbers(1, 9));
  in.barrier_at(4).barrier_at(6);
  auto const got = testing::run(drain(pulled_before(in.open())));
  CHECK(got.failure == "");
  CHECK(last_of_each(got.values) == std::map<int, int>{{0, 2 + 4 + 6 + 8}, {1, 3 + 5 + 7}});
}

TEST_CASE("a join of two branches goes on from a checkpoint with what both had before it", "[operators][branches]") {
  struct own {
    static auto in_time(stream<int> s) {
      return std::move(s) | event_time([](int x) { return instant(x); }, bounded_disorder(100ns)) | key_by([](int) { return 0; });
    }
    static stream<sum> pairs(stream<int> s) {
      auto halves = split(std::move(s), is_even);
      auto joined = window_join(in_time(slowly(std::move(halves.matching), 2s)), in_time(std::move(halves.rest)), 4ns, late::drop());
      return std::move(joined) | map([](auto const& p) { return sum(*p.left, *p.right); });
    }
  };
  // [0,4): 2 with 1 and 3; [4,8): 4 and 6 with 5 and 7; [8,12): 8 and 10 with 9 and 11.
  std::set<sum> const expected{{2, 1}, {2, 3}, {4, 5}, {4, 7}, {6, 5}, {6, 7}, {8, 9}, {8, 11}, {10, 9}, {10, 11}};
  for (std::uint64_t seed = 1; seed != 8; ++seed) {
    for (std::size_t at = 0; at != last; ++at) {
      CAPTURE(seed, at);
      feed<int> first(numbers(1, last + 1));
      first.waits().barrier_at(at / 2).barrier_at(at);
      first.stops();  // no window closes
      CHECK(testing::run(drain(own::pairs(first.open())), seed).values.empty());
      REQUIRE(first.barrier(1).completed());
      feed<int> rest(numbers(static_cast<int>(at) + 1, last + 1));
      rest.waits().restores(first.kept());
      auto const got = testing::run(drain(own::pairs(rest.open())), seed);
      CHECK(got.failure == "");
      CHECK(got.values.size() == expected.size());
      CHECK(std::set<sum>(got.values.begin(), got.values.end()) == expected);
    }
  }
}

TEST_CASE("a checkpoint outlives the streams it came through", "[operators][branches]") {
  feed<int> in(numbers(1, 5));
  in.barrier_at(2).barrier_at(4);
  auto halves = split(in.open(), is_even);
  stream<int> met = merge(std::move(halves.matching), std::move(halves.rest));
  stream<sum> out = sums(std::move(met) | prefetch(64)) | prefetch(64);
  auto const late = [](stream<sum> s) -> task<std::vector<sum>> {
    std::vector<sum> got;
    while (sum* const x = co_await s.next()) {
      got.push_back(*x);
      co_await sleep_for(1h);
    }
    co_return got;
  };
  CHECK(last_of_each(testing::run(late(std::move(out)))) == std::map<int, int>{{0, 6}, {1, 4}});
  CHECK(in.barrier(1).completed());
}

TEST_CASE("branches that meet in a coroutine of its own are refused where there is state behind", "[operators][branches]") {
  struct hidden {  // a stream that a generator takes inside of something else is not seen
    hidden(stream<int> a, stream<int> b) noexcept : left(std::move(a)), right(std::move(b)) {}
    stream<int> left, right;
  };
  auto const in_turn = [](hidden both) -> stream<int> {
    for (int* x = co_await both.left.next(); x; x = co_await both.left.next()) {
      co_yield std::move(*x);
      if (int* const y = co_await both.right.next()) co_yield std::move(*y);
    }
  };
  feed<int> in(numbers(1, 9));
  in.barrier_at(4);
  auto halves = split(in.open(), is_even);
  auto const got = testing::run(drain(sums(in_turn(hidden(std::move(halves.matching), std::move(halves.rest))))));
  CHECK(got.code == errc::misuse);
  CHECK(got.failure ==
        "checkpoint: cannot be made: branches of a split meet (split 0/ and split 1/) without waiting for each other, and what is behind "
        "them would be saved at two moments; let merge or a join bring them together, and give a generator that takes such streams each of "
        "them as a parameter");
  CHECK_FALSE(in.barrier().completed());
}

TEST_CASE("a branch that keeps a checkpoint back for ever is reported once the capacity is used", "[operators][branches]") {
  feed<int> in(numbers(0, 200));
  in.waits().barrier_at(11);
  auto halves = split(in.open(), [](int x) { return x < 20 && is_even(x); }, {.capacity = 10});
  stream<int> evens = std::move(halves.matching) | window(50) | map([](std::vector<int> const& b) { return static_cast<int>(b.size()); });
  auto const got = testing::run(drain(sums(merge(std::move(evens), std::move(halves.rest)))));
  CHECK(got.code == errc::stalled);
  CHECK(
      got.failure ==
      "split: cannot go on: the other half has 10 elements waiting and is held where the halves meet, until a checkpoint has come through "
      "this one, which keeps it back; put what waits for more elements (window(n), partition_by, a generator that yields seldom) behind "
      "the merge");
}

TEST_CASE("state of branches that meet is refused where they do not", "[operators][branches]") {
  feed<int> first(numbers(1, 9));
  first.barrier_at(4);
  auto halves = split(first.open(), is_even);
  (void)all_of(sums(merge(std::move(halves.matching), std::move(halves.rest))));
  restored_state state(first.kept());
  (void)state.take("scan");
  CHECK_THROWS_WITH(state.check_all_taken(), Catch::Contains("(split 0+split 1)/event_time"));
}
