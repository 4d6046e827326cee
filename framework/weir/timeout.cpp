#include <weir/timeout.hpp>

#include <string>

namespace weir::detail {

void throw_timed_out(std::chrono::nanoseconds limit) {
  throw error(errc::timed_out, "timeout: cancelled", "not done within " + std::to_string(limit / std::chrono::milliseconds(1)) + " ms");
}

}  // namespace weir::detail
