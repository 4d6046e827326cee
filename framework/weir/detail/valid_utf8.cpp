#include <weir/detail/valid_utf8.hpp>

#include <cstddef>

namespace weir::detail {
namespace {

// How many bytes a character has that begins here; 0: none does.
std::size_t length_at(std::string_view s) noexcept {
  auto const byte = [s](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0U; };
  auto const follows = [&byte](std::size_t i, unsigned from, unsigned to) { return byte(i) >= from && byte(i) <= to; };
  unsigned const b = byte(0);
  if (b < 0x80) return 1;
  if (b >= 0xC2 && b <= 0xDF) return follows(1, 0x80, 0xBF) ? 2 : 0;
  if (b >= 0xE0 && b <= 0xEF) {
    unsigned const from = b == 0xE0 ? 0xA0 : 0x80, to = b == 0xED ? 0x9F : 0xBF;  // neither too long nor a surrogate
    return follows(1, from, to) && follows(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (b < 0xF0 || b > 0xF4) return 0;
  unsigned const from = b == 0xF0 ? 0x90 : 0x80, to = b == 0xF4 ? 0x8F : 0xBF;
  return follows(1, from, to) && follows(2, 0x80, 0xBF) && follows(3, 0x80, 0xBF) ? 4 : 0;
}

}  // namespace

std::string valid_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    std::size_t const n = length_at(bytes);
    if (n == 0) out += "\xEF\xBF\xBD";
    else out += bytes.substr(0, n);
    bytes.remove_prefix(n == 0 ? 1 : n);
  }
  return out;
}

}  // namespace weir::detail
