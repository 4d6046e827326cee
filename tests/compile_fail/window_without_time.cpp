// error: a window in time needs event time; put event_time(...) before it
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/session_window.hpp>

struct visit {
  int client;
  weir::instant at;
};
void misuse(weir::stream<visit> visits) {
  auto s = std::move(visits) | weir::key_by(&visit::client) | weir::session_window(std::chrono::minutes(30), weir::late::drop()) |
           weir::aggregate(weir::count());
}
