// Windows in event time over the ticks of tick_load.hpp, beside the same by hand.
#include "event_load.hpp"
#include "reference.hpp"
#include "tick_load.hpp"

#include <weir/operators/accumulators/ohlcv.hpp>
#include <weir/testing/run.hpp>
#include <weir/weir.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace {

using namespace weir;
using namespace std::chrono_literals;
using bench::bar_checksum;
using bench::tick;

constexpr std::size_t count_of_ticks = 20'000'000;

struct hand_bar {
  double open, high, low, close;
  std::int64_t volume;
  std::uint64_t trades;
  std::int64_t first, last;
  void add(tick const& t) noexcept {
    if (trades == 0) {
      *this = {t.price, t.price, t.price, t.price, t.size, 1, t.ms, t.ms};
      return;
    }
    if (t.ms < first) first = t.ms, open = t.price;
    if (t.ms >= last) last = t.ms, close = t.price;
    high = std::max(high, t.price);
    low = std::min(low, t.price);
    volume += t.size;
    ++trades;
  }
};

// The loop one would write: a flat map per open minute, the minute of the last tick at hand.
class hand_windows {
public:
  explicit hand_windows(bar_checksum& out) : out_(out) {}
  void add(tick const& t) {
    std::int64_t const start = t.ms - t.ms % minute;
    if (!current_ || current_->start != start) {
      if (start + minute <= watermark_) {
        ++out_.late;
        return;
      }
      auto it = std::find_if(open_.begin(), open_.end(), [start](one const& w) { return w.start >= start; });
      if (it == open_.end() || it->start != start) it = open_.insert(it, one{start, {}});
      current_ = &*it;
    }
    current_->bars[t.symbol].add(t);
  }
  void advance(std::int64_t watermark) {
    watermark_ = watermark;
    while (!open_.empty() && open_.front().start + minute <= watermark) {
      for (auto const& [symbol, b] : open_.front().bars) out_.add(b.open, b.high, b.low, b.close, b.volume, b.trades);
      open_.pop_front();
      current_ = nullptr;
    }
  }

private:
  static constexpr std::int64_t minute = 60'000;
  struct one {
    std::int64_t start;
    boost::unordered_flat_map<std::uint32_t, hand_bar> bars;
  };
  bar_checksum& out_;
  std::deque<one> open_;
  one* current_ = nullptr;
  std::int64_t watermark_ = std::numeric_limits<std::int64_t>::min();
};

void bars_by_hand(benchmark::State& state) {
  auto const& all = bench::ticks(count_of_ticks);
  for (auto _ : state) {
    bar_checksum sum;
    hand_windows windows(sum);
    std::int64_t highest = 0;
    for (tick const& t : all) {
      windows.add(t);
      if (t.ms > highest) windows.advance((highest = t.ms) - 5'000 - 1);
    }
    windows.advance(std::numeric_limits<std::int64_t>::max());
    if (!sum.right()) state.SkipWithError("the hand-written loop does not give the bars that are known");
  }
  bench::per_element(state, count_of_ticks);
}

task<> fold_bars(std::size_t chunk, bar_checksum& sum) {
  ledger books;
  auto bars = bench::in_chunks<tick>(bench::ticks(count_of_ticks), nullptr, chunk) |
              event_time(bench::time_of_event, bounded_disorder(5s)) | key_by(&tick::symbol) | tumbling_window(1min, late::drop()) |
              aggregate(ohlcv(&tick::price, &tick::size)).counted_in(books, "bars");
  while (auto* b = co_await bars.next())
    sum.add(b->value.open, b->value.high, b->value.low, b->value.close, b->value.volume, b->value.trades);
  sum.late = books.sum("bars").late;
}
void bars(benchmark::State& state) {
  (void)bench::ticks(count_of_ticks);
  for (auto _ : state) {
    bar_checksum sum;
    testing::run(fold_bars(static_cast<std::size_t>(state.range(0)), sum));
    if (!sum.right()) state.SkipWithError("these are not the bars that are known");
  }
  bench::per_element(state, count_of_ticks);
}

task<std::uint64_t> slide(std::chrono::minutes size) {
  std::uint64_t trades = 0;
  auto bars = bench::in_chunks<tick>(bench::ticks(count_of_ticks)) | event_time(bench::time_of_event, bounded_disorder(5s)) |
              key_by(&tick::symbol) | sliding_window(size, 1min, late::drop()) | aggregate(ohlcv(&tick::price, &tick::size));
  while (auto* b = co_await bars.next()) trades += b->value.trades;
  co_return trades;
}
void sliding_bars(benchmark::State& state) {
  (void)bench::ticks(count_of_ticks);
  for (auto _ : state) benchmark::DoNotOptimize(testing::run(slide(std::chrono::minutes(state.range(0)))));
  bench::per_element(state, count_of_ticks);
}

BENCHMARK(bars_by_hand)->Name("one-minute OHLCV by hand")->Unit(benchmark::kMillisecond);
BENCHMARK(bars)->Name("one-minute OHLCV, chunks of 256")->Arg(256)->Unit(benchmark::kMillisecond);
BENCHMARK(bars)->Name("one-minute OHLCV, chunks of 16")->Arg(16)->Unit(benchmark::kMillisecond);
BENCHMARK(bars)->Name("one-minute OHLCV, chunks of 1")->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(sliding_bars)->Name("OHLCV sliding 10 min / 1 min")->Arg(10)->Unit(benchmark::kMillisecond);
BENCHMARK(sliding_bars)->Name("OHLCV sliding 60 min / 1 min")->Arg(60)->Unit(benchmark::kMillisecond);

}  // namespace
