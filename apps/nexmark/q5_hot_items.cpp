#include "hottest.hpp"
#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/watermark_strategy.hpp>

#include <chrono>
#include <utility>

namespace nexmark {
using namespace std::chrono_literals;

namespace {

// Counts by auction and slice, which windows are made of, and over them the greatest of each window.
weir::task<> hot_items(weir::stream<event> in, output& out, std::chrono::seconds size, std::chrono::seconds slide) {
  auto hot = bids(std::move(in)) | weir::event_time(&bid::time, weir::monotonic()) | weir::key_by(&bid::auction) |
             weir::tumbling_window(slide, weir::late::drop()) | weir::aggregate(weir::count()) |
             weir::key_by([](bid_count const&) { return 0; }) | weir::process(hottest(size, slide), weir::never_expires()) |
             weir::for_each([&out](bid_count const& c) { out.add(c.window.end, c.key, c.value); });
  co_await hot;
}

}  // namespace

weir::task<> q5_hot_items(weir::stream<event> in, output& out) { return hot_items(std::move(in), out, 10s, 2s); }
weir::task<> q5_hot_items_of_a_minute(weir::stream<event> in, output& out) { return hot_items(std::move(in), out, 60s, 1s); }

}  // namespace nexmark
