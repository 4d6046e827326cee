// Sessions of events out of order, many of which merge, beside the same by hand.
#include "event_load.hpp"
#include "reference.hpp"

#include <weir/operators/accumulators/count.hpp>
#include <weir/testing/run.hpp>
#include <weir/weir.hpp>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <queue>
#include <random>
#include <utility>
#include <vector>

namespace {

using namespace weir;
using bench::event;

constexpr std::int64_t second = 1'000, minute = 60 * second, hour = 60 * minute;
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

// Events each of any key, and late by anything up to `disorder`.
struct load {
  std::int64_t gap, disorder;
  std::vector<event> events;
  load(std::int64_t n, std::int64_t span, std::uint64_t keys, std::int64_t g, std::int64_t d) : gap(g), disorder(d) {
    std::mt19937_64 random(42);
    events.reserve(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
      std::uint64_t const key = random() % keys;
      auto const behind = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(disorder + 1));
      events.push_back({key, bench::load_start + i * span / n - behind});
    }
  }
  std::int64_t size() const noexcept { return static_cast<std::int64_t>(events.size()); }
};
load& few_open() {
  static load all(1'000'000, 4 * hour, 100'000, 30 * minute, hour);
  return all;
}
load& many_open() {
  static load all(500'000, 24 * hour, 100, 10 * second, 12 * hour);
  return all;
}

struct totals {
  std::uint64_t sessions = 0, events = 0, places = 0;
  void add(std::uint64_t key, std::int64_t first, std::int64_t end, std::uint64_t n) noexcept {
    ++sessions;
    events += n;
    places += (key + 1) * n * static_cast<std::uint64_t>(3 * first + end);  // overflows, always to the same
  }
  bool operator==(totals const&) const = default;
};

struct hand_session {
  std::int64_t first, last;
  std::uint64_t n = 1;
  bool joins(std::int64_t ms, std::int64_t gap) const noexcept { return first - gap < ms && ms < last + gap; }
  void add(std::int64_t ms) noexcept {
    first = std::min(first, ms);
    last = std::max(last, ms);
    ++n;
  }
};

// The open sessions of a key, where there are few: a map in a vector, as far as it is used.
class few_sessions : public boost::container::small_vector<std::pair<std::int64_t, hand_session>, 2> {
public:
  iterator upper_bound(std::int64_t ms) {
    return std::upper_bound(begin(), end(), ms, [](std::int64_t t, value_type const& s) { return t < s.first; });
  }
  void emplace_hint(iterator const& place, std::int64_t ms, hand_session s) { emplace(place, ms, s); }
};

// `Sessions`: a map from a time in a session, that of its first event to come, to the session. The queue says when a key has one that may
// have ended.
template <class Sessions> class hand_sessions {
public:
  hand_sessions(std::int64_t gap, totals& out) : gap_(gap), out_(out) {}
  void add(event const& e) {
    one& k = keys_[e.id];
    auto const behind = k.open.upper_bound(e.ms), before = behind == k.open.begin() ? k.open.end() : std::prev(behind);
    bool const joins_before = before != k.open.end() && before->second.joins(e.ms, gap_);
    bool const joins_behind = behind != k.open.end() && behind->second.joins(e.ms, gap_);
    if (!joins_before && !joins_behind) {
      k.open.emplace_hint(behind, e.ms, hand_session{e.ms, e.ms});
      if (e.ms + gap_ < k.due) due_.emplace(k.due = e.ms + gap_, e.id);
      return;
    }
    (joins_before ? before : behind)->second.add(e.ms);
    if (!joins_before || !joins_behind) return;
    before->second.last = behind->second.last;
    before->second.n += behind->second.n;
    k.open.erase(behind);
  }
  void advance(std::int64_t watermark) {
    while (!due_.empty() && due_.top().first <= watermark) {
      auto const [at, id] = due_.top();
      due_.pop();
      auto const k = keys_.find(id);
      if (k == keys_.end() || k->second.due != at) continue;
      auto& open = k->second.open;
      for (; !open.empty() && end_of(open) <= watermark; open.erase(open.begin()))
        out_.add(id, open.begin()->second.first, end_of(open), open.begin()->second.n);
      if (open.empty()) keys_.erase(k);
      else due_.emplace(k->second.due = end_of(open), id);
    }
  }

private:
  struct one {
    Sessions open;
    std::int64_t due = never;
  };
  std::int64_t end_of(Sessions const& open) const { return open.begin()->second.last + gap_; }

  using timer = std::pair<std::int64_t, std::uint64_t>;
  std::int64_t gap_;
  totals& out_;
  boost::unordered_flat_map<std::uint64_t, one> keys_;
  std::priority_queue<timer, std::vector<timer>, std::greater<>> due_;
};

template <class Sessions> totals fold_by_hand(load const& all) {
  totals sum;
  hand_sessions<Sessions> sessions(all.gap, sum);
  std::int64_t highest = 0;
  for (event const& e : all.events) {
    sessions.add(e);
    if (e.ms > highest) sessions.advance((highest = e.ms) - all.disorder - 1);
  }
  sessions.advance(never);
  return sum;
}
totals few_by_hand() { return fold_by_hand<few_sessions>(few_open()); }
totals many_by_hand() { return fold_by_hand<std::map<std::int64_t, hand_session>>(many_open()); }
template <totals (*Loop)(), load& (*Load)()> void by_hand(benchmark::State& state) {
  (void)Load();
  for (auto _ : state) benchmark::DoNotOptimize(Loop());
  bench::per_element(state, Load().size());
}

task<totals> fold(load& all) {
  totals sum;
  auto sessions = bench::in_chunks<event>(all.events) |
                  event_time(bench::time_of_event, bounded_disorder(std::chrono::milliseconds(all.disorder))) | key_by(&event::id) |
                  session_window(std::chrono::milliseconds(all.gap), late::drop()) | aggregate(count());
  while (auto* s = co_await sessions.next()) sum.add(s->key, s->window.start / 1'000'000, s->window.end / 1'000'000, s->value);
  co_return sum;
}
template <totals (*Loop)(), load& (*Load)()> void sessions(benchmark::State& state) {
  static totals const expected = Loop();
  for (auto _ : state)
    if (testing::run(fold(Load())) != expected) state.SkipWithError("these are not the sessions of the loop");
  bench::per_element(state, Load().size());
}

BENCHMARK(by_hand<few_by_hand, few_open>)->Name("sessions of 100,000 keys, few open, by hand")->Unit(benchmark::kMillisecond);
BENCHMARK(sessions<few_by_hand, few_open>)->Name("sessions of 100,000 keys, few open")->Unit(benchmark::kMillisecond);
BENCHMARK(by_hand<many_by_hand, many_open>)->Name("sessions of 100 keys, a thousand open, by hand")->Unit(benchmark::kMillisecond);
BENCHMARK(sessions<many_by_hand, many_open>)->Name("sessions of 100 keys, a thousand open")->Unit(benchmark::kMillisecond);

}  // namespace
