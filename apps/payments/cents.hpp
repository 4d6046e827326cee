#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace payments {

/// An exact amount of money in hundredths: 19.90 is 1990. Never a double.
///
/// Nothing throws; what does not fit in 64 bits is reported, never wrapped. Trivially copyable.
class cents {
public:
  constexpr cents() noexcept = default;
  constexpr explicit cents(std::int64_t hundredths) noexcept : value_(hundredths) {}

  /// Reads `-?digits(.digits)?` with one or two digits behind the point, and nothing else: "5", "19.9", "-0.05". Null otherwise.
  static std::optional<cents> parse(std::string_view text) noexcept;

  /// The sum; null when it does not fit.
  constexpr std::optional<cents> plus(cents other) const noexcept {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(value_, other.value_, &sum)) return std::nullopt;
    return cents(sum);
  }

  constexpr std::int64_t value() const noexcept { return value_; }
  /// With two digits behind the point.
  std::string text() const;

  friend constexpr auto operator<=>(cents, cents) noexcept = default;

private:
  std::int64_t value_ = 0;
};

}  // namespace payments
