#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// What the codecs of sketches are made of besides weir/detail/state_bytes.hpp: numbers that are mostly small, seven bits a byte, the lowest
// first.
namespace weir::detail {

void put_varint(std::vector<std::byte>& to, std::uint64_t n);

// These throw errc::corrupt.
std::uint64_t take_varint(std::span<std::byte const>& from);
[[noreturn]] void throw_corrupt_sketch(char const* why);

// Numbers around zero: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
constexpr std::uint64_t zigzag(std::int64_t n) noexcept { return static_cast<std::uint64_t>(n) << 1 ^ static_cast<std::uint64_t>(n >> 63); }
constexpr std::int64_t unzigzag(std::uint64_t n) noexcept { return static_cast<std::int64_t>(n >> 1 ^ (0 - (n & 1))); }

}  // namespace weir::detail
