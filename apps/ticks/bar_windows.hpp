#pragma once

#include "closed_bar.hpp"
#include "tick.hpp"

#include <weir/ledger.hpp>
#include <weir/operators/late.hpp>
#include <weir/stream.hpp>

#include <chrono>
#include <functional>

namespace ticks {

/// How ticks are put into bars.
struct bar_rules {
  std::chrono::nanoseconds window;   ///< length of a bar
  std::chrono::nanoseconds bound;    ///< how far behind the newest one a tick may be and is never late
  std::chrono::nanoseconds horizon;  ///< how far apart in event time the deliveries of one trade may be; 0: trades have no ids
  std::chrono::nanoseconds early;    ///< how often bars that are still open are given; 0: never
  std::function<void(tick const&, weir::lateness const&)> late = {};  ///< gets every tick whose bar has closed; may be empty
  std::chrono::nanoseconds max_ahead = std::chrono::hours(24);        ///< of the clock; a tick further ahead fails the stream
};

/// The bars of ticks, per symbol and window in event time, each when the watermark passes its end; a trade that is delivered again counts
/// once. What becomes of the ticks is counted in `books` under "bars".
///
/// Fails as `ticks` does, with a tick that cannot be placed in time (`errc::malformed`), and when a volume does not fit.
weir::stream<closed_bar> in_windows(weir::stream<tick> ticks, bar_rules const& rules, weir::ledger const& books);

}  // namespace ticks
