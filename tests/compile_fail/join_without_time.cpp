// error: a join needs two streams with event time and key; put event_time(...) | key_by(...) behind both
#include <weir/operators/window_join.hpp>

void misuse(weir::stream<int> a, weir::stream<int> b) {
  auto s = weir::window_join(std::move(a), std::move(b), std::chrono::seconds(1), weir::late::drop());
}
