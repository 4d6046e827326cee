#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

/// A trade of the load: 24 bytes.
struct tick {
  std::uint32_t symbol;
  std::int32_t size;
  double price;
  std::int64_t ms;  ///< event time, milliseconds since the epoch
};

/// 60 minutes of trades of 1,000 symbols: symbols by Zipf's law (exponent 1), prices a random walk, event times uniformly up to 5 s behind
/// arrival, one in a thousand 60 to 180 s behind. Always the same for one `n`; for 20 million of them the one-minute bars are known.
std::vector<tick>& ticks(std::size_t n);

/// What the bars of 20 million ticks come to, however they are made.
struct bar_checksum {
  std::uint64_t bars = 0, trades = 0, late = 0;
  std::int64_t volume = 0;
  double prices = 0;
  void add(double open, double high, double low, double close, std::int64_t vol, std::uint64_t n) noexcept {
    ++bars;
    trades += n;
    volume += vol;
    prices += open + high + low + close;
  }
  /// 60,000 bars, 19,980,379 trades, 19,621 late, volume 9,998,700,278, prices 24,014,223.37.
  bool right() const noexcept;
};

}  // namespace bench
