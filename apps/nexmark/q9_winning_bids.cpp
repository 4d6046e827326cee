#include "parts.hpp"
#include "queries.hpp"
#include "winning_bid.hpp"

#include <weir/operators/for_each.hpp>

#include <utility>

namespace nexmark {
weir::task<> q9_winning_bids(weir::stream<event> in, output& out) {
  auto all = won_auctions(std::move(in)) | weir::for_each([&out](won const& w) {
               out.add(w.what.id, w.what.seller, w.what.category, w.by.bidder, w.by.price, w.by.time);
             });
  co_await all;
}

}  // namespace nexmark
