#include <weir/kinesis/hash_key.hpp>

#include <weir/kinesis/detail/decimal.hpp>
#include <weir/net/hashes.hpp>

namespace weir::kinesis {

hash_key hash_key::of(std::string_view partition_key) {
  hash_key out;
  std::size_t at = 0;
  for (std::byte const b : net::md5(partition_key)) {
    std::uint64_t& word = out.words_[at++ / 8];
    word = word << 8 | std::to_integer<std::uint64_t>(b);
  }
  return out;
}

std::optional<hash_key> hash_key::parse(std::string_view text) noexcept {
  auto const words = detail::parse_decimal<2>(text);
  if (!words) return std::nullopt;
  return hash_key((*words)[0], (*words)[1]);
}

std::string hash_key::text() const { return detail::decimal_text(words_); }

}  // namespace weir::kinesis
