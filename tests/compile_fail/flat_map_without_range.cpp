// error: flat_map's function must take this element and return a range (a container or a view)
#include <weir/operators/flat_map.hpp>

void misuse(weir::stream<int> numbers) {
  auto s = std::move(numbers) | weir::flat_map([](int x) { return x; });
}
