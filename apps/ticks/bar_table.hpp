#pragma once

#include "bar_store.hpp"

#include <span>
#include <string>

namespace ticks {

/// Bars as a table for people, one line each, in the order given: times in UTC, numbers aligned at the point. Ends with a line's end.
std::string bar_table(std::span<keyed_bar const> bars);

}  // namespace ticks
