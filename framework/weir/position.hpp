#pragma once
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir {

/// Where a record stands in its partition: up to four numbers, the first of which counts most. What they mean is the transport's
/// affair (a file: the byte behind the record; Kafka: offset and leader epoch; Kinesis: three words of sequence number and the
/// sub-sequence number); everyone else compares them, and stores them as text.
///
/// 32 bytes, trivially copyable, strongly ordered: by the numbers from the first to the last, and (1) comes before (1, 0). The default is
/// before everything. Thread-safety: as a value.
class position {
public:
  /// Before every record.
  constexpr position() noexcept = default;
  /// A plain offset.
  constexpr explicit position(std::uint64_t offset) noexcept : words_{offset, 0, 0, 1} {}
  constexpr position(std::uint64_t a, std::uint64_t b) noexcept : words_{a, b, 0, 2} {}
  constexpr position(std::uint64_t a, std::uint64_t b, std::uint64_t c) noexcept : words_{a, b, c, 3} {}
  /// `d` < 2^61. Throws `errc::out_of_range`.
  constexpr position(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) : words_{a, b, c, d << 3 | 4} {
    if (d >> 61 != 0) refuse(d);
  }

  /// How many numbers it has: 0 (the default) to 4.
  constexpr std::size_t size() const noexcept { return words_[3] & 7; }
  /// The number at `i` < 4; 0 where there is none.
  constexpr std::uint64_t operator[](std::size_t i) const noexcept { return i == 3 ? words_[3] >> 3 : words_[i]; }
  /// The first number: of a plain offset, all there is.
  constexpr std::uint64_t offset() const noexcept { return words_[0]; }

  friend constexpr auto operator<=>(position const&, position const&) noexcept = default;
  friend constexpr bool operator==(position const&, position const&) noexcept = default;

  /// "17" for a plain offset, "17.0.3" for more numbers, "start" for the default. `parse` reads it back to an equal position.
  std::string text() const;
  /// Null for what `text` cannot have written: other characters, leading zeros, numbers that do not fit.
  static std::optional<position> parse(std::string_view text) noexcept;

private:
  [[noreturn]] static void refuse(std::uint64_t d);

  std::array<std::uint64_t, 4> words_{};  // the last one has the count in its lower three bits
};
static_assert(sizeof(position) == 32);

}  // namespace weir
