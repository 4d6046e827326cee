// A count per key and window over a million keys, beside a hash map that counts.
#include "event_load.hpp"
#include "reference.hpp"

#include <weir/operators/accumulators/count.hpp>
#include <weir/testing/run.hpp>
#include <weir/weir.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace weir;
using bench::event;

constexpr std::size_t count_of_events = 5'000'000, count_of_keys = 1'000'000;
constexpr std::int64_t minutes = 10, minute = 60'000;

// Ten minutes in order, each event of any key.
std::vector<event>& events() {
  static std::vector<event> all;
  if (!all.empty()) return all;
  std::mt19937_64 random(42);
  all.reserve(count_of_events);
  for (std::size_t i = 0; i < count_of_events; ++i)
    all.push_back(
        {random() % count_of_keys, bench::load_start + static_cast<std::int64_t>(i) * minutes * minute / std::int64_t{count_of_events}});
  return all;
}

struct totals {
  std::uint64_t results = 0, events = 0, keys = 0;
  void add(std::uint64_t key, std::uint64_t n) noexcept {
    ++results;
    events += n;
    keys += key * n * n;  // overflows, always to the same
  }
  bool operator==(totals const&) const = default;
};

// `held`: bytes when all keys are there.
totals count_by_hand(std::int64_t size, std::size_t* held = nullptr) {
  std::size_t const before = bench::heap_in_use();
  totals sum;
  boost::unordered_flat_map<std::uint64_t, std::uint64_t> counts;
  auto const give = [&] {
    for (auto const& [key, n] : counts) sum.add(key, n);
    counts.clear();
  };
  std::int64_t end = bench::load_start + size;
  for (event const& e : events()) {
    if (e.ms >= end) {
      give();
      end += size;
    }
    ++counts[e.id];
  }
  if (held) *held = bench::heap_in_use() - before;
  give();
  return sum;
}
task<totals> count_windows(std::int64_t size, std::size_t& at_end) {
  totals sum;
  auto counts = bench::in_chunks<event>(events(), &at_end) | event_time(bench::time_of_event, monotonic()) | key_by(&event::id) |
                tumbling_window(std::chrono::milliseconds(size), late::drop()) | aggregate(count());
  while (auto* c = co_await counts.next()) sum.add(c->key, c->value);
  co_return sum;
}

void report(benchmark::State& state, std::size_t held) {
  bench::per_element(state, count_of_events);
  // Of several windows, those that have fired leave their memory to the next ones.
  if (state.range(0) == minutes) state.counters["bytes"] = static_cast<double>(held) / double{count_of_keys};
}
void by_hand(benchmark::State& state) {
  (void)events();
  std::size_t held = 0;
  for (auto _ : state) benchmark::DoNotOptimize(count_by_hand(state.range(0) * minute, &held));
  report(state, held);
}
void windows(benchmark::State& state) {
  totals const expected = count_by_hand(state.range(0) * minute);
  std::size_t const before = bench::heap_in_use();
  std::size_t at_end = 0;
  for (auto _ : state)
    if (testing::run(count_windows(state.range(0) * minute, at_end)) != expected)
      state.SkipWithError("these are not the counts of the hash map");
  report(state, at_end - before);
}

BENCHMARK(by_hand)->Name("count of 1 million keys in one window by hand")->Arg(10)->Unit(benchmark::kMillisecond);
BENCHMARK(windows)->Name("count of 1 million keys in one window")->Arg(10)->Unit(benchmark::kMillisecond);
BENCHMARK(by_hand)->Name("count of 1 million keys in five windows by hand")->Arg(2)->Unit(benchmark::kMillisecond);
BENCHMARK(windows)->Name("count of 1 million keys in five windows")->Arg(2)->Unit(benchmark::kMillisecond);

}  // namespace
