// error: scan's function must be callable as f(accumulator&, element)
#include <weir/operators/scan.hpp>

void misuse(weir::stream<int> numbers) {
  auto s = std::move(numbers) | weir::scan(0, [](int& sum) { ++sum; });
}
