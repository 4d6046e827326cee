#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/for_each.hpp>
#include <weir/operators/map.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstdint>
#include <utility>

namespace nexmark {
namespace {

using side_table = boost::unordered_flat_map<std::int64_t, std::int64_t>;
side_table make_side_table() {
  side_table t;
  for (std::int64_t key = 0; key != 10'000; ++key) t.emplace(key, key * key % 9'973);
  return t;
}
struct bid_and_value {
  bid of;
  std::int64_t value;
};

}  // namespace

weir::task<> q13_side_input(weir::stream<event> in, output& out) {
  side_table const side = make_side_table();
  auto joined = bids(std::move(in)) | weir::map([&side](bid const& b) { return bid_and_value{b, side.find(b.auction % 10'000)->second}; }) |
                weir::for_each([&out](bid_and_value const& b) { out.add(b.of.auction, b.of.bidder, b.of.price, b.of.time, b.value); });
  co_await joined;
}

}  // namespace nexmark
