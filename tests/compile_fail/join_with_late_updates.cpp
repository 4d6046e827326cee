// error: a join cannot update what it gave; use late::drop or late::side_output
#include <weir/operators/event_time.hpp>
#include <weir/operators/interval_join.hpp>
#include <weir/operators/key_by.hpp>

struct trade {
  int symbol;
  weir::instant time;
};
auto keyed(weir::stream<trade> s) {
  return std::move(s) | weir::event_time(&trade::time, weir::monotonic()) | weir::key_by(&trade::symbol);
}
void misuse(weir::stream<trade> a, weir::stream<trade> b) {
  weir::interval const minute(std::chrono::minutes(-1), std::chrono::minutes(0));
  auto s = weir::interval_join(keyed(std::move(a)), keyed(std::move(b)), minute, weir::late::update(std::chrono::minutes(1)));
}
