#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/time_window.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/watermark_strategy.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace nexmark {
namespace {

struct statistics {
  std::int64_t bids, low, middle, high, least, greatest, sum;
};
struct bid_statistics {
  using state = statistics;
  void add(state& s, bid const& b, weir::instant) const {
    std::int64_t const p = b.price;
    merge(s, {1, p < 10'000, p >= 10'000 && p < 1'000'000, p >= 1'000'000, p, p, p});
  }
  void merge(state& s, state const& o) const {
    s.least = s.bids == 0 ? o.least : o.bids == 0 ? s.least : std::min(s.least, o.least);
    s.greatest = std::max(s.greatest, o.greatest);  // prices are above zero
    s.bids += o.bids;
    s.low += o.low;
    s.middle += o.middle;
    s.high += o.high;
    s.sum += o.sum;
  }
  statistics result(state const& s) const { return s; }
};

}  // namespace

weir::task<> q17_auction_statistics(weir::stream<event> in, output& out) {
  using namespace std::chrono_literals;
  auto all = bids(std::move(in)) | weir::event_time(&bid::time, weir::monotonic()) | weir::key_by(&bid::auction) |
             weir::tumbling_window(24h, weir::late::drop()) | weir::aggregate(bid_statistics()) |
             weir::for_each([&out](weir::window_result<std::int64_t, statistics> const& r) {
               statistics const& s = r.value;
               out.add(r.key, r.window.start, s.bids, s.low, s.middle, s.high, s.least, s.greatest, s.sum);
             });
  co_await all;
}

}  // namespace nexmark
