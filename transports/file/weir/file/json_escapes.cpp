#include <weir/file/json_escapes.hpp>

#include <cstdint>
#include <cstring>

namespace weir::file {
namespace {

int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The four digits of \uXXXX, or -1.
std::int32_t hex4(char const* p, char const* end) noexcept {
  if (end - p < 4) return -1;
  std::int32_t unit = 0;
  for (int i = 0; i < 4; ++i) {
    int const digit = hex_value(p[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

char* put_utf8(std::int32_t point, char* out) noexcept {
  auto const tail = [&](int shift) { *out++ = static_cast<char>(0x80 | ((point >> shift) & 0x3f)); };
  if (point < 0x80) {
    *out++ = static_cast<char>(point);
  } else if (point < 0x800) {
    *out++ = static_cast<char>(0xc0 | (point >> 6));
    tail(0);
  } else if (point < 0x10000) {
    *out++ = static_cast<char>(0xe0 | (point >> 12));
    tail(6), tail(0);
  } else {
    *out++ = static_cast<char>(0xf0 | (point >> 18));
    tail(12), tail(6), tail(0);
  }
  return out;
}

// Behind "\u"; moves `p` behind the digits, and behind the other half of a pair.
std::int32_t code_point(char const*& p, char const* end) noexcept {
  std::int32_t const unit = hex4(p, end);
  if (unit < 0 || (unit >= 0xdc00 && unit < 0xe000)) return -1;
  p += 4;
  if (unit < 0xd800 || unit >= 0xe000) return unit;
  if (end - p < 6 || p[0] != '\\' || p[1] != 'u') return -1;
  std::int32_t const low = hex4(p + 2, end);
  if (low < 0xdc00 || low >= 0xe000) return -1;
  p += 6;
  return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
}

char simple_escape(char c) noexcept {
  switch (c) {
    case '"':
    case '\\':
    case '/': return c;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return '\0';
  }
}

}  // namespace

char* unescape_json(char const* p, char const* end, char* out) noexcept {
  while (p != end) {
    auto const* const escape = static_cast<char const*>(std::memchr(p, '\\', static_cast<std::size_t>(end - p)));
    char const* const plain_end = escape ? escape : end;
    auto const plain = static_cast<std::size_t>(plain_end - p);
    std::memcpy(out, p, plain);
    out += plain;
    p = plain_end;
    if (!escape) break;
    if (end - p < 2) return nullptr;
    char const what = p[1];
    p += 2;
    if (what == 'u') {
      std::int32_t const point = code_point(p, end);
      if (point < 0) return nullptr;
      out = put_utf8(point, out);
    } else {
      char const meant = simple_escape(what);
      if (meant == '\0') return nullptr;
      *out++ = meant;
    }
  }
  return out;
}

bool check_json_escapes(char const* p, char const* end) noexcept {
  while (p != end) {
    auto const* const escape = static_cast<char const*>(std::memchr(p, '\\', static_cast<std::size_t>(end - p)));
    if (!escape) return true;
    if (end - escape < 2) return false;
    p = escape + 2;
    if (escape[1] == 'u' ? code_point(p, end) < 0 : simple_escape(escape[1]) == '\0') return false;
  }
  return true;
}

}  // namespace weir::file
