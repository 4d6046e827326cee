#include "parts.hpp"
#include "queries.hpp"
#include "winning_bid.hpp"

#include <weir/operators/expiry.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/process_context.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace nexmark {
namespace {

struct seller_prices {
  std::int64_t seller, count, sum;
};
struct last_ten {
  using output = seller_prices;
  struct state {
    std::array<std::int64_t, 10> prices;
    std::int64_t count, sum;
  };
  using context = weir::process_context<std::int64_t, seller_prices>;
  void element(won const& w, state& s, context& c) const {
    std::int64_t& place = s.prices[static_cast<std::size_t>(s.count++) % s.prices.size()];
    s.sum += w.by.price - place;
    place = w.by.price;
    c.emit({c.key(), s.count < 10 ? s.count : 10, s.sum});
  }
};

}  // namespace

weir::task<> q6_seller_prices(weir::stream<event> in, output& out) {
  auto means = won_auctions(std::move(in)) | weir::key_by([](won const& w) { return w.what.seller; }) |
               weir::process(last_ten(), weir::never_expires()) |
               weir::for_each([&out](seller_prices const& p) { out.add(p.seller, p.count, p.sum); });
  co_await means;
}

}  // namespace nexmark
