// Joins against nested loops over all elements, for random elements in random order from both sides.
#include <weir/operators/as_of_join.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/interval_join.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/window_join.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/run.hpp>

#include "properties/dice.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::dice;
using ns = std::chrono::nanoseconds;

namespace {

constexpr std::uint64_t seeds = 200;
constexpr std::array kinds{join_kind::inner, join_kind::left, join_kind::full};

struct bid {
  int key, id;
  instant time;
};
struct ask {
  int id, key;
  instant time;
};

// By `key`; equal ones stay as they are.
template <class T, class Key> std::vector<T> ordered(std::vector<T> const& xs, Key key) {
  std::vector<std::size_t> places(xs.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::sort(places.begin(), places.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(key(xs[a]), a) < std::pair(key(xs[b]), b); });
  std::vector<T> out;
  for (std::size_t const i : places) out.push_back(xs[i]);
  return out;
}

// In the order of arrival: `bound` out of the order of event times, at the most.
template <class T> std::vector<T> draw(dice& d, int bound, T (*make)(int key, int id, instant)) {
  std::vector<std::pair<instant, T>> by_arrival;
  int const n = d.upto(40), keys = d.upto(4), range = 1 + d.upto(150);
  for (int id = 0; id != n; ++id) {
    instant const t = d.upto(range) - range / 3;
    by_arrival.emplace_back(t + d.upto(bound), make(d.upto(keys), id, t));
  }
  std::vector<T> out;
  for (auto const& [when, x] : ordered(by_arrival, [](auto const& a) { return a.first; })) out.push_back(x);
  return out;
}
struct scene {
  explicit scene(std::uint64_t seed) {
    dice d(seed);
    bound = d.upto(15);
    bids = draw<bid>(d, bound, [](int k, int i, instant t) { return bid{k, i, t}; });
    asks = draw<ask>(d, bound, [](int k, int i, instant t) { return ask{i, k, t}; });
    lower = d.upto(40) - 25;
    upper = lower + d.upto(30);
    span = 1 + d.upto(30);
    bids_slow = d.upto(3);
    asks_slow = d.upto(3);
  }
  int bound = 0, lower = 0, upper = 0, span = 0, bids_slow = 0, asks_slow = 0;
  std::vector<bid> bids;
  std::vector<ask> asks;
};

// One at a time, or several, and now and then later, so that the sides interleave in many ways.
template <class T> stream<T> played(std::vector<T> all, int slow, std::uint64_t seed) {
  dice d(seed);
  for (std::size_t at = 0; at != all.size();) {
    if (slow != 0) co_await sleep_for(std::chrono::milliseconds(d.upto(slow)));
    std::size_t const n = std::min<std::size_t>(all.size() - at, static_cast<std::size_t>(1 + d.upto(3)));
    chunk<T> const c(std::span<T>(all).subspan(at, n));
    at += n;
    co_yield c;
  }
}
auto left_of(scene const& s, std::uint64_t seed) {
  return played(s.bids, s.bids_slow, seed) | event_time(&bid::time, bounded_disorder(ns(s.bound))) | key_by(&bid::key);
}
auto right_of(scene const& s, std::uint64_t seed) {
  return played(s.asks, s.asks_slow, seed + 1) | event_time(&ask::time, bounded_disorder(ns(s.bound))) | key_by(&ask::key);
}

using ids = std::vector<std::tuple<int, int, int>>;  // key, left, right; -1: none
template <class Joined> task<ids> collect(stream<Joined> s) {
  ids out;
  while (Joined const* const p = co_await s.next()) out.emplace_back(p->key, p->left ? p->left->id : -1, p->right ? p->right->id : -1);
  co_return out;
}
template <class Chain> ids run(Chain chain, std::uint64_t seed) {
  return testing::run(collect<typename Chain::value_type>(std::move(chain)), seed);
}
ids sorted(ids x) {
  std::sort(x.begin(), x.end());
  return x;
}

ids within(scene const& s, join_kind kind) {
  ids out;
  std::vector<bool> asked(s.asks.size());
  for (bid const& b : s.bids) {
    bool alone = true;
    for (std::size_t i = 0; i != s.asks.size(); ++i) {
      ask const& a = s.asks[i];
      if (a.key != b.key || a.time < b.time + s.lower || a.time > b.time + s.upper) continue;
      out.emplace_back(b.key, b.id, a.id);
      asked[i] = true;
      alone = false;
    }
    if (alone && kind != join_kind::inner) out.emplace_back(b.key, b.id, -1);
  }
  for (std::size_t i = 0; i != s.asks.size(); ++i)
    if (!asked[i] && kind == join_kind::full) out.emplace_back(s.asks[i].key, -1, s.asks[i].id);
  return sorted(std::move(out));
}
instant window_of(scene const& s, instant t) { return floor_to(t, ns(s.span)); }
ids in_windows(scene const& s, join_kind kind) {
  ids out;
  auto const together = [&](bid const& b, ask const& a) { return a.key == b.key && window_of(s, a.time) == window_of(s, b.time); };
  for (bid const& b : s.bids) {
    bool alone = true;
    for (ask const& a : s.asks) {
      if (!together(b, a)) continue;
      out.emplace_back(b.key, b.id, a.id);
      alone = false;
    }
    if (alone && kind != join_kind::inner) out.emplace_back(b.key, b.id, -1);
  }
  for (ask const& a : s.asks) {
    bool const alone = std::none_of(s.bids.begin(), s.bids.end(), [&](bid const& b) { return together(b, a); });
    if (alone && kind == join_kind::full) out.emplace_back(a.key, -1, a.id);
  }
  return sorted(std::move(out));
}
// In the order of event times, of equal ones by key (which the join does not promise), of one key as they came.
ids as_of(scene const& s, join_kind kind) {
  auto const bids = ordered(s.bids, [](bid const& b) { return std::pair(b.time, b.key); });
  ids out;
  for (bid const& b : bids) {
    ask const* last = nullptr;
    for (ask const& a : s.asks)
      if (a.key == b.key && a.time <= b.time && b.time - a.time <= s.span && (!last || a.time >= last->time)) last = &a;
    if (last || kind == join_kind::left) out.emplace_back(b.key, b.id, last ? last->id : -1);
  }
  return out;
}
// The event time of an answer.
auto time_in(scene const& s) {
  return [&s](auto const& pair) {
    return std::find_if(s.bids.begin(), s.bids.end(), [&](bid const& b) { return b.id == std::get<1>(pair); })->time;
  };
}

}  // namespace

TEST_CASE("an interval join gives the pairs of a nested loop, and alone who has none, however the sides interleave", "[properties][join]") {
  std::size_t pairs = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    scene const s(seed);
    for (join_kind const kind : kinds) {
      CAPTURE(seed, static_cast<int>(kind), s.lower, s.upper, s.bound);
      ledger books;
      auto out = interval_join(left_of(s, seed), right_of(s, seed), interval(ns(s.lower), ns(s.upper)), late::drop(), kind,
                               join_options().counted_in(books, "join"));
      auto const expected = within(s, kind);
      CHECK(sorted(run(std::move(out), seed)) == expected);
      tally const t = books.sum("join");
      CHECK(t.in == s.bids.size() + s.asks.size());
      CHECK(t.out == t.in);
      pairs += expected.size();
    }
  }
  CHECK(pairs > 10 * seeds);
}

TEST_CASE("an as-of join gives what a search through all gives, in the order of event times, however the sides interleave",
          "[properties][join]") {
  std::size_t answers = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    scene const s(seed);
    for (join_kind const kind : {join_kind::inner, join_kind::left}) {
      CAPTURE(seed, static_cast<int>(kind), s.span, s.bound);
      ledger books;
      auto out = as_of_join(left_of(s, seed), right_of(s, seed), ns(s.span), late::drop(), kind, join_options().counted_in(books, "join"));
      auto const expected = as_of(s, kind);
      auto const got = run(std::move(out), seed);
      auto const time_of = time_in(s);
      CHECK(std::is_sorted(got.begin(), got.end(), [&](auto const& a, auto const& b) { return time_of(a) < time_of(b); }));
      CHECK(ordered(got, [&](auto const& pair) { return std::pair(time_of(pair), std::get<0>(pair)); }) == expected);
      tally const t = books.sum("join");
      CHECK(t.in == s.bids.size() + s.asks.size());
      CHECK(t.out == t.in);
      if (kind == join_kind::inner) answers += expected.size();
    }
  }
  CHECK(answers > seeds);
}

TEST_CASE("a window join gives the pairs of a nested loop, and alone who has none, however the sides interleave", "[properties][join]") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    scene const s(seed);
    for (join_kind const kind : kinds) {
      CAPTURE(seed, static_cast<int>(kind), s.span, s.bound);
      auto out = window_join(left_of(s, seed), right_of(s, seed), ns(s.span), late::drop(), kind);
      CHECK(sorted(run(std::move(out), seed)) == in_windows(s, kind));
    }
  }
}
