#include "bar_pipeline.hpp"

#include <weir/operators/batch.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <utility>

namespace ticks {
namespace {

// Bars stored together, at most, and how long the first of them waits for others.
constexpr std::size_t bars_together = 4'096;
constexpr std::chrono::milliseconds oldest_bar(100);

// The same stream.
weir::stream<tick> observed(weir::stream<tick> ticks, bar_run& run) {
  while (weir::chunk<tick> c = co_await weir::next_chunk(ticks)) {
    run.records += c.elements.size();
    if (!c.elements.empty()) {
      run.event_time = c.elements.back().time();
      run.at = c.elements.back().position();
    }
    co_yield c;
    if (run.after_chunk) run.after_chunk();
  }
}

// The same stream, except that it always seems to end with its data: bars that have closed are stored whatever ended it. A failure is left
// in `failure`; shared, as a stream that is dropped half-way may end after its consumer.
weir::stream<closed_bar> to_the_last(weir::stream<closed_bar> bars, std::shared_ptr<std::exception_ptr> failure) {
  try {
    while (weir::chunk<closed_bar> c = co_await weir::next_chunk(bars)) {
      while (!c.marks.empty() && c.marks.back().kind == weir::mark_kind::stop) c.marks = c.marks.first(c.marks.size() - 1);
      co_yield c;
    }
  } catch (...) {
    *failure = std::current_exception();
  }
}

}  // namespace

weir::task<> make_bars(weir::stream<tick> ticks, bar_run& run) {
  auto const failure = std::make_shared<std::exception_ptr>();
  weir::stream<closed_bar> bars = in_windows(observed(std::move(ticks), run), run.rules, run.books);
  auto batches = to_the_last(std::move(bars), failure) | weir::batch(weir::batch_options().count(bars_together).time(oldest_bar));
  while (auto* const batch = co_await batches.next()) co_await run.keeper.store(*batch);
  if (*failure) std::rethrow_exception(*failure);
}

}  // namespace ticks
