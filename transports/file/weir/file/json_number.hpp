#pragma once
#include <bit>
#include <cstdint>
#include <cstring>

namespace weir::file {
namespace detail {

inline bool is_digit(char c) noexcept { return static_cast<unsigned char>(c - '0') < 10; }

// How many of the next 8 bytes are digits, counted from the front.
inline int leading_digits(char const* p) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, p, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  std::uint64_t const nibbles = word ^ 0x3030303030303030u;  // digits become 0..9
  std::uint64_t const wrong = (((nibbles & 0x7f7f7f7f7f7f7f7fu) + 0x7676767676767676u) | nibbles) & 0x8080808080808080u;
  return std::countr_zero(wrong) / 8;
}

inline char const* skip_digits(char const* p, char const* end) noexcept {
  while (end - p >= 8) {
    int const n = leading_digits(p);
    p += n;
    if (n < 8) return p;
  }
  int const n = leading_digits(p);
  return end - p < n ? end : p + n;
}

}  // namespace detail

/// Whether [p, end) is a number (RFC 8259 section 6). May read up to 8 bytes behind `end`. Inline, since lines are full of them.
inline bool is_json_number(char const* p, char const* end) noexcept {
  if (p != end && *p == '-') ++p;
  if (p == end || !detail::is_digit(*p)) return false;
  p = *p == '0' ? p + 1 : detail::skip_digits(p, end);
  if (p == end) return true;
  if (*p == '.') {
    char const* const fraction = p + 1;
    p = detail::skip_digits(fraction, end);
    if (p == fraction) return false;
    if (p == end) return true;
  }
  if (*p != 'e' && *p != 'E') return false;
  ++p;
  if (p != end && (*p == '+' || *p == '-')) ++p;
  return p != end && detail::skip_digits(p, end) == end;
}

}  // namespace weir::file
