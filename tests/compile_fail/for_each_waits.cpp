// error: for_each cannot wait for a task
#include <weir/operators/for_each.hpp>

weir::task<> store(int x);
void misuse(weir::stream<int> numbers) { auto all = std::move(numbers) | weir::for_each(store); }
