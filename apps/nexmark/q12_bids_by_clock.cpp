#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/time_window.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/watermark_strategy.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace nexmark {
weir::task<> q12_bids_by_clock(weir::stream<event> in, output& out, std::function<weir::instant()> now) {
  using namespace std::chrono_literals;
  using result = weir::window_result<std::int64_t, std::uint64_t>;
  auto by_clock = weir::event_time([now = std::move(now)](bid const&) { return now(); }, weir::monotonic());
  // The clock that tells may be years ahead of the run's own, which is a virtual one here.
  auto counts = bids(std::move(in)) | std::move(by_clock).max_ahead(20 * 365 * 24h) | weir::key_by(&bid::bidder) |
                weir::tumbling_window(10s, weir::late::drop()) | weir::aggregate(weir::count()) |
                weir::for_each([&out](result const& r) { out.add(r.key, r.window.start, r.value); });
  co_await counts;
}

}  // namespace nexmark
