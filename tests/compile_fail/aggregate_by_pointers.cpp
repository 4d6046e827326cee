// error: the windows are part of checkpoints, so key and accumulator state need a codec
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/session_window.hpp>

struct client;
struct visit {
  client const* from;
  weir::instant at;
};
void misuse(weir::stream<visit> visits) {
  auto s = std::move(visits) | weir::event_time(&visit::at, weir::monotonic()) | weir::key_by(&visit::from) |
           weir::session_window(std::chrono::minutes(30), weir::late::drop()) | weir::aggregate(weir::count());
}
