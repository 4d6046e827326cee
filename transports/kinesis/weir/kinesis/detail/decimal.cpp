#include <weir/kinesis/detail/decimal.hpp>

#include <algorithm>
#include <vector>

namespace weir::kinesis::detail {
namespace {
__extension__ using wide = unsigned __int128;
}

bool parse_decimal(std::string_view text, std::span<std::uint64_t> into) noexcept {
  constexpr std::size_t block = 19;  // digits that fit into a word
  std::ranges::fill(into, 0);
  if (text.empty()) return false;
  while (!text.empty()) {
    std::uint64_t carry = 0, scale = 1;
    for (char const c : text.substr(0, block)) {
      if (c < '0' || c > '9') return false;
      carry = carry * 10 + static_cast<std::uint64_t>(c - '0');
      scale *= 10;
    }
    text.remove_prefix(std::min(block, text.size()));
    for (std::size_t i = into.size(); i-- != 0;) {
      wide const next = static_cast<wide>(into[i]) * scale + carry;
      into[i] = static_cast<std::uint64_t>(next);
      carry = static_cast<std::uint64_t>(next >> 64);
    }
    if (carry != 0) return false;
  }
  return true;
}

std::string decimal_text(std::span<std::uint64_t const> words) {
  std::vector<std::uint64_t> left(words.begin(), words.end());
  std::string out;
  do {
    std::uint64_t rest = 0;
    for (std::uint64_t& w : left) {
      wide const whole = static_cast<wide>(rest) << 64 | w;
      w = static_cast<std::uint64_t>(whole / 10);
      rest = static_cast<std::uint64_t>(whole % 10);
    }
    out += static_cast<char>('0' + rest);
  } while (std::ranges::any_of(left, [](std::uint64_t w) { return w != 0; }));
  std::ranges::reverse(out);
  return out;
}

}  // namespace weir::kinesis::detail
