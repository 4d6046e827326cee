#pragma once
#include <weir/instant.hpp>

#include <cstdint>
#include <variant>

namespace nexmark {

/// Somebody who may sell and bid. Texts of the benchmark's definition (names, cities, channels, ...) are numbers here: which of their list.
struct person {
  std::int64_t id;
  weir::instant time;
  std::int64_t city;   ///< 0 to 9
  std::int64_t state;  ///< as `states` below
};

/// Something that is sold.
struct auction {
  std::int64_t id;
  std::int64_t seller;
  std::int64_t category;              ///< 10 to 14
  std::int64_t initial_bid, reserve;  ///< cents
  weir::instant time;
  weir::instant expires;  ///< the last moment at which a bid counts
};

/// What somebody offers.
struct bid {
  std::int64_t auction;
  std::int64_t bidder;
  std::int64_t price;  ///< cents
  weir::instant time;
  std::int64_t channel;  ///< 0 to 3: one of the four hot ones; else 4 to 10,003
};

using event = std::variant<person, auction, bid>;

/// The states in which people live.
enum states : std::int64_t { arizona, california, idaho, oregon, washington, wyoming };

}  // namespace nexmark
