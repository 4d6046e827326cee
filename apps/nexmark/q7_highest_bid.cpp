#include "all_greatest.hpp"
#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/time_window.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/watermark_strategy.hpp>

#include <chrono>
#include <utility>
#include <vector>

namespace nexmark {
weir::task<> q7_highest_bid(weir::stream<event> in, output& out) {
  using namespace std::chrono_literals;
  auto highest = bids(std::move(in)) | weir::event_time(&bid::time, weir::monotonic()) | weir::tumbling_window(10s, weir::late::drop()) |
                 weir::aggregate(greatest_of<bid>([](bid const& b) { return b.price; })) |
                 weir::for_each([&out](weir::window_result<weir::no_key, std::vector<bid>> const& window) {
                   for (bid const& b : window.value) out.add(b.auction, b.bidder, b.price, b.time);
                 });
  co_await highest;
}

}  // namespace nexmark
