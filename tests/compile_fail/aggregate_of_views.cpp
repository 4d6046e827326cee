// error: the windows are part of checkpoints, so key and accumulator state need a codec
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/tumbling_window.hpp>

#include <string_view>

struct visit {
  std::string_view page;
  weir::instant at;
};
struct last_page {
  using state = std::string_view;
  void add(state& s, visit const& v, weir::instant) const { s = v.page; }
  void merge(state& s, state const& other) const { s = other; }
  std::string_view result(state const& s) const { return s; }
};
void misuse(weir::stream<visit> visits) {
  auto s = std::move(visits) | weir::event_time(&visit::at, weir::monotonic()) |
           weir::tumbling_window(std::chrono::hours(1), weir::late::drop()) | weir::aggregate(last_page());
}
