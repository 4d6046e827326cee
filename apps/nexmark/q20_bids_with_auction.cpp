#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/event_time.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/process_context.hpp>
#include <weir/operators/watermark_strategy.hpp>

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace nexmark {
namespace {

struct bid_and_seller {
  bid what;
  std::int64_t seller;
};
// An inner join without end: an auction is kept, and bids until it is known; those for auctions of other categories are not.
struct bids_of_category_10 {
  using output = bid_and_seller;
  struct state {
    std::int64_t category, seller;  // zero: not known yet
    std::vector<bid> waiting;
  };
  using context = weir::process_context<std::int64_t, bid_and_seller>;
  void element(event const& e, state& s, context& c) const {
    if (auto const* b = std::get_if<bid>(&e)) {
      if (s.category == 0) s.waiting.push_back(*b);
      else if (s.category == 10) c.emit({*b, s.seller});
      return;
    }
    auction const& a = *std::get_if<auction>(&e);
    s.category = a.category;
    s.seller = a.seller;
    if (a.category == 10)
      for (bid const& b : s.waiting) c.emit({b, a.seller});
    s.waiting = {};
  }
};

}  // namespace

weir::task<> q20_bids_with_auction(weir::stream<event> in, output& out) {
  auto joined =
      std::move(in) | weir::filter(is_no_person) | weir::event_time(time_of_event, weir::monotonic()) | weir::key_by(auction_of) |
      weir::process(bids_of_category_10(), weir::never_expires()) |
      weir::for_each([&out](bid_and_seller const& b) { out.add(b.what.auction, b.what.bidder, b.what.price, b.what.time, b.seller); });
  co_await joined;
}

}  // namespace nexmark
