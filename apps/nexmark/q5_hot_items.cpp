#include "all_greatest.hpp"
#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/time_window.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/watermark_strategy.hpp>

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace nexmark {
using namespace std::chrono_literals;

namespace {

// Counts by auction and window, and of each window the greatest: results lie at its end, in a window as long as the slide.
weir::task<> hot_items(weir::stream<event> in, output& out, std::chrono::seconds size, std::chrono::seconds slide) {
  using counted = weir::window_result<std::int64_t, std::uint64_t>;
  auto hot = bids(std::move(in)) | weir::event_time(&bid::time, weir::monotonic()) | weir::key_by(&bid::auction) |
             weir::sliding_window(size, slide, weir::late::drop()) | weir::aggregate(weir::count()).named("bids") |
             weir::tumbling_window(slide, weir::late::drop()) |
             weir::aggregate(greatest_of<counted>([](counted const& c) { return static_cast<std::int64_t>(c.value); })).named("hottest") |
             weir::for_each([&out](weir::window_result<weir::no_key, std::vector<counted>> const& window) {
               for (counted const& c : window.value) out.add(c.window.end, c.key, c.value);
             });
  co_await hot;
}

}  // namespace

weir::task<> q5_hot_items(weir::stream<event> in, output& out) { return hot_items(std::move(in), out, 10s, 2s); }
weir::task<> q5_hot_items_of_a_minute(weir::stream<event> in, output& out) { return hot_items(std::move(in), out, 60s, 1s); }

}  // namespace nexmark
