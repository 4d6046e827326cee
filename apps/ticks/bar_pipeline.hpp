#pragma once

#include "bar_keeper.hpp"
#include "tick.hpp"

#include <weir/stream.hpp>
#include <weir/task.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace ticks {

/// What the pipeline works with, and what it tells the outside.
struct bar_run {
  bar_run(bar_keeper& k, std::size_t b) : keeper(k), batch(b) {}

  bar_keeper& keeper;
  std::size_t batch;                   ///< ticks folded and stored together, at most
  std::function<void()> before_store;  ///< called before a batch is stored; may be empty. What it throws ends the run
  std::function<void()> after_batch;   ///< called after a batch was stored; may be empty
  std::uint64_t records = 0;           ///< ticks taken from the stream
  weir::instant event_time = 0;        ///< of the last of them
  weir::position at;                   ///< of the last of them
};

/// Ticks in, bars out: takes batches, parts each by symbol (in first-seen order), folds every group into its bars, stores the batch in one
/// transaction and announces what closed.
///
/// A batch ends when it is full, when it is a second old, and where the source asks for a checkpoint; so progress is stored only after
/// the bars it stands for. Windows are per batch: a bar closes with the batch that brings a later one of its symbol.
/// Fails with what the stream and the keeper fail with; the batch under way is then not stored. Ends when the stream ends, for
/// whatever reason: only the caller knows whether the data has ended (`bar_keeper::finish`) or the run (`bar_keeper::settle`).
weir::task<> make_bars(weir::stream<tick> ticks, bar_run& run);

}  // namespace ticks
