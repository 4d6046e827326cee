#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/event_time.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/process_context.hpp>
#include <weir/operators/watermark_strategy.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <utility>

namespace nexmark {
namespace {

struct placed {
  bid what;
  std::int64_t rank;
};
struct ten_highest {
  using output = placed;
  struct state {
    std::array<std::int64_t, 10> prices;  // the highest first; zero: none yet
  };
  using context = weir::process_context<std::int64_t, placed>;
  void element(bid const& b, state& s, context& c) const {
    if (b.price <= s.prices.back()) return;
    auto const place = std::upper_bound(s.prices.begin(), s.prices.end(), b.price, std::greater<>());
    std::move_backward(place, s.prices.end() - 1, s.prices.end());
    *place = b.price;
    c.emit({b, place - s.prices.begin() + 1});
  }
};

}  // namespace

weir::task<> q19_top_ten(weir::stream<event> in, output& out) {
  auto top = bids(std::move(in)) | weir::event_time(&bid::time, weir::monotonic()) | weir::key_by(&bid::auction) |
             weir::process(ten_highest(), weir::never_expires()) |
             weir::for_each([&out](placed const& p) { out.add(p.what.auction, p.rank, p.what.bidder, p.what.price, p.what.time); });
  co_await top;
}

}  // namespace nexmark
