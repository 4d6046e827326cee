// error: map cannot wait for a task; use map_concurrent
#include <weir/operators/map.hpp>

weir::task<int> ask(int x);
void misuse(weir::stream<int> numbers) { auto s = std::move(numbers) | weir::map(ask); }
