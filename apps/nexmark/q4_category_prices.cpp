#include "parts.hpp"
#include "queries.hpp"
#include "winning_bid.hpp"

#include <weir/operators/expiry.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/keyed_value.hpp>
#include <weir/operators/scan.hpp>

#include <cstdint>
#include <utility>

namespace nexmark {
namespace {
struct prices {
  std::int64_t count, sum;
};
}  // namespace

weir::task<> q4_category_prices(weir::stream<event> in, output& out) {
  auto means = won_auctions(std::move(in)) | weir::key_by([](won const& w) { return w.what.category; }) |
               weir::scan(
                   prices{0, 0},
                   [](prices& p, won const& w) {
                     ++p.count;
                     p.sum += w.by.price;
                   },
                   weir::never_expires()) |
               weir::for_each([&out](weir::keyed_value<std::int64_t, prices> const& p) { out.add(p.key, p.value.count, p.value.sum); });
  co_await means;
}

}  // namespace nexmark
