#pragma once

#include "bar.hpp"
#include "symbol.hpp"

#include <weir/operators/time_window.hpp>

namespace ticks {

/// A bar as its window gives it: `key` is the symbol. Early ones (`weir::pane::early`) are still open.
using closed_bar = weir::window_result<symbol, bar>;

}  // namespace ticks
