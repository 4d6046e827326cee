// error: process keeps its state per key; put key_by(...) before it
#include <weir/operators/process.hpp>

void misuse(weir::timed_stream<int> numbers) {
  auto s = std::move(numbers) | weir::process<int, int>([](int x, int& sum, auto& c) { c.emit(sum += x); }, weir::never_expires());
}
