#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ticks {

/// An exact decimal number: an integer of up to 38 digits and the number of digits behind the point ("61837.63000000" is
/// 6183763000000 with 8). Prices and volumes are never doubles.
///
/// Value type, 24 bytes, trivially copyable; nothing throws. Text, sums and comparisons are exact; what does not fit in 38 digits is
/// reported, never rounded. `1.0 == 1.00`, but each keeps the text it came with.
class decimal {
public:
  /// Most digits a number may have, leading zeros apart; also the most digits behind the point.
  static constexpr int max_digits = 38;

  /// Zero, without digits behind the point.
  constexpr decimal() noexcept = default;

  /// `unscaled` divided by ten to the power of `scale`; `scale` in [0, 38].
  constexpr decimal(std::int64_t unscaled, std::uint8_t scale) noexcept
      : high_(unscaled < 0 ? -1 : 0), low_(static_cast<std::uint64_t>(unscaled)), scale_(scale) {}

  /// Reads `-?digits(.digits)?` and nothing else: no sign `+`, no exponent, no blanks, no "nan", at least one digit on each side of a
  /// point. Null when `text` is not of that form or has more than 38 digits.
  static std::optional<decimal> parse(std::string_view text) noexcept;

  /// This plus `other`, exact, with the larger of the two scales. Null when the sum needs more than 38 digits.
  std::optional<decimal> plus(decimal const& other) const noexcept;

  bool is_negative() const noexcept { return high_ < 0; }
  bool is_zero() const noexcept { return high_ == 0 && low_ == 0; }
  /// Digits behind the point.
  int scale() const noexcept { return scale_; }

  /// The number with all its digits behind the point: what `parse` reads back to the same value and scale.
  std::string text() const;

  /// Compares the numbers; the scale has no say.
  friend std::weak_ordering operator<=>(decimal const& a, decimal const& b) noexcept {
    if (a.scale_ == b.scale_) [[likely]] {
      if (a.high_ != b.high_) return a.high_ <=> b.high_;
      return a.low_ <=> b.low_;
    }
    return compare_scaled(a, b);
  }
  friend bool operator==(decimal const& a, decimal const& b) noexcept { return (a <=> b) == 0; }

private:
  static std::weak_ordering compare_scaled(decimal const& a, decimal const& b) noexcept;
  static std::optional<decimal> parse_long(std::string_view digits, bool negative) noexcept;

  // A 128-bit two's complement number in two words: __int128 itself would bring 8 bytes of padding and an alignment of 16.
  std::int64_t high_ = 0;
  std::uint64_t low_ = 0;
  std::uint8_t scale_ = 0;

  friend struct decimal_access;
};

}  // namespace ticks
