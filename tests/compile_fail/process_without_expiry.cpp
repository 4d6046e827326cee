// error: say how long process keeps a key that nothing touches: process(f, expire_after(10min))
#include <weir/operators/key_by.hpp>
#include <weir/operators/process.hpp>

namespace {

struct counts {
  using output = int;
  using state = int;
  void element(int, int& n, weir::process_context<int, int>& c) { c.emit(++n); }
};

}  // namespace

void misuse(weir::timed_stream<int> numbers) {
  auto s = std::move(numbers) | weir::key_by([](int x) { return x % 2; }) | weir::process(counts());
}
