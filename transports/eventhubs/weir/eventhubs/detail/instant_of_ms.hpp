#pragma once
#include <weir/instant.hpp>

#include <cstdint>
#include <limits>

namespace weir::eventhubs::detail {

// A moment in ms since 1970. Some clocks say "never" by the first or the last moment that they know.
inline instant instant_of_ms(std::int64_t ms) noexcept {
  instant out = 0;
  if (!__builtin_mul_overflow(ms, std::int64_t{1'000'000}, &out)) return out;
  return ms < 0 ? std::numeric_limits<instant>::min() : std::numeric_limits<instant>::max();
}

}  // namespace weir::eventhubs::detail
