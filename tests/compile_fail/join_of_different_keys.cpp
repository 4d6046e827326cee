// error: both sides of a join need the same type of key
#include <weir/operators/event_time.hpp>
#include <weir/operators/interval_join.hpp>
#include <weir/operators/key_by.hpp>

struct trade {
  int symbol;
  long account;
  weir::instant time;
};
auto in_time(weir::stream<trade> s) { return std::move(s) | weir::event_time(&trade::time, weir::monotonic()); }
void misuse(weir::stream<trade> a, weir::stream<trade> b) {
  auto l = in_time(std::move(a)) | weir::key_by(&trade::symbol);
  auto r = in_time(std::move(b)) | weir::key_by(&trade::account);
  weir::interval const minute(std::chrono::minutes(-1), std::chrono::minutes(0));
  auto s = weir::interval_join(std::move(l), std::move(r), minute, weir::late::drop());
}
