// error: session_window needs to be told what happens to late elements: session_window(gap, late::drop()), late::side_output(f) or
// late::update
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/session_window.hpp>

void misuse(weir::stream<weir::instant> times) {
  auto s = std::move(times) | weir::event_time([](weir::instant t) { return t; }, weir::monotonic()) |
           weir::session_window(std::chrono::minutes(30)) | weir::aggregate(weir::count());
}
