#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/for_each.hpp>
#include <weir/operators/map.hpp>

#include <utility>

namespace nexmark {
weir::task<> q1_currency(weir::stream<event> in, output& out) {
  auto in_euros = bids(std::move(in)) | weir::map([](bid b) {
                    b.price *= 908;
                    return b;
                  }) |
                  weir::for_each([&out](bid const& b) { out.add(b.auction, b.bidder, b.price, b.time); });
  co_await in_euros;
}

}  // namespace nexmark
