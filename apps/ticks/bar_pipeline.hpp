#pragma once

#include "bar_keeper.hpp"
#include "bar_windows.hpp"
#include "tick.hpp"

#include <weir/ledger.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <functional>
#include <utility>

namespace ticks {

/// What the pipeline works with, and what it tells the outside.
struct bar_run {
  bar_run(bar_keeper& k, bar_rules r) : keeper(k), rules(std::move(r)) {}

  bar_keeper& keeper;
  bar_rules rules;
  weir::ledger books;                 ///< under "bars": what became of the ticks
  std::function<void()> after_chunk;  ///< called now and then; may be empty
  std::uint64_t records = 0;          ///< ticks taken from the stream
  weir::instant event_time = 0;       ///< of the last of them
  weir::position at;                  ///< of the last of them
};

/// Ticks in, bars out: gives the bars of `in_windows` to the keeper, some at a time; all of them before the checkpoint that stands for
/// them.
///
/// Ends when the stream ends. When the data has ended, all bars are closed; when the run is stopped, what is open is in the checkpoint.
/// Fails with what the bars and the keeper fail with; bars that closed before are kept.
weir::task<> make_bars(weir::stream<tick> ticks, bar_run& run);

}  // namespace ticks
