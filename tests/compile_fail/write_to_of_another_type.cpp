// error: write_to's sink takes another type
#include <weir/operators/write_to.hpp>

#include <string>

void misuse(weir::stream<int> numbers, weir::named_sink<std::string> names) { auto all = std::move(numbers) | weir::write_to(names); }
