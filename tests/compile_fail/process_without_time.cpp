// error: process needs event time; put event_time(...) before it
#include <weir/operators/key_by.hpp>
#include <weir/operators/process.hpp>

void misuse(weir::stream<int> numbers) {
  auto s = std::move(numbers) | weir::key_by([](int x) { return x % 2; }) |
           weir::process<int, int>([](int x, int& sum, auto& c) { c.emit(sum += x); }, weir::never_expires());
}
