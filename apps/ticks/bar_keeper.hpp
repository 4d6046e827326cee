#pragma once

#include "bar_book.hpp"
#include "bar_store.hpp"
#include "line_file.hpp"
#include "tick.hpp"

#include <cstdint>
#include <vector>

namespace ticks {

/// Figures of a run.
struct bar_figures {
  std::uint64_t applied = 0;  ///< ticks folded into bars
  std::uint64_t skipped = 0;  ///< ticks that were in their bars already: redelivered after a crash
  std::uint64_t closed = 0;   ///< bars closed, each revision counted
};

/// Keeps the bars of ticks: in memory while a batch is folded, in the store at the end of each, and tells of those that closed.
///
/// Every tick is in its bar exactly once, wherever the program dies: a batch's bars are stored together, and what is delivered again is
/// recognised by its position. Every closing is announced at least once, also over crashes: it is remembered in the same transaction
/// as its bar until the event is written. (symbol, window_start, revision) identifies it; one that is announced again is the same text.
/// Not thread-safe. Errors: those of `bar_store` and `line_file`.
class bar_keeper {
public:
  /// Both must outlive the keeper; `events` may be null. Announces what an earlier run decided and did not get to write.
  bar_keeper(bar_store& store, std::int64_t window, line_file* events);

  /// The bars of a symbol, to fold into until `commit`. The group's figures go to `count`.
  symbol_bars& of(symbol const& name) { return book_.of(name); }
  void count(std::uint64_t applied, std::uint64_t skipped) noexcept {
    figures_.applied += applied;
    figures_.skipped += skipped;
  }

  /// Stores what was folded, in one transaction, and announces what closed by it. When it throws, nothing of it is stored, and the
  /// bars in memory are those of the store again.
  void commit();

  /// The data has ended: closes and announces all that is open. Precondition: everything folded is committed.
  void finish();

  /// The run ends before its data: the store need not remember what was announced, so that the next run does not repeat it.
  void settle();

  bar_figures const& figures() const noexcept { return figures_; }
  /// Bars in memory.
  std::size_t open() const noexcept { return book_.size(); }

private:
  template <class Function> void in_transaction(Function change);
  void stage(bar_key const& key, bar_state const& state, bool closed);
  void announce();

  bar_store& store_;
  std::int64_t window_;
  line_file* events_;
  bar_book book_;
  std::vector<pending_event> decided_;  // in the transaction under way, not announced
  std::vector<pending_event> sent_;     // announced, still remembered in the store
  bar_figures figures_;
};

}  // namespace ticks
