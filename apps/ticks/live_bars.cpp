#include "live_bars.hpp"

#include <command_line/json_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace ticks {
namespace {

constexpr std::size_t most_listed = 50;

std::int64_t start_of(std::int64_t time, std::int64_t window) noexcept {
  std::int64_t const rest = time % window;
  return time - (rest < 0 ? rest + window : rest);
}

}  // namespace

void live_bars::add(std::span<tick const> some) {
  std::lock_guard const held(lock_);
  for (tick const& t : some) {
    ++ticks_;
    newest_ = std::max(newest_, t.time());
    auto found = all_.find(t.name);
    if (found == all_.end()) {
      if (all_.size() == most_symbols || t.name.view().empty()) continue;
      found = all_.try_emplace(t.name).first;
    }
    add(found->second, t);
  }
}

void live_bars::add(series& to, tick const& t) {
  ++to.trades;
  std::int64_t const start = start_of(t.time(), window_);
  auto at = std::prev(to.bars.end(), to.bars.empty() ? 0 : 1);
  if (to.bars.empty() || at->start != start) {
    at = std::lower_bound(to.bars.begin(), to.bars.end(), start, [](live_bar const& b, std::int64_t s) { return b.start < s; });
    if (at == to.bars.end() || at->start != start) {
      if (at == to.bars.begin() && to.bars.size() == kept) return;  // it is older than what is shown
      live_bar made;
      made.start = start;
      at = to.bars.insert(at, made);
    }
  }
  bool const revised = std::next(at) != to.bars.end();
  if (!at->value.add(t.order, t.price, t.size)) return;
  at->revised = at->revised || revised;
  if (to.bars.size() > kept) to.bars.pop_front();
}

std::string live_bars::json(std::string_view name, std::size_t most) const {
  std::lock_guard const held(lock_);
  using entry = std::pair<symbol const, series> const*;
  std::vector<entry> by_trades;
  by_trades.reserve(all_.size());
  for (auto const& one : all_) by_trades.push_back(&one);
  std::sort(by_trades.begin(), by_trades.end(), [](entry a, entry b) { return a->second.trades > b->second.trades; });
  entry shown = by_trades.empty() ? nullptr : by_trades.front();
  for (entry const one : by_trades)
    if (one->first.view() == name) shown = one;
  std::string out = fmt::format(R"({{"ticks":{},"time":{},"window":{},"symbol":{},"bars":[)", ticks_, newest_ / millisecond,
                                window_ / millisecond, command_line::json_string(shown == nullptr ? name : shown->first.view()));
  auto const to = std::back_inserter(out);
  if (shown != nullptr) {
    auto const& bars = shown->second.bars;
    for (std::size_t i = bars.size() - std::min(most, bars.size()); i != bars.size(); ++i) {
      bar const& b = bars[i].value;
      fmt::format_to(to, R"({}{{"start":{},"open":{},"high":{},"low":{},"close":{},"volume":{},"trades":{},"revised":{}}})",
                     out.back() == '[' ? "" : ",", bars[i].start / millisecond, b.open.text(), b.high.text(), b.low.text(), b.close.text(),
                     b.volume.text(), b.trades, bars[i].revised);
    }
  }
  out += R"(],"symbols":[)";
  for (std::size_t i = 0; i != std::min(most_listed, by_trades.size()); ++i) {
    auto const& [symbol, series] = *by_trades[i];
    fmt::format_to(to, R"({}{{"symbol":{},"trades":{},"close":{}}})", i == 0 ? "" : ",", command_line::json_string(symbol.view()),
                   series.trades, series.bars.empty() ? "null" : series.bars.back().value.close.text());
  }
  return out += "]}";
}

}  // namespace ticks
