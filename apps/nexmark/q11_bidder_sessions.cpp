#include "parts.hpp"
#include "queries.hpp"

#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/session_window.hpp>
#include <weir/operators/time_window.hpp>
#include <weir/operators/watermark_strategy.hpp>

#include <chrono>
#include <cstdint>
#include <utility>

namespace nexmark {
weir::task<> q11_bidder_sessions(weir::stream<event> in, output& out) {
  using namespace std::chrono_literals;
  using session = weir::window_result<std::int64_t, std::uint64_t>;
  auto sessions = bids(std::move(in)) | weir::event_time(&bid::time, weir::monotonic()) | weir::key_by(&bid::bidder) |
                  weir::session_window(10s, weir::late::drop()) | weir::aggregate(weir::count()) |
                  weir::for_each([&out](session const& s) { out.add(s.key, s.window.start, s.window.end, s.value); });
  co_await sessions;
}

}  // namespace nexmark
