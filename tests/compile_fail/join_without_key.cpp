// error: a join needs two streams with event time and key; put event_time(...) | key_by(...) behind both
#include <weir/operators/as_of_join.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/key_by.hpp>

struct trade {
  int symbol;
  weir::instant time;
};
void misuse(weir::stream<trade> a, weir::stream<trade> b) {
  auto keyed = std::move(a) | weir::event_time(&trade::time, weir::monotonic()) | weir::key_by(&trade::symbol);
  auto unkeyed = std::move(b) | weir::event_time(&trade::time, weir::monotonic());
  auto s = weir::as_of_join(std::move(keyed), std::move(unkeyed), std::chrono::seconds(1), weir::late::drop());
}
