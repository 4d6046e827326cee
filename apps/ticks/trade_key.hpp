#pragma once

#include "symbol.hpp"
#include "tick.hpp"

#include <cstddef>
#include <cstdint>

namespace ticks {

/// What tells a trade from all others, as far as the exchange numbers the trades of a symbol.
struct trade_key {
  explicit trade_key(tick const& t) noexcept : name(t.name), id(t.order.id) {}
  trade_key() = default;
  symbol name;
  std::int64_t id = 0;

  friend bool operator==(trade_key const&, trade_key const&) = default;
  friend std::size_t hash_value(trade_key const& k) noexcept {
    return (hash_value(k.name) ^ static_cast<std::size_t>(k.id)) * 0x9e3779b97f4a7c15U;
  }
};

}  // namespace ticks
