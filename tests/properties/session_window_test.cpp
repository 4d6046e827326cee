// Sessions against a batch computation and against a model that keeps a plain list, over 200 random inputs each.
#include <weir/operators/session_window.hpp>

#include "operators/session_support.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

using namespace weir;
using namespace weir::test;

namespace {

struct load {
  std::vector<event> arrivals;
  ns gap{0}, disorder{0};
};

// Up to 5 keys with bursts and silences around the gap; an element comes up to `disorder` after elements that are later than it.
load random_load(std::mt19937_64& random) {
  auto const draw = [&random](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  load l;
  l.gap = ns(draw(1, 50));
  l.disorder = ns(draw(0, 1) * draw(0, 300));
  int const n = draw(0, 150), keys = draw(1, 5), pace = draw(1, 60);
  std::vector<std::tuple<instant, event>> order;
  instant t = draw(-500, 500);
  for (int i = 0; i != n; ++i) {
    t += draw(0, 3) == 0 ? l.gap.count() - draw(-1, 1) : draw(0, pace);  // often a silence of the gap, give or take one
    order.emplace_back(t + draw(0, static_cast<int>(l.disorder.count())), event(std::string(1, static_cast<char>('a' + draw(1, keys))), t));
  }
  std::stable_sort(order.begin(), order.end(), [](auto const& a, auto const& b) { return std::get<0>(a) < std::get<0>(b); });
  for (auto& [when, e] : order) l.arrivals.push_back(std::move(e));
  return l;
}

struct found {
  std::string key;
  time_window window;
  std::uint64_t elements = 0;
  std::size_t first_seen = 0;
};
std::string text(found const& f) { return f.key + test::text(f.window) + "=" + std::to_string(f.elements); }

// All at once: each key's times in order, cut where they are a gap or more apart; in the order in which they are to fire.
std::vector<found> batch(load const& l) {
  std::map<std::string, std::vector<std::pair<instant, std::size_t>>> times;
  for (std::size_t i = 0; i != l.arrivals.size(); ++i) times[l.arrivals[i].key].emplace_back(l.arrivals[i].time, i);
  std::vector<found> out;
  for (auto& [key, of_key] : times) {
    std::sort(of_key.begin(), of_key.end());
    for (std::size_t i = 0; i != of_key.size(); ++i) {
      auto const [t, arrival] = of_key[i];
      if (i == 0 || t - of_key[i - 1].first >= l.gap.count()) out.push_back({key, time_window(t, t), 0, arrival});
      out.back().window.end = t + l.gap.count();
      out.back().first_seen = std::min(out.back().first_seen, arrival);
      ++out.back().elements;
    }
  }
  std::sort(out.begin(), out.end(),
            [](found const& a, found const& b) { return std::tie(a.window.end, a.first_seen) < std::tie(b.window.end, b.first_seen); });
  return out;
}
std::vector<std::string> texts(std::vector<found> const& all) {
  std::vector<std::string> out;
  for (found const& f : all) out.push_back(text(f));
  return out;
}

template <class Late, class Emission> auto run(load const& l, ns bound, std::size_t chunk, Late late, Emission e, ledger const& books) {
  auto out = in_time(feed(l.arrivals).chunks(chunk).open(), bound) | key_by(&event::key) |
             session_window(l.gap, std::move(late), std::move(e)) | aggregate(count()).counted_in(books, "all");
  return all_of(stream<window_result<std::string, std::uint64_t>>(std::move(out)));
}
// f(late policy) with one of the three.
template <class F> void with_random_policy(std::mt19937_64& random, F f) {
  auto const n = random();
  if (n % 3 == 0) f(late::drop());
  else if (n % 3 == 1) f(late::side_output([](event&) {}));
  else f(late::update(ns(n / 3 % 500)));
}
template <class F> void with_random_emission(std::mt19937_64& random, F f) {
  auto const n = random();
  if (n % 3 == 0) f(emit::final());
  else if (n % 3 == 1) f(emit::on_each());
  else f(emit::early(ns(n / 3 % 100 + 1)));
}

}  // namespace

TEST_CASE("sessions over shuffled input with a sufficient bound are those of a batch computation, in the order of their ends") {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    load const l = random_load(random);
    auto const expected = texts(batch(l));
    with_random_policy(random, [&](auto late) {
      for (std::size_t const chunk : chunkings) {
        ledger books;
        std::vector<std::string> got;
        for (auto const& r : run(l, l.disorder, chunk, late, emit::final(), books)) got.push_back(said(r));
        CHECK(got == expected);
        tally const t = books.sum("all");
        CHECK(t.balanced());
        CHECK(t.out == l.arrivals.size());
      }
    });
  }
}

TEST_CASE("a table of sessions that follows results and retractions ends as a batch computation, whatever the disorder") {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    load const l = random_load(random);
    ns const bound(random() % 2 * static_cast<std::uint64_t>(l.disorder.count()) / 3);
    auto expected = texts(batch(l));
    std::sort(expected.begin(), expected.end());
    with_random_emission(random, [&](auto emission) {
      for (std::size_t const chunk : chunkings) {
        ledger books;
        std::map<std::pair<std::string, time_window>, window_result<std::string, std::uint64_t>> rows;
        // Nothing is ever too late for what is kept, so nothing is lost.
        for (auto const& r : run(l, bound, chunk, late::update(1h), emission, books)) {
          auto const at = rows.find(std::pair(r.key, r.window));
          if (is_retraction(r)) {
            REQUIRE(at != rows.end());
            rows.erase(at);
            continue;
          }
          if (at != rows.end()) {
            CHECK(r.revision > at->second.revision);
            rows.erase(at);
          }
          for (auto const& [id, row] : rows)  // no element is in two rows at any time
            CHECK((id.first != r.key || id.second.end <= r.window.start || id.second.start >= r.window.end));
          rows.emplace(std::pair(r.key, r.window), r);
        }
        std::vector<std::string> got;
        for (auto const& [id, row] : rows) got.push_back(id.first + test::text(id.second) + "=" + std::to_string(row.value));
        std::sort(got.begin(), got.end());
        CHECK(got == expected);
        tally const t = books.sum("all");
        CHECK(t.balanced());
        CHECK(t.out == l.arrivals.size());
      }
    });
  }
}

namespace {

// The rules of session_window's documentation, one after the other, on a plain list.
class model {
public:
  model(load const& l, ns bound) : gap_(l.gap.count()) {
    for (event const& e : l.arrivals) {
      take(e);
      ++seen_;
      reach(std::max(watermark_, e.time - bound.count() - 1));
    }
    reach(end_of_time);
  }
  std::vector<std::string> results;
  std::size_t late = 0;

private:
  void take(event const& e) {
    time_window const own(e.time, e.time + gap_);
    found joined{e.key, own, 1, seen_};
    bool alone = true;
    std::erase_if(open_, [&](found const& s) {
      if (s.key != e.key || s.window.end <= own.start || own.end <= s.window.start) return false;
      joined.window = time_window(std::min(joined.window.start, s.window.start), std::max(joined.window.end, s.window.end));
      joined.elements += s.elements;
      joined.first_seen = std::min(joined.first_seen, s.first_seen);
      alone = false;
      return true;
    });
    if (alone && own.end <= watermark_) ++late;
    else open_.push_back(joined);
  }
  void reach(instant watermark) {
    watermark_ = watermark;
    std::sort(open_.begin(), open_.end(),
              [](found const& a, found const& b) { return std::tie(a.window.end, a.first_seen) < std::tie(b.window.end, b.first_seen); });
    std::erase_if(open_, [&](found const& s) {
      if (s.window.end > watermark) return false;
      results.push_back(text(s));
      return true;
    });
  }
  instant gap_, watermark_ = start_of_time;
  std::size_t seen_ = 0;
  std::vector<found> open_;
};

}  // namespace

TEST_CASE("sessions with elements that come too late are those of a plain list that follows the rules") {
  std::size_t late = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    load const l = random_load(random);
    ns const bound(static_cast<std::int64_t>(random() % 100) * l.disorder.count() / 200);
    model const expected(l, bound);
    late += expected.late;
    for (std::size_t const chunk : chunkings) {
      ledger books;
      std::vector<std::string> got;
      for (auto const& r : run(l, bound, chunk, late::drop(), emit::final(), books)) got.push_back(said(r));
      CHECK(got == expected.results);
      tally const t = books.sum("all");
      CHECK(t.balanced());
      CHECK(t.in == l.arrivals.size());
      CHECK(t.late == expected.late);
    }
  }
  CHECK(late > 500);  // the inputs are worth something
}

TEST_CASE("sessions restored somewhere in a random input, with any policy and emission, go on as if nothing had happened") {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    load l = random_load(random);
    if (l.arrivals.size() > 40) l.arrivals.erase(l.arrivals.begin() + 40, l.arrivals.end());
    ns const bound(l.disorder.count() / 2);
    with_random_policy(random, [&](auto late) {
      with_random_emission(random, [&](auto emission) {
        check_restored_equals_uninterrupted(l.arrivals, [&](stream<event> s) -> stream<std::string> {
          return as_said(in_time(std::move(s), bound) | key_by(&event::key) | session_window(l.gap, late, emission) | aggregate(count()));
        });
      });
    });
  }
}
