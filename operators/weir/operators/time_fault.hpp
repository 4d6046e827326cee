#pragma once
#include <cstdint>
#include <string_view>

namespace weir {

/// Why an element cannot be placed in time.
enum class time_fault : std::uint8_t {
  missing,       ///< it has no time
  out_of_range,  ///< its time is before 1777 or after 2162
  too_far_ahead  ///< its time is further ahead of the clock than `max_ahead`
};

/// "has no event time", ...
std::string_view to_string(time_fault fault) noexcept;

/// What event time does while a live source has nothing to read.
enum class quiet_time : std::uint8_t {
  passes,  ///< it goes on like the clock, from the highest event time
  stands,  ///< it waits for the next element
};

}  // namespace weir
