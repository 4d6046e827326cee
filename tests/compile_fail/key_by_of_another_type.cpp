// error: key_by's function must take this element, by const reference, and return its key
#include <weir/operators/key_by.hpp>

struct place {
  int id;
};
void misuse(weir::stream<int> numbers) { auto s = std::move(numbers) | weir::key_by(&place::id); }
