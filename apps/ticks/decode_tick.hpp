#pragma once

#include "tick.hpp"
#include "tick_fields.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ticks {

/// The values of a tick's fields as the input has them; a field that is absent is a view of null.
struct tick_texts {
  std::string_view symbol, price, size, trade_id, time;
};

/// The names of the fields that a record needs: symbol, price, size, time, and the trade id where there is one, in this order.
std::vector<std::string> selected_fields(tick_fields const& fields);

/// What is wrong with a record that should be a tick.
enum class tick_flaw : std::uint8_t {
  none,
  symbol_missing,   ///< absent or empty
  symbol_too_long,  ///< more than 23 bytes
  symbol_not_text,  ///< control characters, or not UTF-8
  price_missing,
  price_not_a_number,  ///< see `decimal::parse`
  price_not_positive,  ///< zero or below
  size_missing,
  size_not_a_number,
  size_negative,
  trade_id_missing,
  trade_id_not_a_number,  ///< not a whole number of 64 bits
  time_missing,
  time_not_a_time,  ///< not of the form `tick_fields::unit` says, or outside the years 1680 to 2260
};

/// Makes a tick of its texts. Returns the first flaw, in the order of the fields above; then `out` is unspecified. Never throws.
tick_flaw decode_tick(tick_texts const& texts, tick_fields const& fields, weir::position const& at, tick& out) noexcept;

/// One sentence for people: which field, what it has, what it should be. `flaw` is not `none`.
std::string describe(tick_flaw flaw, tick_texts const& texts, tick_fields const& fields);

}  // namespace ticks
