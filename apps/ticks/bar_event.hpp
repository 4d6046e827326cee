#pragma once

#include "bar_state.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ticks {

/// The line of JSON that announces a closed bar, without the line's end:
/// `{"event":"bar:closed","symbol":"ETHUSDT","window_start":1723161240000,"window_end":1723161300000,"open":"2683.80000000",...,"revision":1}`.
///
/// Times in ms since the epoch, UTC; `window_end` is the first moment after the window. Prices and volume are text, exact. (symbol,
/// window_start, revision) identifies the event: one that is sent again after a crash is equal, byte for byte. `window` in ns.
std::string closed_event(symbol const& name, std::int64_t start, std::int64_t window, bar_state const& state);

/// What every event begins with.
inline constexpr char const* closed_event_beginning = R"({"event":"bar:closed",)";

/// `text` as a JSON string, quotes included (RFC 8259 section 7). `text` is UTF-8.
std::string json_string(std::string_view text);

}  // namespace ticks
