// error: reduce needs a window; put tumbling_window, sliding_window, session_window or global_window before it
#include <weir/operators/event_time.hpp>
#include <weir/operators/reduce.hpp>

#include <functional>

void misuse(weir::stream<weir::instant> times) {
  auto s = std::move(times) | weir::event_time([](weir::instant t) { return t; }, weir::monotonic()) | weir::reduce(std::plus<>());
}
