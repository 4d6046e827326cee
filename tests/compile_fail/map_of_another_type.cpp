// error: map's function cannot be called with this element
#include <weir/operators/map.hpp>

#include <string>

void misuse(weir::stream<int> numbers) {
  auto s = std::move(numbers) | weir::map([](std::string const& s) { return s; });
}
