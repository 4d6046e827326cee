// Each id once, of ids of 64 bits, beside hash sets of them.
#include "event_load.hpp"
#include "reference.hpp"

#include <weir/testing/run.hpp>
#include <weir/weir.hpp>

#include <boost/unordered/unordered_flat_set.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace weir;
using bench::event;

constexpr std::size_t count_of_ids = 10'000'000;
constexpr std::int64_t minutes = 10, minute = 60'000, disorder = 5'000;

// Ten minutes of ids; one in 200 comes again within five seconds, with the time it had.
std::vector<event>& events() {
  static std::vector<event> all;
  if (!all.empty()) return all;
  std::mt19937_64 random(42);
  all.reserve(count_of_ids);
  for (std::size_t i = 0; i < count_of_ids; ++i) {
    std::uint64_t const id = random();
    auto const now = bench::load_start + static_cast<std::int64_t>(i) * minutes * minute / std::int64_t{count_of_ids};
    event const again = i == 0 ? event{} : all[i - 1 - random() % std::min<std::size_t>(i, count_of_ids / 200)];
    all.push_back(i % 200 == 199 && now - again.ms <= disorder ? again : event{id, now});
  }
  return all;
}

struct uniques {
  std::uint64_t n = 0, ids = 0;
  void add(std::uint64_t id) noexcept {
    ++n;
    ids += id;
  }
  bool operator==(uniques const&) const = default;
};
using id_set = boost::unordered_flat_set<std::uint64_t>;

uniques once_by_hand() {
  uniques sum;
  id_set seen;
  for (event const& e : events())
    if (seen.insert(e.id).second) sum.add(e.id);
  return sum;
}
// Keeps this minute and the one before.
uniques once_a_minute_by_hand() {
  uniques sum;
  std::array<id_set, 2> seen;
  std::int64_t newest = 0;
  for (event const& e : events()) {
    std::int64_t const own = e.ms / minute;
    if (own > newest) seen[static_cast<std::size_t>((newest = own) % 2)].clear();
    if (!seen[static_cast<std::size_t>((own + 1) % 2)].contains(e.id) && seen[static_cast<std::size_t>(own % 2)].insert(e.id).second)
      sum.add(e.id);
  }
  return sum;
}
template <uniques (*Loop)()> void by_hand(benchmark::State& state) {
  (void)events();
  for (auto _ : state) benchmark::DoNotOptimize(Loop());
  bench::per_element(state, count_of_ids);
}

task<uniques> once(std::chrono::minutes horizon, std::size_t& at_end) {
  uniques sum;
  auto all = bench::in_chunks<event>(events(), &at_end) |
             event_time(bench::time_of_event, bounded_disorder(std::chrono::milliseconds(disorder))) | dedup(&event::id, horizon) |
             for_each([&sum](event const& e) { sum.add(e.id); });
  co_await all;
  co_return sum;
}
// `kept`: the ids that are kept in the end.
template <uniques (*Loop)()> void deduplicate(benchmark::State& state) {
  std::chrono::minutes const horizon(state.range(0));
  static uniques const expected = Loop();
  std::size_t const before = bench::heap_in_use();
  std::size_t at_end = 0;
  for (auto _ : state)
    if (testing::run(once(horizon, at_end)) != expected) state.SkipWithError("these are not the ids of the hash set");
  bench::per_element(state, count_of_ids);
  // Two horizons are kept, or all there are.
  double const kept = static_cast<double>(expected.n) * static_cast<double>(std::min(2 * horizon.count(), minutes)) / double{minutes};
  state.counters["bytes"] = static_cast<double>(at_end - before) / kept;
}

BENCHMARK(by_hand<once_by_hand>)->Name("10 million ids once by hand")->Unit(benchmark::kMillisecond);
BENCHMARK(deduplicate<once_by_hand>)->Name("dedup of 10 million ids, horizon 1 day")->Arg(24 * 60)->Unit(benchmark::kMillisecond);
BENCHMARK(by_hand<once_a_minute_by_hand>)->Name("10 million ids once in two minutes by hand")->Unit(benchmark::kMillisecond);
BENCHMARK(deduplicate<once_a_minute_by_hand>)->Name("dedup of 10 million ids, horizon 1 min")->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
