#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace weir {

/// A check of stored data against damage, not against forgery: 64 bits over all that was added. Any one changed byte changes it for sure,
/// anything else but for one case in 2^64. The value is the same on every machine. About a gigabyte per second. Not thread-safe.
///
/// Source: FNV-1a, 64 bits (draft-eastlake-fnv).
class checksum {
public:
  constexpr checksum& add(std::span<std::byte const> bytes) noexcept {
    for (std::byte const b : bytes) add_byte(std::to_integer<std::uint8_t>(b));
    return *this;
  }
  constexpr checksum& add(std::string_view text) noexcept {
    for (char const c : text) add_byte(static_cast<std::uint8_t>(c));
    return *this;
  }
  /// The number's eight bytes, the lowest first. Add the size of what has no fixed one before it: "ab","c" is then not "a","bc".
  constexpr checksum& add(std::uint64_t number) noexcept {
    for (int shift = 0; shift != 64; shift += 8) add_byte(static_cast<std::uint8_t>(number >> shift));
    return *this;
  }
  constexpr std::uint64_t value() const noexcept { return value_; }

private:
  constexpr void add_byte(std::uint8_t b) noexcept { value_ = (value_ ^ b) * 0x100000001b3; }

  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace weir
