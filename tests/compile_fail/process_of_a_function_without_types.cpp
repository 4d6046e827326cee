// error: for a function alone, name both types: process<state, output>(f, expire_after(10min))
#include <weir/operators/key_by.hpp>
#include <weir/operators/process.hpp>

void misuse(weir::timed_stream<int> numbers) {
  auto s = std::move(numbers) | weir::key_by([](int x) { return x % 2; }) | weir::process([](int, int&, auto&) {}, weir::never_expires());
}
