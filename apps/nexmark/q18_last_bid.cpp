#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/event_time.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/process_context.hpp>
#include <weir/operators/watermark_strategy.hpp>

#include <cstdint>
#include <utility>

namespace nexmark {
namespace {

struct newest {
  using output = bid;
  struct state {
    weir::instant time;
  };
  using context = weir::process_context<std::pair<std::int64_t, std::int64_t>, bid>;
  void element(bid const& b, state& s, context& c) const {
    if (b.time < s.time) return;
    s.time = b.time;
    c.emit(b);
  }
};

}  // namespace

weir::task<> q18_last_bid(weir::stream<event> in, output& out) {
  auto last = bids(std::move(in)) | weir::event_time(&bid::time, weir::monotonic()) |
              weir::key_by([](bid const& b) { return std::pair(b.auction, b.bidder); }) | weir::process(newest(), weir::never_expires()) |
              weir::for_each([&out](bid const& b) { out.add(b.auction, b.bidder, b.price, b.time); });
  co_await last;
}

}  // namespace nexmark
