#pragma once

#include "bar.hpp"
#include "symbol.hpp"
#include "tick.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ticks {

/// The newest bars of each symbol as they form, for who looks at a run; what the store gets is made elsewhere (`make_bars`). Of at most
/// `most_symbols` symbols, those that come first, `kept` bars each.
///
/// Thread-safe: `add` is called by the run, the others by whoever looks.
class live_bars {
public:
  static constexpr std::size_t kept = 240, most_symbols = 200;

  /// `window`: ns, the length of a bar.
  explicit live_bars(std::int64_t window) noexcept : window_(window) {}

  void add(std::span<tick const> some);

  /// The bars of a symbol, the newest `most`, the oldest of them first, and what there is beside it: an object of JSON, as the page of
  /// ticks reads it. A symbol that there is not, such as "", is the one with most trades.
  std::string json(std::string_view symbol, std::size_t most = kept) const;

private:
  struct live_bar {
    std::int64_t start = 0;
    bar value;
    bool revised = false;  ///< a trade came when a later bar had begun
  };
  struct series {
    std::deque<live_bar> bars;  // by time
    std::uint64_t trades = 0;
  };
  struct symbol_hash {
    std::size_t operator()(symbol const& s) const noexcept { return hash_value(s); }
  };
  void add(series& to, tick const& t);

  std::int64_t const window_;
  mutable std::mutex lock_;
  std::unordered_map<symbol, series, symbol_hash> all_;
  std::uint64_t ticks_ = 0;
  std::int64_t newest_ = 0;
};

}  // namespace ticks
