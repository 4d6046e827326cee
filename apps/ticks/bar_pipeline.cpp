#include "bar_pipeline.hpp"

#include <weir/operators/batch.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace ticks {
namespace {

// Bars looked up together, at most. A checkpoint waits for none.
constexpr std::size_t bars_together = 4'096;

// The same stream.
weir::stream<tick> observed(weir::stream<tick> ticks, bar_run& run) {
  while (weir::chunk<tick> c = co_await weir::next_chunk(ticks)) {
    run.records += c.elements.size();
    if (!c.elements.empty()) {
      run.event_time = c.elements.back().time();
      run.at = c.elements.back().position();
    }
    if (run.on_ticks) run.on_ticks(c.elements);
    co_yield c;
    if (run.after_chunk) run.after_chunk();
  }
}

}  // namespace

weir::task<> make_bars(weir::stream<tick> ticks, weir::stream_context& context, bar_run& run) {
  auto const bars = context.sink<bar_change>("bars");
  symbol_partitions::reading partition(run.partitions, context.partition());
  auto batches = in_windows(observed(std::move(ticks), run), run.rules, run.books) | weir::batch(bars_together);
  while (auto* const batch = co_await batches.next()) {
    for (closed_bar const& b : *batch) partition.claim(b.key);
    std::vector<bar_change> const changes = co_await run.store.merge(*batch);
    for (bar_change const& b : changes) {
      if (b.is_new) co_await bars.write(b);
      if (!b.closed) continue;
      if (b.is_new) ++run.closed;
      if (run.tells == announcing::all || (run.tells == announcing::changes && b.is_new)) co_await context.send("bar:closed", b);
    }
  }
}

}  // namespace ticks
