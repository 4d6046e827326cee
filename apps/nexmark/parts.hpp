#pragma once
#include "event.hpp"

#include <weir/instant.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/map.hpp>
#include <weir/stream.hpp>

#include <cstdint>
#include <utility>
#include <variant>

namespace nexmark {

inline constexpr auto is_bid = [](event const& e) { return std::holds_alternative<bid>(e); };
inline constexpr auto is_no_bid = [](event const& e) { return !std::holds_alternative<bid>(e); };
inline constexpr auto is_no_person = [](event const& e) { return !std::holds_alternative<person>(e); };

/// The bids among the events.
inline auto bids(weir::stream<event> in) {
  return std::move(in) | weir::filter(is_bid) | weir::map([](event const& e) -> bid { return *std::get_if<bid>(&e); });
}

inline constexpr auto time_of_event = [](event const& e) -> weir::instant {
  if (auto const* b = std::get_if<bid>(&e)) return b->time;
  if (auto const* a = std::get_if<auction>(&e)) return a->time;
  return std::get_if<person>(&e)->time;
};
/// Of an auction itself, or of a bid for it.
inline constexpr auto auction_of = [](event const& e) -> std::int64_t {
  if (auto const* b = std::get_if<bid>(&e)) return b->auction;
  return std::get_if<auction>(&e)->id;
};
/// Of a person, or of the seller of an auction.
inline constexpr auto person_of = [](event const& e) -> std::int64_t {
  if (auto const* a = std::get_if<auction>(&e)) return a->seller;
  return std::get_if<person>(&e)->id;
};

}  // namespace nexmark
