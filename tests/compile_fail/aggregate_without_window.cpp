// error: aggregate needs a window; put tumbling_window, sliding_window, session_window or global_window before it
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>

void misuse(weir::stream<weir::instant> times) {
  auto s = std::move(times) | weir::event_time([](weir::instant t) { return t; }, weir::monotonic()) | weir::aggregate(weir::count());
}
