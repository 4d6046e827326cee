#pragma once

#include "bar_change.hpp"
#include "tick.hpp"

#include <weir/operators/late.hpp>
#include <weir/operators/time_window.hpp>

#include <string>

namespace ticks {

/// The payload of the message that tells of a closed bar:
/// `{"event":"bar:closed","symbol":"ETHUSDT","window_start":1723161240000,"window_end":1723161300000,"open":"2683.80000000",...,"revision":1}`.
///
/// Times in ms since the epoch, UTC; `window_end` is the first moment after the window. Prices and volume are text, exact. (symbol,
/// window_start, revision) identifies the event, as the message's number does: one that is sent again after a crash is equal, byte for
/// byte.
std::string closed_event(bar_change const& c);

/// The line of JSON that tells of a trade whose bar had closed: `{"event":"tick:late","symbol":"ETHUSDT","trade_id":7,"price":"2683.8",
/// "size":"0.5","time":1723161240017,"window_start":1723161240000,"window_end":1723161300000}`; `time` in ms, with a fraction where it has
/// one.
std::string late_event(tick const& t, weir::time_window window);

/// What every such event begins with.
inline constexpr char const* late_event_beginning = R"({"event":"tick:late",)";

}  // namespace ticks
