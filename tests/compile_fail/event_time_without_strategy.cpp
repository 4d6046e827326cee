// error: event_time needs a strategy: monotonic(), bounded_disorder(5s), punctuated(f)
#include <weir/operators/event_time.hpp>

void misuse(weir::stream<weir::instant> times) {
  auto s = std::move(times) | weir::event_time([](weir::instant t) { return t; });
}
