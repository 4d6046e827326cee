#pragma once

#include "bar.hpp"
#include "decimal.hpp"
#include "symbol.hpp"

#include <weir/instant.hpp>
#include <weir/position.hpp>

#include <cstdint>

namespace ticks {

/// One trade as the market reported it. Trivially copyable.
struct tick {
  tick() = default;
  tick(symbol s, decimal p, decimal z, trade_order o, weir::position at_position) noexcept
      : name(s), price(p), size(z), order(o), at(at_position) {}

  symbol name;
  decimal price;      ///< above zero
  decimal size;       ///< not below zero
  trade_order order;  ///< event time and trade id
  weir::position at;  ///< of its record in the source: what makes folding idempotent

  weir::instant time() const noexcept { return order.time; }
  weir::position const& position() const noexcept { return at; }
};

}  // namespace ticks
