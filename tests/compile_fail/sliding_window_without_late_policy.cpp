// error: sliding_window needs to be told what happens to late elements: sliding_window(size, slide, late::drop()), late::side_output(f) or
// late::update
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/sliding_window.hpp>

void misuse(weir::stream<weir::instant> times) {
  auto s = std::move(times) | weir::event_time([](weir::instant t) { return t; }, weir::monotonic()) |
           weir::sliding_window(std::chrono::minutes(10), std::chrono::minutes(1)) | weir::aggregate(weir::count());
}
