#pragma once
#include "event.hpp"
#include "parts.hpp"

#include <weir/operators/event_time.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/process_context.hpp>
#include <weir/operators/watermark_strategy.hpp>
#include <weir/stream.hpp>

#include <chrono>
#include <cstdint>
#include <utility>

namespace nexmark {

/// An auction that was bid for, and the bid that won.
struct won {
  auction what;
  bid by;
};

/// For `weir::process`, of auctions and bids by auction: when an auction has expired, gives its highest bid, of several the earliest.
/// A bid counts from the auction's time to its expiry, both included, also where it came first within the same millisecond.
class winning_bid {
public:
  using output = won;
  struct state {
    auction what;
    bid best;
    bool open, bid_for;
  };
  using context = weir::process_context<std::int64_t, won>;
  void element(event const& e, state& s, context& c) const;
  void timer(weir::instant at, state& s, context& c) const;
};

/// The won auctions among the events, in the order in which they expire. What is kept of bids for auctions that are over goes after ten
/// seconds, which no auction lasts for at 500 events per second and more.
inline auto won_auctions(weir::stream<event> in) {
  using namespace std::chrono_literals;
  return std::move(in) | weir::filter(is_no_person) | weir::event_time(time_of_event, weir::monotonic()) | weir::key_by(auction_of) |
         weir::process(winning_bid(), weir::expire_after(10s));
}

}  // namespace nexmark
