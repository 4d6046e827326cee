// error: heartbeat tells event_time that a source is quiet; put it before event_time
#include <weir/operators/event_time.hpp>
#include <weir/operators/heartbeat.hpp>

using namespace std::chrono_literals;

weir::instant now_and_then(int x) { return x; }
void misuse(weir::stream<int> numbers) {
  auto s = std::move(numbers) | weir::event_time(now_and_then, weir::monotonic()) | weir::heartbeat(1s);
}
