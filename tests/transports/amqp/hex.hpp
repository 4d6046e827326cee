#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace weir::test {

/// The bytes that hexadecimal digits name; spaces between them do not count.
inline std::string bytes_of(std::string_view hex) {
  std::string out;
  int high = -1;
  for (char const c : hex) {
    if (c == ' ' || c == '\n') continue;
    auto const digit = std::string_view("0123456789abcdef").find(c);
    if (digit == std::string_view::npos) throw std::invalid_argument("not hexadecimal: " + std::string(hex));
    if (high < 0) {
      high = static_cast<int>(digit);
    } else {
      out += static_cast<char>(high * 16 + static_cast<int>(digit));
      high = -1;
    }
  }
  return out;
}

inline std::string hex_of(std::string_view bytes) {
  std::string out;
  for (char const c : bytes) {
    out += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    out += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

}  // namespace weir::test
