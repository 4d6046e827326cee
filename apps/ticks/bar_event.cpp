#include "bar_event.hpp"

#include <command_line/json_text.hpp>

#include <fmt/format.h>

namespace ticks {
namespace {

std::string milliseconds_text(std::int64_t t) {
  std::int64_t const rest = t % millisecond < 0 ? t % millisecond + millisecond : t % millisecond;
  std::string text = fmt::format("{}", (t - rest) / millisecond);
  if (rest != 0) text = fmt::format("{:.6f}", static_cast<long double>(t) / millisecond);
  return text;
}

}  // namespace

std::string closed_event(bar_change const& c) {
  bar const& b = c.value;
  return fmt::format(
      R"({{"event":"bar:closed","symbol":{},"window_start":{},"window_end":{},"open":"{}","high":"{}","low":"{}","close":"{}","volume":"{}","trades":{},"revision":{}}})",
      command_line::json_string(c.name.view()), c.window.start / millisecond, c.window.end / millisecond, b.open.text(), b.high.text(),
      b.low.text(), b.close.text(), b.volume.text(), b.trades, c.revision);
}

std::string late_event(tick const& t, weir::time_window window) {
  return fmt::format(
      R"({{"event":"tick:late","symbol":{},"trade_id":{},"price":"{}","size":"{}","time":{},"window_start":{},"window_end":{}}})",
      command_line::json_string(t.name.view()), t.order.id, t.price.text(), t.size.text(), milliseconds_text(t.time()),
      window.start / millisecond, window.end / millisecond);
}

}  // namespace ticks
