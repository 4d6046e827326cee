#pragma once

#include "decimal.hpp"

#include <compare>
#include <cstdint>

namespace ticks {

/// In the nanoseconds of event times. Bars and events are written in milliseconds.
inline constexpr std::int64_t millisecond = 1'000'000;

/// The place of a trade among the trades of its symbol: by event time, then by trade id. Where the input has no ids all are 0.
struct trade_order {
  std::int64_t time = 0;  ///< nanoseconds since the Unix epoch, UTC
  std::int64_t id = 0;    ///< as the exchange numbers its trades
  friend auto operator<=>(trade_order const&, trade_order const&) = default;
};

/// Open, high, low, close, volume and number of trades of one symbol in one window.
///
/// Open and close follow `trade_order`, not arrival, so any order of the same trades folds to the same bar; among trades of equal order
/// (an input without ids) the first to arrive opens and the last to arrive closes. Prices and volume are exact.
struct bar {
  decimal open, high, low, close;  ///< prices, each with the text it had in the input
  decimal volume;                  ///< sum of the sizes, with as many digits behind the point as the longest size
  std::uint64_t trades = 0;        ///< number of trades; 0: an empty bar, its other fields mean nothing
  trade_order first, last;         ///< of the trades that made `open` and `close`

  /// Folds one trade. False, and the bar is as before, when the volume would need more than 38 digits.
  [[nodiscard]] bool add(trade_order order, decimal const& price, decimal const& size) noexcept;

  /// Folds the trades of `other`, which must be different ones that arrived after those here. False as for `add`.
  [[nodiscard]] bool merge(bar const& other) noexcept;

  friend bool operator==(bar const&, bar const&) = default;
};

}  // namespace ticks
