// error: scan behind key_by keeps one accumulator per key; say for how long: scan(init, f, expire_after(10min))
#include <weir/operators/key_by.hpp>
#include <weir/operators/scan.hpp>

#include <functional>

void misuse(weir::stream<int> numbers) {
  auto s = std::move(numbers) | weir::key_by([](int x) { return x % 2; }) | weir::scan(0, std::plus<>());
}
