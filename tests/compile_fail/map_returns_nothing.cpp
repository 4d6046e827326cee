// error: map's function returns nothing; inspect looks at elements, for_each ends the stream
#include <weir/operators/map.hpp>

void misuse(weir::stream<int> numbers) {
  auto s = std::move(numbers) | weir::map([](int) {});
}
