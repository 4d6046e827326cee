#pragma once
#include "event.hpp"

#include <weir/instant.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nexmark {

/// What is generated.
struct generator_options {
  std::uint64_t seed = 42;
  std::uint64_t per_second = 100'000;               ///< events in a second of event time; 1 to 1,000,000
  weir::instant start = 1'700'006'400'000'000'000;  ///< of the first event: midnight
};

/// Event number `number` of the benchmark, from 0: a pure function, so events can be made in any order.
///
/// Of 50 events 1 is a person, 3 are auctions, 46 bids, in this order. Ids go up from 1,000. Half of the bids are for the newest auction
/// whose number is a multiple of 100, three quarters of bidders and sellers are the newest such person (the bidder the one after it); the
/// others are spread over the last 100 auctions and 10 that are to come, and the last 1,000 people and 10 to come. Prices are 10^(6u)
/// dollars; an auction lasts for up to twice the time in which 100 auctions appear. Times are whole milliseconds and never go back.
/// Source: Nexmark's generator configuration (github.com/nexmark/nexmark), by its published constants.
event make_event(std::uint64_t number, generator_options const& options = {});

/// The first `count` events.
std::vector<event> generate(std::size_t count, generator_options const& options = {});

}  // namespace nexmark
