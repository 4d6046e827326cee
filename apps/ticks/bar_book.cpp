#include "bar_book.hpp"

#include "time_text.hpp"

#include <weir/error.hpp>

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace ticks {

symbol_bars::symbol_bars(symbol name, std::int64_t window, bar_rows& rows)
    : name_(name), window_(window), rows_(&rows), newest_(std::numeric_limits<std::int64_t>::min()) {
  if (auto row = rows.newest(name)) {
    newest_ = row->start;
    bars_.emplace(row->start, row->state);
  }
}

void symbol_bars::turn_to(std::int64_t time) {
  std::int64_t const start = window_start(time, window_);
  auto place = bars_.find(start);
  if (place == bars_.end()) {
    bar_state state;
    if (start < newest_) {
      if (auto row = rows_->find(name_, start)) state = *std::move(row);
    }
    place = bars_.emplace(start, state).first;
  }
  if (start > newest_) newest_ = start;
  current_ = &place->second;
  first_ = start;
  last_ = start + (window_ - 1);
}

void symbol_bars::stored() {
  for (auto& [start, state] : bars_) state.dirty = false;
  bars_.erase(bars_.begin(), bars_.lower_bound(newest_));
  current_ = nullptr;
}

void symbol_bars::fail_volume() const {
  throw weir::error(weir::errc::out_of_range,
                    fmt::format("ticks: cannot add to the volume (symbol {}, window {})", name_.view(), time_text(first_)),
                    "the sum does not fit in 38 digits", "correct the sizes in the input");
}

bar_book::bar_book(std::int64_t window, bar_rows& rows, std::size_t max_symbols)
    : window_(window), rows_(&rows), max_symbols_(max_symbols) {}

symbol_bars& bar_book::of(symbol const& name) {
  auto place = symbols_.find(name);
  if (place == symbols_.end()) {
    entry fresh;
    fresh.bars = std::make_unique<symbol_bars>(name, window_, *rows_);
    place = symbols_.emplace(name, std::move(fresh)).first;
  }
  entry& e = place->second;
  if (!e.touched) {
    e.touched = true;
    touched_.push_back(e.bars.get());
  }
  return *e.bars;
}

void bar_book::stored() {
  for (symbol_bars* const bars : touched_) {
    bars->stored();
    symbols_.find(bars->name())->second.touched = false;
  }
  touched_.clear();
  if (symbols_.size() > max_symbols_) symbols_.clear();
}

void bar_book::forget() noexcept {
  touched_.clear();
  symbols_.clear();
}

std::size_t bar_book::size() const noexcept {
  std::size_t sum = 0;
  for (auto const& [name, e] : symbols_) sum += e.bars->size();
  return sum;
}

}  // namespace ticks
