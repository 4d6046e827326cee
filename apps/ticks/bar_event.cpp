#include "bar_event.hpp"

#include <fmt/format.h>

namespace ticks {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out += '"';
}

std::string closed_event(symbol const& name, std::int64_t start, std::int64_t window, bar_state const& state) {
  constexpr std::int64_t millisecond = 1'000'000;
  bar const& b = state.value;
  return fmt::format(
      R"({{"event":"bar:closed","symbol":{},"window_start":{},"window_end":{},"open":"{}","high":"{}","low":"{}","close":"{}","volume":"{}","trades":{},"revision":{}}})",
      json_string(name.view()), start / millisecond, (start + window) / millisecond, b.open.text(), b.high.text(), b.low.text(),
      b.close.text(), b.volume.text(), b.trades, state.revision);
}

}  // namespace ticks
