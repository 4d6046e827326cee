// error: a stream has one consumer
#include <weir/operators/map.hpp>
#include <weir/stream.hpp>

void misuse(weir::stream<int> numbers) {
  auto doubled = numbers | weir::map([](int n) { return 2 * n; });
}
