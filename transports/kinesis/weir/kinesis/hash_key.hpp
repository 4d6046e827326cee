#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::kinesis {

/// What decides which shard a record belongs to: a number of 128 bits. A value.
class hash_key {
public:
  constexpr hash_key() noexcept = default;  ///< 0
  constexpr hash_key(std::uint64_t high, std::uint64_t low) noexcept : words_{high, low} {}
  /// The largest: 2^128 - 1.
  static constexpr hash_key last() noexcept { return {~std::uint64_t{0}, ~std::uint64_t{0}}; }
  /// Of a record without one of its own: the MD5 of its partition key, read as a big-endian number.
  /// Source: "PutRecord", Kinesis Data Streams API reference.
  static hash_key of(std::string_view partition_key);
  /// As Kinesis writes it, in decimal. Null: it is none.
  static std::optional<hash_key> parse(std::string_view text) noexcept;
  std::string text() const;
  /// One less; the last before 0.
  constexpr hash_key previous() const noexcept { return {words_[0] - (words_[1] == 0 ? 1 : 0), words_[1] - 1}; }
  /// One more; 0 behind the last.
  constexpr hash_key next() const noexcept { return {words_[0] + (words_[1] == ~std::uint64_t{0} ? 1 : 0), words_[1] + 1}; }

  friend constexpr auto operator<=>(hash_key const&, hash_key const&) noexcept = default;
  friend constexpr bool operator==(hash_key const&, hash_key const&) noexcept = default;

private:
  std::array<std::uint64_t, 2> words_{};
};

/// The hash keys of a shard, both ends included.
struct hash_key_range {
  hash_key first;
  hash_key last = hash_key::last();
  constexpr bool has(hash_key const& k) const noexcept { return first <= k && k <= last; }
  friend constexpr bool operator==(hash_key_range const&, hash_key_range const&) noexcept = default;
};

}  // namespace weir::kinesis
