// Windows equal what a naive computation says, for random windows, disorder, policies, emissions, chunks and restarts.
#include <weir/operators/accumulators/combined.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/accumulators/sum.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/inspect.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/tumbling_window.hpp>

#include "operators/support.hpp"
#include "properties/naive_windows.hpp"

#include <chrono>
#include <functional>
#include <random>

using namespace weir;
using namespace weir::test;

namespace {

using ns = std::chrono::nanoseconds;

struct window_case {
  window_rules rules;
  bool sufficient = false;  // the bound covers the disorder
  std::vector<item> input;
  std::string described;
};

window_case make_case(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  auto const up_to = [&](instant n) { return static_cast<instant>(random() % static_cast<std::uint64_t>(n + 1)); };
  window_case c;
  window_rules& r = c.rules;
  r.size = 1 + up_to(60);
  r.slide = up_to(1) ? r.size : 1 + up_to(r.size - 1);
  r.offset = up_to(r.slide - 1);
  r.updates = up_to(1) == 1;
  r.allowed = up_to(60);
  r.emits = static_cast<emission>(up_to(2));
  r.every = 1 + up_to(40);
  instant const disorder = up_to(100);
  c.sufficient = up_to(1) == 1;
  r.bound = c.sufficient ? disorder : up_to(disorder / 3);
  instant const epochs[] = {0, -1000, 1'704'067'200'000'000'000, detail::earliest_event};
  instant time = epochs[up_to(3)], gap = 1 + up_to(20);
  std::vector<std::pair<instant, instant>> came;  // by when they come
  for (instant i = 0, n = 20 + up_to(100); i != n; ++i) {
    time += up_to(gap) * (up_to(30) == 0 ? 20 : 1);
    came.emplace_back(time + up_to(disorder), time);
  }
  std::ranges::stable_sort(came, {}, &std::pair<instant, instant>::first);
  instant const keys = up_to(5);
  for (auto const& [_, at] : came) c.input.push_back({static_cast<int>(up_to(keys)), at, static_cast<int>(c.input.size())});
  c.described = "size " + std::to_string(r.size) + " slide " + std::to_string(r.slide) + " offset " + std::to_string(r.offset) + " bound " +
                std::to_string(r.bound) + (r.updates ? " allowed " + std::to_string(r.allowed) : "") + " emission " +
                std::to_string(static_cast<int>(r.emits)) + " every " + std::to_string(r.every) + " disorder " + std::to_string(disorder);
  return c;
}

// What a run saw beside its results.
struct observed {
  ledger books;
  std::vector<std::pair<int, std::string>> missed;  // by the index of the element
  std::function<void(item const&)> before_each = [](item const&) {};
};

// Type-erased before and behind the windows, so that what is compiled for each kind of them is little.
using totals = decltype(combined(count(), sum(&item::index)));
using result = window_result<int, accumulator_result<totals, item>>;

class late_to {
public:
  explicit late_to(observed& o) : o_(&o) {}
  void operator()(item const& x, lateness const& l) const {
    CHECK(o_->books.sum("all").balanced());
    o_->missed.emplace_back(x.index, naive_windows::shown_missed(x, l.window.start, l.window.end));
  }

private:
  observed* o_;
};

template <class Late, class Emission>
stream<result> windows_in(timed_stream<item> s, window_rules const& r, observed& o, Late late, Emission emission) {
  auto with = [&](auto windows) {
    return stream<result>(std::move(s) | inspect(std::ref(o.before_each)) | key_by(&item::key) | std::move(windows).offset(ns(r.offset)) |
                          aggregate(combined(count(), sum(&item::index))).counted_in(o.books, "all"));
  };
  if (r.slide == r.size) return with(tumbling_window(ns(r.size), std::move(late), emission));
  return with(sliding_window(ns(r.size), ns(r.slide), std::move(late), emission));
}
template <class Late> stream<result> windows_in(timed_stream<item> s, window_rules const& r, observed& o, Late late) {
  if (r.emits == emission::early) return windows_in(std::move(s), r, o, std::move(late), emit::early(ns(r.every)));
  if (r.emits == emission::on_each) return windows_in(std::move(s), r, o, std::move(late), emit::on_each());
  return windows_in(std::move(s), r, o, std::move(late), emit::final());
}
stream<std::string> results_of(stream<item> s, window_rules const& r, observed& o) {
  timed_stream<item> in_time = std::move(s) | event_time(&item::time, bounded_disorder(ns(r.bound)));
  auto const missed = late::side_output(late_to(o));
  stream<result> results =
      r.updates ? windows_in(std::move(in_time), r, o, late::update(ns(r.allowed), missed)) : windows_in(std::move(in_time), r, o, missed);
  return std::move(results) | map([&o](result const& x) {
           CHECK(o.books.sum("all").balanced());
           auto const& [n, total] = x.value;
           char const* const panes[] = {"/early", "/on_time", "/late"};
           return naive_windows::shown(x.key, x.window.start, x.window.end, n, total) + panes[static_cast<int>(x.pane)] +
                  std::to_string(x.revision);
         });
}

constexpr std::size_t chunk_sizes[] = {0, 1, 2, 7, 64, 256};
constexpr std::uint64_t seeds = 300;

}  // namespace

TEST_CASE("windows equal the naive computation: results, their order, panes and revisions, late elements, and the ledger at each element") {
  int covered[2][2][3] = {};
  std::uint64_t late = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    window_case const c = make_case(seed);
    CAPTURE(seed, c.described);
    ++covered[c.rules.slide == c.rules.size][c.rules.updates][static_cast<int>(c.rules.emits)];
    naive_windows expected(c.rules);
    std::vector<tally> before;
    for (item const& x : c.input) {
      before.push_back(expected.counts);
      expected.take(x);
    }
    expected.end();
    late += expected.counts.late;
    for (std::size_t const n : chunk_sizes) {
      CAPTURE(n);
      observed o;
      bool counted = true;
      o.before_each = [&](item const& x) { counted = counted && o.books.sum("all") == before[static_cast<std::size_t>(x.index)]; };
      auto const got = all_of(results_of(feed<item>(c.input).chunks(n).open(), c.rules, o));
      CHECK(got == expected.results);
      std::vector<std::string> missed;
      for (auto const& m : o.missed) missed.push_back(m.second);
      CHECK(missed == expected.missed);
      CHECK(counted);
      CHECK(o.books.sum("all") == expected.counts);
      CHECK(o.books.sum("all").open == 0);
    }
  }
  CHECK(late > 1000);
  for (auto const& kind : covered)
    for (auto const& policy : kind)
      for (int const n : policy) CHECK(n > 5);
}

TEST_CASE("windows over shuffled elements with a bound that covers the disorder equal the batch computation, and nothing is late") {
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 2 * seeds; ++seed) {
    window_case c = make_case(seed);
    if (!c.sufficient) continue;
    ++tried;
    c.rules.emits = emission::final;
    CAPTURE(seed, c.described);
    observed o;
    std::set<std::string> values;
    for (std::string const& r : all_of(results_of(feed<item>(c.input).chunks(64).open(), c.rules, o))) {
      REQUIRE(r.ends_with("/on_time0"));
      CHECK(values.insert(r.substr(0, r.size() - 9)).second);
    }
    CHECK(values == naive_windows::batch(c.rules, c.input));
    CHECK(o.books.sum("all").late == 0);
  }
  CHECK(tried > 200);
}

TEST_CASE("windows that are restored at any checkpoint go on as if there had been none, with what was late and with the ledger") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    window_case const c = make_case(seed);
    CAPTURE(seed, c.described);
    std::mt19937_64 random(seed);
    naive_windows expected(c.rules);
    for (item const& x : c.input) expected.take(x);
    expected.end();
    for (int times = 0; times != 4; ++times) {
      auto const at = random() % (c.input.size() + 1);
      CAPTURE(at);
      observed before, after;
      feed<item> first(c.input);
      first.chunks(chunk_sizes[random() % std::size(chunk_sizes)]).barrier_at(at);
      auto got = testing::run(run_to(results_of(first.open(), c.rules, before), first.barrier()));
      REQUIRE(got.state);
      feed<item> rest(std::vector<item>(c.input.begin() + static_cast<std::ptrdiff_t>(at), c.input.end()));
      rest.chunks(chunk_sizes[random() % std::size(chunk_sizes)]).restores(*got.state);
      auto const tail = all_of(results_of(rest.open(), c.rules, after));
      got.values.insert(got.values.end(), tail.begin(), tail.end());
      CHECK(got.values == expected.results);
      std::vector<std::string> missed;
      for (auto const& [index, m] : before.missed)
        if (static_cast<std::size_t>(index) < at) missed.push_back(m);
      for (auto const& m : after.missed) missed.push_back(m.second);
      CHECK(missed == expected.missed);
      CHECK(after.books.sum("all") == expected.counts);
    }
  }
}
