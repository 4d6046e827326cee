// error: reduce's function must be callable as f(element, element), const, and return the element's type, which is copied
#include <weir/operators/event_time.hpp>
#include <weir/operators/reduce.hpp>
#include <weir/operators/tumbling_window.hpp>

#include <string>

struct visit {
  std::string page;
  weir::instant at;
};
void misuse(weir::stream<visit> visits) {
  auto s = std::move(visits) | weir::event_time(&visit::at, weir::monotonic()) |
           weir::tumbling_window(std::chrono::hours(1), weir::late::drop()) |
           weir::reduce([](visit const& a, visit const& b) { return a.page + b.page; });
}
