// error: these elements are in windows already; put aggregate(...) between two windows
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/session_window.hpp>
#include <weir/operators/tumbling_window.hpp>

void misuse(weir::stream<weir::instant> times) {
  auto s = std::move(times) | weir::event_time([](weir::instant t) { return t; }, weir::monotonic()) |
           weir::session_window(std::chrono::minutes(30), weir::late::drop()) |
           weir::tumbling_window(std::chrono::hours(1), weir::late::drop()) | weir::aggregate(weir::count());
}
