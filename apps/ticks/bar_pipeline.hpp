#pragma once

#include "bar_store.hpp"
#include "bar_windows.hpp"
#include "symbol_partitions.hpp"
#include "tick.hpp"

#include <weir/ledger.hpp>
#include <weir/stream.hpp>
#include <weir/stream_context.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <utility>

namespace ticks {

/// Which closed bars the topic is told of.
enum class announcing {
  nothing,
  changes,  ///< those that the store did not have: where bars and checkpoint are in one transaction
  all,      ///< also those that came again, since it is not known whether the checkpoint had them
};

/// What the pipeline works with, and what it tells the outside.
struct bar_run {
  bar_run(bar_store& s, bar_rules r, announcing a) : store(s), rules(std::move(r)), tells(a) {}

  bar_store& store;
  bar_rules rules;
  announcing tells;
  symbol_partitions partitions;
  weir::ledger books;                                   ///< under "bars": what became of the ticks
  std::function<void(std::span<tick const>)> on_ticks;  ///< given each chunk before it goes on; may be empty
  std::function<void()> after_chunk;                    ///< called now and then; may be empty
  std::uint64_t records = 0;                            ///< ticks taken from the stream
  weir::instant event_time = 0;                         ///< of the last of them
  weir::position at;                                    ///< of the last of them
  std::uint64_t closed = 0;                             ///< bars, each revision counted
};

/// Ticks in, bars out: writes the bars of `in_windows` to the sink "bars" and sends those that closed to the topic "bar:closed", of
/// `bar_change` both.
///
/// Ends when the stream ends. When the data has ended, all bars are closed; when the run is stopped, what is open is in the checkpoint.
/// Fails with what the bars and the store fail with, and when another partition has bars of the same symbol (`symbol_partitions`); bars
/// that closed before are in the checkpoint in front of it.
weir::task<> make_bars(weir::stream<tick> ticks, weir::stream_context& context, bar_run& run);

}  // namespace ticks
