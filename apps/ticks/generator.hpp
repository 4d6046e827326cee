#pragma once

#include "decimal.hpp"
#include "symbol.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ticks {

/// What the built-in market is made of. The same values give the same trades, on every machine and from every starting point.
struct market {
  std::uint32_t symbols = 20;                      ///< number of symbols, 1 to 100,000; the k-th trades 1/k as often as the first (Zipf)
  std::uint64_t rate = 1000;                       ///< trades per second of event time over all symbols, 1 to 1,000,000,000
  std::uint64_t seed = 42;                         ///< any number
  std::int64_t start = 1'735'828'200'000'000'000;  ///< event time of the beginning, ns since the epoch (2025-01-02 14:30 UTC)

  /// Text that is equal for equal markets: names the source in checkpoints.
  std::string identity() const;
};

/// One trade of the built-in market.
struct made_trade {
  std::uint32_t symbol_index = 0;  ///< into `generator::symbols()`
  std::int64_t trade_id = 0;       ///< counts the trades of the symbol from 1
  decimal price;                   ///< two digits behind the point, 1.00 to 1,000,000,000.00
  decimal size;                    ///< five digits behind the point, above zero
  std::int64_t time = 0;           ///< event time, ns since the epoch, whole milliseconds, never going back
};

/// A deterministic market: every symbol's price is a random walk, trades come in bursts (a mixture of two exponential gaps), sizes have
/// a long tail. A trade is made with integers only, so that the sequence does not depend on the machine's floating point.
///
/// Endless; about 15 ns per trade and memory for the symbols only. Not thread-safe.
class generator {
public:
  /// Starts before the first trade. Errors: `std::invalid_argument` when a field of `m` is outside its range.
  explicit generator(market m);

  /// The next trade.
  made_trade next() noexcept;

  /// Runs over `count` trades, as fast as `next` does: how a restart finds its place again.
  void skip(std::uint64_t count) noexcept;

  /// Number of trades made or skipped.
  std::uint64_t made() const noexcept { return made_; }

  /// The names, in order of activity.
  std::vector<symbol> const& symbols() const noexcept { return symbols_; }

private:
  struct instrument {
    std::int64_t cents = 0;
    std::int64_t trades = 0;
    std::uint32_t keep = 0;  // alias method (Walker 1977): stay here below `keep`, else go to `other`
    std::uint32_t other = 0;
  };
  std::uint64_t draw() noexcept;
  std::uint32_t pick(std::uint32_t random) const noexcept;
  std::int64_t gap(std::uint32_t random) noexcept;
  void list_instruments();

  market market_;
  std::array<std::uint64_t, 4> random_;
  std::vector<symbol> symbols_;
  std::vector<instrument> instruments_;
  std::uint64_t mean_gap_;      // ns with 20 binary digits behind the point
  std::uint64_t fraction_ = 0;  // part of a nanosecond carried on, same form
  std::int64_t time_;
  std::uint64_t made_ = 0;
};

}  // namespace ticks
