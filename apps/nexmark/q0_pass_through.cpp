#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/for_each.hpp>

#include <utility>

namespace nexmark {
weir::task<> q0_pass_through(weir::stream<event> in, output& out) {
  auto all = bids(std::move(in)) | weir::for_each([&out](bid const& b) { out.add(b.auction, b.bidder, b.price, b.time); });
  co_await all;
}

}  // namespace nexmark
