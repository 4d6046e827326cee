// error: global_window needs to be told when a key is forgotten: global_window(trigger, expire_after(1h), late::drop()), or never_expires()
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/global_window.hpp>

void misuse(weir::stream<weir::instant> times) {
  auto s = std::move(times) | weir::event_time([](weir::instant t) { return t; }, weir::monotonic()) |
           weir::global_window(weir::trigger::count(100)) | weir::aggregate(weir::count());
}
