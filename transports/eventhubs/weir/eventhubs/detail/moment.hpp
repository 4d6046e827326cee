#pragma once
#include <chrono>
#include <cstdint>

namespace weir::eventhubs::detail {

using time_point = std::chrono::steady_clock::time_point;

// Now, by the clock that measures how long things take, and by the one that tokens expire by: seconds since 1970.
struct moment {
  time_point at;
  std::int64_t unix_time = 0;
};

}  // namespace weir::eventhubs::detail
