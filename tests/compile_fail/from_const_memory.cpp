// error: from gives its elements away; copy them into a vector
#include <weir/from.hpp>

void misuse(std::span<int const> numbers) { auto s = weir::from(numbers); }
