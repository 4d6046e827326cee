// error: aggregate needs an accumulator for this element: a state, and add, merge and result, all const
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/tumbling_window.hpp>

#include <cstddef>
#include <string>

struct longest {  // of strings
  using state = std::size_t;
  void add(state& s, std::string const& x, weir::instant) const { s = std::max(s, x.size()); }
  void merge(state& s, state other) const { s = std::max(s, other); }
  std::size_t result(state s) const { return s; }
};
void misuse(weir::stream<weir::instant> times) {
  auto s = std::move(times) | weir::event_time([](weir::instant t) { return t; }, weir::monotonic()) |
           weir::tumbling_window(std::chrono::hours(1), weir::late::drop()) | weir::aggregate(longest());
}
