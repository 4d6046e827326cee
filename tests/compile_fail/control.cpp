// What the other files here do wrong, done right: has to compile.
#include <weir/operators/map.hpp>
#include <weir/stream.hpp>

void use(weir::stream<int> numbers) {
  auto doubled = std::move(numbers) | weir::map([](int n) { return 2 * n; });
}
