#pragma once

#include "bar_store.hpp"
#include "closed_bar.hpp"

#include <weir/file/line_file.hpp>

#include <weir/task.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace ticks {

/// Keeps bars: in the store, and tells of those that closed.
///
/// A bar that is given again, after a crash, changes nothing and is not told again. Every closing is announced at least once, also over
/// crashes: it is remembered in the same transaction as its bar until the event is written. (symbol, window_start, revision) identifies it;
/// one that is announced again is the same text. Not thread-safe. Errors: those of `bar_store` and `weir::file::line_file`.
class bar_keeper {
public:
  /// Both must outlive the keeper; `events` may be null.
  bar_keeper(bar_store& store, weir::file::line_file* events) noexcept;

  /// The run begins: announces what an earlier one decided and did not get to write.
  weir::task<> resume();

  /// Stores the bars in one transaction, and announces those that are closed and were not, or have changed. When it throws, nothing of it
  /// is stored.
  weir::task<> store(std::span<closed_bar const> bars);

  /// The run ends: the store need not remember what was announced, so that the next run does not repeat it.
  weir::task<> settle();

  /// Bars closed, each revision counted.
  std::uint64_t closed() const noexcept { return closed_; }

private:
  void announce(std::vector<pending_event> decided);

  bar_store& store_;
  weir::file::line_file* events_;
  std::vector<pending_event> sent_;  // announced, still remembered in the store
  std::uint64_t closed_ = 0;
};

}  // namespace ticks
