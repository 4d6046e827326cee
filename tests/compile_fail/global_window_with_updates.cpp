// error: global_window with expire_after needs to be told what happens to elements that come behind expiry: late::drop() or
// late::side_output(f)
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/global_window.hpp>

void misuse(weir::stream<weir::instant> times) {
  weir::expire_after const expiry(std::chrono::hours(1));
  auto s = std::move(times) | weir::event_time([](weir::instant t) { return t; }, weir::monotonic()) |
           weir::global_window(weir::trigger::count(100), expiry, weir::late::update(std::chrono::hours(1))) |
           weir::aggregate(weir::count());
}
