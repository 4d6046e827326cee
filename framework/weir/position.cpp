#include <weir/position.hpp>

#include <weir/error.hpp>

#include <charconv>
#include <type_traits>

namespace weir {
static_assert(std::is_trivially_copyable_v<position>);

void position::refuse(std::uint64_t d) {
  throw error(errc::out_of_range, "position: the fourth number is too large",
              "it is " + std::to_string(d) + ", and must be below 2305843009213693952 (2^61)");
}

std::string position::text() const {
  if (size() == 0) return "start";
  std::string out = std::to_string((*this)[0]);
  for (std::size_t i = 1; i != size(); ++i) (out += '.') += std::to_string((*this)[i]);
  return out;
}

std::optional<position> position::parse(std::string_view text) noexcept {
  if (text == "start") return position();
  std::array<std::uint64_t, 4> words{};
  char const *at = text.data(), *const end = at + text.size();
  std::size_t count = 0;
  for (;; ++at) {
    if (count == 4) return std::nullopt;
    auto const [next, failed] = std::from_chars(at, end, words[count]);
    if (failed != std::errc() || (*at == '0' && next - at > 1)) return std::nullopt;
    ++count;
    at = next;
    if (at == end) break;
    if (*at != '.') return std::nullopt;
  }
  if (words[3] >> 61 != 0) return std::nullopt;
  position out;
  out.words_ = words;
  out.words_[3] = words[3] << 3 | count;
  return out;
}

}  // namespace weir
