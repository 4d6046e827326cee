// error: event_time's function must take this element, by const reference, and return its time
#include <weir/operators/event_time.hpp>

struct tick {
  double time;
};
void misuse(weir::stream<tick> ticks) { auto s = std::move(ticks) | weir::event_time(&tick::time, weir::monotonic()); }
