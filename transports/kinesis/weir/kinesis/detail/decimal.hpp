#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// Whole numbers of several words, the one that counts most first, as decimal text.
namespace weir::kinesis::detail {

// False for what is no such number, or does not fit. Leading zeros are allowed, nothing but digits is.
bool parse_decimal(std::string_view text, std::span<std::uint64_t> into) noexcept;
std::string decimal_text(std::span<std::uint64_t const> words);

template <std::size_t N> std::optional<std::array<std::uint64_t, N>> parse_decimal(std::string_view text) noexcept {
  std::array<std::uint64_t, N> out;
  if (!parse_decimal(text, out)) return std::nullopt;
  return out;
}

}  // namespace weir::kinesis::detail
