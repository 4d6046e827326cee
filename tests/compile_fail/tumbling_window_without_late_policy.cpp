// error: tumbling_window needs to be told what happens to late elements: tumbling_window(size, late::drop()), late::side_output(f) or
// late::update
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/tumbling_window.hpp>

void misuse(weir::stream<weir::instant> times) {
  auto s = std::move(times) | weir::event_time([](weir::instant t) { return t; }, weir::monotonic()) |
           weir::tumbling_window(std::chrono::minutes(1)) | weir::aggregate(weir::count());
}
