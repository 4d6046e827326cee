#pragma once

#include "bar.hpp"
#include "bar_part.hpp"
#include "symbol.hpp"

#include <weir/operators/time_window.hpp>

#include <cstdint>

namespace ticks {

/// What a bar has become: a row of the sink "bars", and what the topic "bar:closed" tells of.
struct bar_change {
  symbol name;
  weir::time_window window;
  bar value;                  ///< with the parts of other inputs
  std::int64_t revision = 0;  ///< how often it has closed
  bar_part part;              ///< what this input has of it
  bool closed = true;         ///< false: an early one
  bool is_new = true;         ///< false: it came again, and the store has it
};

}  // namespace ticks
