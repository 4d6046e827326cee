#pragma once
#include <weir/instant.hpp>
#include <weir/operators/process_context.hpp>
#include <weir/operators/state/map_state.hpp>
#include <weir/operators/time_window.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace nexmark {

/// How often an auction was bid for in a slice of time, or in the windows that end with `window.end`.
using bid_count = weir::window_result<std::int64_t, std::uint64_t>;

/// For `weir::process`, over the counts of all auctions (one key) per slice: at the end of each slice, those with most bids in the window
/// of `size` that ends there.
///
/// A count is added to its auction's when its slice ends, and taken away when the window has left it; the greatest are on top of a heap
/// whose other entries may be outdated. So what a count costs does not depend on how many windows it is in.
class hottest {
public:
  using output = bid_count;
  struct state {
    std::vector<bid_count> slices;                                ///< in order; the first `left` are behind the window
    std::uint64_t left, entered;                                  ///< how many have left the window, and have been in it
    weir::map_state<std::int64_t, std::int64_t> bids;             ///< of each auction in the window
    std::vector<std::pair<std::int64_t, std::int64_t>> greatest;  ///< a heap of bids and auctions; true where `bids` says so
  };
  using context = weir::process_context<int, bid_count>;

  /// `size` is a multiple of `slide`, the length of the slices.
  hottest(std::chrono::nanoseconds size, std::chrono::nanoseconds slide) noexcept : size_(size.count()), slide_(slide.count()) {}
  void element(bid_count const& c, state& s, context& to) const;
  void timer(weir::instant end, state& s, context& to) const;

private:
  weir::instant size_, slide_;
};

}  // namespace nexmark
