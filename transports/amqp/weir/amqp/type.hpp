#pragma once
#include <cstdint>

namespace weir::amqp {

/// The types of AMQP. Where the standard's name is a word of C++, the one of the same width stands for it: `uint16` is its ushort,
/// `int64` its long, `float64` its double.
/// Source: AMQP 1.0, 1.6.
enum class type : std::uint8_t {
  null,
  boolean,
  uint8,
  uint16,
  uint32,
  uint64,
  int8,
  int16,
  int32,
  int64,
  float32,
  float64,
  decimal32,
  decimal64,
  decimal128,
  character,
  timestamp,  ///< ms since 1970, UTC
  uuid,
  binary,
  string,
  symbol,
  list,
  map,
  array,
  described,  ///< a value with another one before it that says what it is
};

}  // namespace weir::amqp
