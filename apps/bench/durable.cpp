// One-minute bars that survive a crash: they grow in memory, and every 5,000 ticks what has changed is committed to SQLite with the
// position of the input. Beside the same by hand, and beside bars that nobody keeps. Time on the wall, since a commit waits for the disk.
#include "event_load.hpp"
#include "reference.hpp"
#include "scratch_folder.hpp"
#include "tick_load.hpp"

#include <weir/operators/accumulators/ohlcv.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/sqlite/state_store.hpp>
#include <weir/testing/run.hpp>
#include <weir/weir.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace weir;
using namespace std::chrono_literals;
using bench::tick;

constexpr std::size_t count_of_ticks = 2'000'000, per_commit = 5'000;
constexpr std::int64_t minute = 60'000, bound = 5'000;

struct totals {
  std::uint64_t bars = 0;
  std::int64_t volume = 0;
  bool operator==(totals const&) const = default;
};

struct bar {
  double open, high, low, close;
  std::int64_t volume;
  std::uint64_t trades;
  bool changed;
};

totals keep_by_hand(std::filesystem::path const& file) {
  sqlite::database db(file);
  db.execute("PRAGMA journal_mode = WAL");
  db.execute("PRAGMA synchronous = FULL");
  db.execute("CREATE TABLE bars(minute INTEGER, symbol INTEGER, value BLOB, PRIMARY KEY(minute, symbol)) WITHOUT ROWID");
  db.execute("CREATE TABLE position(id INTEGER PRIMARY KEY, done INTEGER)");
  auto put = db.prepare("INSERT OR REPLACE INTO bars VALUES(?, ?, ?)"), drop = db.prepare("DELETE FROM bars WHERE minute = ?"),
       move = db.prepare("INSERT OR REPLACE INTO position VALUES(1, ?)");
  std::map<std::int64_t, boost::unordered_flat_map<std::uint32_t, bar>> minutes;
  std::vector<std::int64_t> gone;
  totals sum;
  std::int64_t highest = 0, done = 0;
  auto const fire = [&](std::int64_t watermark) {
    while (!minutes.empty() && (minutes.begin()->first + 1) * minute <= watermark) {
      for (auto const& [symbol, b] : minutes.begin()->second) {
        ++sum.bars;
        sum.volume += b.volume;
      }
      gone.push_back(minutes.begin()->first);
      minutes.erase(minutes.begin());
    }
  };
  auto const commit = [&] {
    sqlite::transaction all(db);
    for (std::int64_t const m : gone) drop.run(m);
    gone.clear();
    for (auto& [m, bars] : minutes) {
      for (auto& [symbol, b] : bars) {
        if (!std::exchange(b.changed, false)) continue;
        put.run(m, std::int64_t{symbol}, std::as_bytes(std::span(&b, 1)));
      }
    }
    move.run(done);
    all.commit();
  };
  for (tick const& t : bench::ticks(count_of_ticks)) {
    if (std::int64_t const m = t.ms / minute; (m + 1) * minute > highest - bound - 1) {
      auto const [at, fresh] = minutes[m].try_emplace(t.symbol, bar{t.price, t.price, t.price, t.price, 0, 0, true});
      bar& b = at->second;
      b.high = std::max(b.high, t.price);
      b.low = std::min(b.low, t.price);
      b.close = t.price;
      b.volume += t.size;
      ++b.trades;
      b.changed = true;
    }
    if (t.ms > highest) {
      highest = t.ms;
      fire(highest - bound - 1);
    }
    if (++done % std::int64_t{per_commit} == 0) commit();
  }
  fire(end_of_time);
  commit();
  return sum;
}

class tick_source final : public source<tick> {
public:
  std::string_view name() const noexcept override { return "ticks"; }
  std::vector<std::string> partitions() const override { return {"0"}; }
  stream<tick> open(std::string, std::optional<position> after) override {
    std::span<tick> const all = bench::ticks(count_of_ticks);
    return bench::in_chunks<tick>(all.subspan(after ? after->offset() : 0));
  }
};

totals keep(std::shared_ptr<state_store> store, std::uint64_t records) {
  totals sum;
  application app({.name = "bars", .checkpoints = std::move(store), .commit = {.records = records, .every = 1h}});
  app.use_source(std::make_shared<tick_source>(), [&sum](auto& pipeline) {
    // NOLINTNEXTLINE(cppcoreguidelines-avoid-capturing-lambda-coroutines): the pipeline keeps its handler
    pipeline.use_stream([&sum](stream<tick> in, cancellation) -> task<> {
      auto bars = std::move(in) | event_time(bench::time_of_event, bounded_disorder(5s)) | key_by(&tick::symbol) |
                  tumbling_window(1min, late::drop()) | aggregate(ohlcv(&tick::price, &tick::size));
      while (auto* b = co_await bars.next()) {
        ++sum.bars;
        sum.volume += b->value.volume;
      }
    });
  });
  testing::run(app.serve());
  return sum;
}

void by_hand(benchmark::State& state) {
  (void)bench::ticks(count_of_ticks);
  for (auto _ : state) {
    bench::scratch_folder const folder;
    benchmark::DoNotOptimize(keep_by_hand(folder.path() / "state.sqlite"));
  }
  bench::per_element(state, count_of_ticks);
}
void check(benchmark::State& state, totals const& got) {
  static totals const expected = keep_by_hand(bench::scratch_folder().path() / "state.sqlite");
  if (got != expected) state.SkipWithError("these are not the bars of the loop");
}
void durable(benchmark::State& state) {
  for (auto _ : state) {
    bench::scratch_folder const folder;
    check(state, keep(std::make_shared<sqlite::state_store>(folder.path() / "state.sqlite"), per_commit));
  }
  bench::per_element(state, count_of_ticks);
}
void in_memory(benchmark::State& state) {
  for (auto _ : state) check(state, keep(nullptr, count_of_ticks + 1));
  bench::per_element(state, count_of_ticks);
}

BENCHMARK(by_hand)->Name("bars kept in SQLite by hand, each 5,000 ticks (wall)")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(durable)->Name("bars kept in SQLite, each 5,000 ticks (wall)")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(in_memory)->Name("the same bars, not kept (wall)")->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
