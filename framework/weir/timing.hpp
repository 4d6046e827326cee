#pragma once
#include <weir/middleware.hpp>

#include <chrono>
#include <functional>

namespace weir {

/// What `timing` tells after each run of a handler.
class run_timing {
public:
  run_timing(std::chrono::nanoseconds took, bool succeeded) noexcept : took_(took), succeeded_(succeeded) {}
  /// On the context's clock.
  std::chrono::nanoseconds took() const noexcept { return took_; }
  bool succeeded() const noexcept { return succeeded_; }

private:
  std::chrono::nanoseconds took_;
  bool succeeded_;
};

/// Middleware that measures each run of the handler and tells `report`, whether it succeeded or threw. `report` runs on the strand; what it
/// throws counts as the handler's failure.
middleware timing(std::function<void(stream_context const&, run_timing)> report);
/// The same to the context's metrics: gauge `handler_seconds`, counter `handler_failures_total`, labelled with pipeline and partition.
middleware timing();

}  // namespace weir
