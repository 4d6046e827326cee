#include <weir/detail/escaped_name.hpp>

namespace weir::detail {
namespace {

constexpr std::string_view digits = "0123456789ABCDEF";

bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

}  // namespace

std::string escaped_name(std::string_view name) {
  std::string out;
  for (char const c : name) {
    if (plain(c)) {
      out += c;
      continue;
    }
    auto const byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

std::optional<std::string> unescaped_name(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      if (!plain(text[i])) return std::nullopt;
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    auto const high = digits.find(text[i + 1]), low = digits.find(text[i + 2]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    out += static_cast<char>(high << 4 | low);
    i += 2;
  }
  return out;
}

}  // namespace weir::detail
