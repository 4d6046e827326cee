#pragma once

#include <tick_fields.hpp>

#include <weir/aws/variables.hpp>

#include <chrono>
#include <string>

namespace ticks {

/// What the function's environment asks for. A variable that is empty counts as not set. The defaults here are those of the function.
struct function_options {
  std::string bars = "ticks-bars";                  ///< TICKS_BARS_TABLE: of DynamoDB, for the bars
  std::string checkpoints = "ticks-checkpoints";    ///< TICKS_CHECKPOINT_TABLE: of DynamoDB, for progress and bars that are open
  std::chrono::nanoseconds window{60'000'000'000};  ///< TICKS_WINDOW: length of a bar, "1m", at least 1ms
  std::chrono::nanoseconds bound{5'000'000'000};    ///< TICKS_BOUND: how far behind the newest tick of a shard one may be and is never late
  std::chrono::nanoseconds dedup{0};  ///< TICKS_DEDUP: two ticks of a symbol with one id and times no further apart are one; 0s: all differ
  /// TICKS_FIELD_SYMBOL, TICKS_FIELD_PRICE, TICKS_FIELD_SIZE, TICKS_FIELD_TRADE_ID, which is "-" where there are none, TICKS_FIELD_TIME;
  /// and TICKS_TIME_UNIT: s, ms, us, ns or rfc3339.
  tick_fields fields;
};

/// Reads them. Errors: `errc::invalid_option`, with the name of the variable that cannot be used.
function_options read_options(weir::aws::variables const& from);

}  // namespace ticks
