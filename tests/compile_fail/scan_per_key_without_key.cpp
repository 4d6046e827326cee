// error: a scan whose accumulators expire has one per key; put key_by(...) before it
#include <weir/operators/scan.hpp>

#include <functional>

void misuse(weir::timed_stream<int> numbers) {
  auto s = std::move(numbers) | weir::scan(0, std::plus<>(), weir::expire_after(std::chrono::minutes(10)));
}
