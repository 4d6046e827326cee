#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace ticks {

/// The name of what is traded, kept inside the object: 24 bytes, trivially copyable, no allocation and no shared table.
class symbol {
public:
  /// Longest name, in bytes. Names of listed options (21) and of crypto derivatives fit.
  static constexpr std::size_t max_size = 23;

  /// The empty name; no tick has it.
  constexpr symbol() noexcept = default;

  /// The symbol called `name`; null when `name` is empty or longer than `max_size` bytes.
  static std::optional<symbol> from(std::string_view name) noexcept {
    if (name.empty() || name.size() > max_size) return std::nullopt;
    symbol s;
    std::memcpy(s.text_, name.data(), name.size());
    s.size_ = static_cast<unsigned char>(name.size());
    return s;
  }

  /// The name; valid as long as this object.
  std::string_view view() const noexcept { return std::string_view(text_, size_); }

  /// Equal names. Unused bytes are zero, so three words decide.
  friend bool operator==(symbol const& a, symbol const& b) noexcept { return std::memcmp(&a, &b, sizeof(symbol)) == 0; }

  /// Hash over the three words (multiply and fold), for unordered containers.
  friend std::size_t hash_value(symbol const& s) noexcept {
    std::uint64_t words[3];
    std::memcpy(words, &s, sizeof words);
    std::uint64_t hash = words[0] * 0x9e3779b97f4a7c15U;
    hash = (hash ^ (hash >> 32) ^ words[1]) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 29) ^ words[2]) * 0x94d049bb133111ebU;
    return hash ^ (hash >> 32);
  }

private:
  char text_[max_size] = {};
  unsigned char size_ = 0;
};
static_assert(sizeof(symbol) == 24);

}  // namespace ticks
