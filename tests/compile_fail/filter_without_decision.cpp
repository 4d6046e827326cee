// error: filter's predicate must take this element, by const reference, and return bool
#include <weir/operators/filter.hpp>

#include <string>

void misuse(weir::stream<int> numbers) {
  auto s = std::move(numbers) | weir::filter([](int) { return std::string(); });
}
