// error: late::side_output's function is called with the element, or the element and a weir::lateness
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/tumbling_window.hpp>

#include <string>

void misuse(weir::stream<weir::instant> times) {
  auto s = std::move(times) | weir::event_time([](weir::instant t) { return t; }, weir::monotonic()) |
           weir::tumbling_window(std::chrono::minutes(1), weir::late::side_output([](std::string const&) {})) |
           weir::aggregate(weir::count());
  (void)s.next();
}
