#include <weir/operators/detail/key_text.hpp>

#include <array>
#include <charconv>

namespace weir::detail {
namespace {

constexpr char digits[] = "0123456789ABCDEF";

constexpr bool stands_for_itself(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
}

}  // namespace

void append_hex(std::string& to, std::span<std::byte const> bytes) {
  for (std::byte const b : bytes) {
    to += digits[std::to_integer<unsigned>(b >> 4)];
    to += digits[std::to_integer<unsigned>(b & std::byte(15))];
  }
}

void append_encoded(std::string& to, std::string_view part) {
  for (char const c : part) {
    if (stands_for_itself(c)) {
      to += c;
    } else {
      auto const byte = static_cast<std::byte>(c);
      to += '%';
      append_hex(to, std::span<std::byte const>(&byte, 1));
    }
  }
}

void append_number(std::string& to, double x) {
  if (x == 0) x = 0;
  std::array<char, 32> text{};
  auto const end = std::to_chars(text.data(), text.data() + text.size(), x).ptr;
  append_encoded(to, std::string_view(text.data(), static_cast<std::size_t>(end - text.data())));
}

}  // namespace weir::detail
