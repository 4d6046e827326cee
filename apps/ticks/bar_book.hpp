#pragma once

#include "bar_state.hpp"
#include "tick.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ticks {

/// The bars of one symbol that are in memory: the newest always, older ones while trades keep coming for them.
class symbol_bars {
public:
  symbol_bars(symbol name, std::int64_t window, bar_rows& rows);

  /// Folds a trade of this symbol into the bar of its window, which is loaded when it is not in memory. A trade at or before the bar's
  /// last applied position is a redelivery and is skipped: returns false.
  /// Errors: `weir::error` when the volume would need more than 38 digits, or the rows cannot be read.
  bool fold(tick const& t) {
    if (t.order.time < first_ || t.order.time > last_ || !current_) [[unlikely]]
      turn_to(t.order.time);
    if (current_->applied && t.at <= *current_->applied) return false;
    if (!current_->value.add(t.order, t.price, t.size)) [[unlikely]]
      fail_volume();
    current_->applied = t.at;
    current_->open = current_->dirty = true;
    return true;
  }

  symbol const& name() const noexcept { return name_; }
  /// Closes every bar with trades not announced yet, except the newest, and calls `changed(start, state, closed)` for each bar that is
  /// to be stored; `closed` tells whether it was closed just now.
  template <class Function> void collect(Function changed) {
    for (auto& [start, state] : bars_) {
      bool const closed = state.open && start != newest_;
      if (closed) {
        state.open = false;
        ++state.revision;
        state.dirty = true;
      }
      if (state.dirty) changed(start, state, closed);
    }
  }
  /// What was collected is stored: older bars leave the memory.
  void stored();

  std::size_t size() const noexcept { return bars_.size(); }

private:
  void turn_to(std::int64_t time);
  [[noreturn]] void fail_volume() const;

  symbol name_;
  std::int64_t window_;
  bar_rows* rows_;
  std::map<std::int64_t, bar_state> bars_;  // by start of the window
  std::int64_t newest_;
  bar_state* current_ = nullptr;  // the bar of [first_, last_]
  std::int64_t first_ = 0, last_ = -1;
};

/// Bars in memory, between two stores: which changed, which closed. A bar closes when a batch has a trade of a later window of its
/// symbol; trades that come for it afterwards open it again, and it closes again with the next revision.
///
/// Not thread-safe. Memory: the newest bar of up to `max_symbols` symbols (about 400 bytes each) and the bars of the batch.
class bar_book {
public:
  /// `window` in ns, above zero. `rows` must outlive the book.
  bar_book(std::int64_t window, bar_rows& rows, std::size_t max_symbols = 65'536);

  /// The bars of `name`, to fold into before the next `collect`; the reference is good until `stored`.
  symbol_bars& of(symbol const& name);

  /// Calls `changed(name, start, state, closed)` for every bar that differs from what is stored, after closing what is over.
  template <class Function> void collect(Function changed) {
    for (symbol_bars* const bars : touched_)
      bars->collect([&](std::int64_t start, bar_state& state, bool closed) { changed(bars->name(), start, state, closed); });
  }
  /// What was collected is stored durably.
  void stored();
  /// Forgets everything that is not stored: the rows are read anew.
  void forget() noexcept;

  /// Bars in memory.
  std::size_t size() const noexcept;

private:
  struct entry {
    std::unique_ptr<symbol_bars> bars;
    bool touched = false;
  };
  std::int64_t window_;
  bar_rows* rows_;
  std::size_t max_symbols_;
  boost::unordered_flat_map<symbol, entry> symbols_;
  std::vector<symbol_bars*> touched_;
};

}  // namespace ticks
