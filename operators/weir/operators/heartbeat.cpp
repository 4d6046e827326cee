#include <weir/operators/heartbeat.hpp>

#include <weir/operators/detail/time_limits.hpp>

namespace weir::detail {

heartbeat_description::heartbeat_description(std::chrono::nanoseconds every) : every_(every) {
  check_span("heartbeat", "its period", every, span_from::one);
}

}  // namespace weir::detail
