// error: inspect cannot wait for a task; use map_concurrent
#include <weir/operators/inspect.hpp>

weir::task<> tell(int x);
void misuse(weir::stream<int> numbers) { auto s = std::move(numbers) | weir::inspect(tell); }
