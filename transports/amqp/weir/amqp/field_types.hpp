#pragma once
#include <string_view>

namespace weir::amqp {

/// A symbol in a field that could hold a string.
struct symbol_view {
  std::string_view text;
  friend bool operator==(symbol_view, symbol_view) = default;
};

/// Bytes in a field.
struct binary_view {
  std::string_view bytes;
  friend bool operator==(binary_view, binary_view) = default;
};

/// A value of any type in a field, as it is encoded (`encoder`, `value_reader`); empty for null.
struct encoded_view {
  std::string_view bytes;
  explicit operator bool() const noexcept { return !bytes.empty(); }
  friend bool operator==(encoded_view, encoded_view) = default;
};

}  // namespace weir::amqp
