#pragma once

#include "bar.hpp"
#include "symbol.hpp"

#include <weir/position.hpp>

#include <cstdint>
#include <optional>

namespace ticks {

/// A bar and what makes folding into it idempotent.
struct bar_state {
  bar value;
  std::optional<weir::position> applied;  ///< of the last trade of this source folded in; none yet: null
  std::int64_t revision = 0;              ///< how often the bar was announced as closed
  bool open = true;                       ///< has trades that were not announced yet
  bool dirty = false;                     ///< differs from what is stored
};

/// A bar with its key.
struct keyed_bar {
  symbol name;
  std::int64_t start = 0;  ///< of the window, ns since the epoch
  bar_state state;
};

/// Where bars are kept between runs, seen from the bars in memory. Errors of both functions: `weir::error`.
class bar_rows {
public:
  bar_rows() = default;
  bar_rows(bar_rows const&) = delete;
  bar_rows& operator=(bar_rows const&) = delete;
  virtual ~bar_rows() = default;

  /// The stored bar of `name` with the latest window; null when there is none.
  virtual std::optional<keyed_bar> newest(symbol const& name) = 0;
  /// The stored bar of `name` whose window starts at `start`; null when there is none.
  virtual std::optional<bar_state> find(symbol const& name, std::int64_t start) = 0;
};

}  // namespace ticks
