#include <weir/net/percent.hpp>

#include <optional>

namespace weir::net {
namespace {

std::optional<int> hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

}  // namespace

void percent_encode(char byte, std::string& to) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", digits = "0123456789ABCDEF";
  if (plain.find(byte) != plain.npos) {
    to += byte;
    return;
  }
  auto const value = static_cast<unsigned char>(byte);
  to += '%';
  to += digits[value >> 4];
  to += digits[value & 15];
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i != text.size(); ++i) {
    if (text[i] == '%' && text.size() - i > 2) {
      auto const high = hex_value(text[i + 1]), low = hex_value(text[i + 2]);
      if (high && low) {
        out += static_cast<char>(*high * 16 + *low);
        i += 2;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

}  // namespace weir::net
