// error: a scan's accumulators expire by event time; put event_time(...) before key_by, or say never_expires()
#include <weir/operators/key_by.hpp>
#include <weir/operators/scan.hpp>

#include <functional>

void misuse(weir::stream<int> numbers) {
  auto s = std::move(numbers) | weir::key_by([](int x) { return x % 2; }) |
           weir::scan(0, std::plus<>(), weir::expire_after(std::chrono::minutes(10)));
}
