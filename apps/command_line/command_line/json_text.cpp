#include "json_text.hpp"

#include <fmt/format.h>

namespace command_line {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out += '"';
}

bool is_utf8(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    auto const at = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
    unsigned const lead = at(i);
    std::size_t const size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (size == 0) return false;
    for (std::size_t k = 1; k < size; ++k)
      if ((at(i + k) & 0xc0U) != 0x80U) return false;
    unsigned const second = at(i + 1);
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) || (lead == 0xf0 && second < 0x90) ||
        (lead == 0xf4 && second > 0x8f))
      return false;
    i += size;
  }
  return true;
}

bool is_plain_text(std::string_view text) noexcept {
  bool ascii = true;
  for (char const c : text) {
    auto const byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) return false;
    ascii &= byte < 0x80;
  }
  return ascii || is_utf8(text);
}

std::string as_utf8(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    std::size_t size = 1;
    while (size <= 4 && size <= bytes.size() && !is_utf8(bytes.substr(0, size))) ++size;
    if (size > 4 || size > bytes.size()) {
      out += "\xef\xbf\xbd";
      size = 1;
    } else {
      out += bytes.substr(0, size);
    }
    bytes.remove_prefix(size);
  }
  return out;
}

std::string shown(std::string_view bytes) {
  constexpr std::size_t longest = 40;
  std::string out;
  for (char const c : bytes.substr(0, longest)) {
    auto const byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) out += fmt::format("\\x{:02x}", byte);
    else out += c;
  }
  return bytes.size() > longest ? out + "..." : out;
}

}  // namespace command_line
