#pragma once

#include <command_line/time_text.hpp>

#include <string>

namespace ticks {

/// What the fields of a tick are called in the input, and how its time is written.
struct tick_fields {
  std::string symbol = "symbol";
  std::string price = "price";
  std::string size = "size";
  std::string trade_id = "trade_id";  ///< empty: the input has no ids; trades of equal time keep the order of the file
  std::string time = "time";
  command_line::time_unit unit = command_line::time_unit::milliseconds;
};

}  // namespace ticks
