#pragma once

#include "function_options.hpp"

#include <weir/kinesis/record.hpp>
#include <weir/stream.hpp>
#include <weir/stream_context.hpp>
#include <weir/task.hpp>

namespace ticks {

/// A batch of a shard in, bars that close out, to the sink "bars", of `closed_bar`. Those that are open, and the ids of trades, are in the
/// checkpoint, from which the shard's next batch goes on. `o` must outlive it.
///
/// Fails with a record that is no tick, or does not lie under its symbol, and as `in_windows` does; what is in front of that is done.
weir::task<> fold_ticks(weir::stream<weir::kinesis::record> records, weir::stream_context& context, function_options const& o);

}  // namespace ticks
