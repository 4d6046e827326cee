#include "decimal.hpp"

#include <array>

namespace ticks {

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

// Between the two words of a decimal and the compiler's 128-bit arithmetic.
struct decimal_access {
  static int128 get(decimal const& d) noexcept {
    return static_cast<int128>(static_cast<uint128>(static_cast<std::uint64_t>(d.high_)) << 64 | d.low_);
  }
  static decimal make(int128 value, int scale) noexcept {
    decimal d;
    d.high_ = static_cast<std::int64_t>(value >> 64);
    d.low_ = static_cast<std::uint64_t>(value);
    d.scale_ = static_cast<std::uint8_t>(scale);
    return d;
  }
};

namespace {

constexpr auto powers_of_ten = [] {
  std::array<int128, decimal::max_digits + 1> powers{};
  int128 power = 1;
  for (auto& slot : powers) {
    slot = power;
    power = static_cast<int128>(static_cast<uint128>(power) * 10);
  }
  return powers;
}();
constexpr int128 limit = powers_of_ten[decimal::max_digits];

// `value` with `digits` more zeros behind it; false when that is more than 38 digits.
bool widen(int128& value, int digits) noexcept {
  int128 const factor = powers_of_ten[static_cast<std::size_t>(digits)];
  return !__builtin_mul_overflow(value, factor, &value) && value < limit && value > -limit;
}

}  // namespace

std::optional<decimal> decimal::parse(std::string_view text) noexcept {
  bool const negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.size() > 19) return parse_long(text, negative);

  // Up to 19 characters with a point are at most 18 digits, without one at most 19: both fit in 64 bits unsigned.
  std::uint64_t value = 0;
  std::size_t point = text.size();
  for (std::size_t i = 0; i != text.size(); ++i) {
    auto const digit = static_cast<unsigned char>(text[i] - '0');
    if (digit <= 9) [[likely]] {
      value = value * 10 + digit;
    } else {
      if (text[i] != '.' || point != text.size() || i == 0 || i + 1 == text.size()) return std::nullopt;
      point = i;
    }
  }
  if (text.empty()) return std::nullopt;
  int const scale = point == text.size() ? 0 : static_cast<int>(text.size() - point - 1);
  int128 const signed_value = negative ? -static_cast<int128>(value) : static_cast<int128>(value);
  return decimal_access::make(signed_value, scale);
}

std::optional<decimal> decimal::parse_long(std::string_view text, bool negative) noexcept {
  int128 value = 0;
  std::size_t point = text.size();
  for (std::size_t i = 0; i != text.size(); ++i) {
    auto const digit = static_cast<unsigned char>(text[i] - '0');
    if (digit <= 9) {
      if (!widen(value, 1)) return std::nullopt;
      value += digit;
    } else {
      if (text[i] != '.' || point != text.size() || i == 0 || i + 1 == text.size()) return std::nullopt;
      point = i;
    }
  }
  std::size_t const scale = point == text.size() ? 0 : text.size() - point - 1;
  if (scale > max_digits) return std::nullopt;
  return decimal_access::make(negative ? -value : value, static_cast<int>(scale));
}

std::optional<decimal> decimal::plus(decimal const& other) const noexcept {
  int128 a = decimal_access::get(*this);
  int128 b = decimal_access::get(other);
  int scale = scale_;
  if (scale_ != other.scale_) [[unlikely]] {
    if (scale_ < other.scale_) {
      if (!widen(a, other.scale_ - scale_)) return std::nullopt;
      scale = other.scale_;
    } else if (!widen(b, scale_ - other.scale_)) {
      return std::nullopt;
    }
  }
  int128 sum = 0;
  if (__builtin_add_overflow(a, b, &sum) || sum >= limit || sum <= -limit) return std::nullopt;
  return decimal_access::make(sum, scale);
}

std::weak_ordering decimal::compare_scaled(decimal const& a, decimal const& b) noexcept {
  int128 const x = decimal_access::get(a);
  int128 const y = decimal_access::get(b);
  int128 const unit_x = powers_of_ten[a.scale_];
  int128 const unit_y = powers_of_ten[b.scale_];
  if (x / unit_x != y / unit_y) return x / unit_x < y / unit_y ? std::weak_ordering::less : std::weak_ordering::greater;

  // Equal before the point: compare what is behind it, with as many digits as the longer one has; that is below 10^38 always.
  int128 rest_x = x % unit_x;
  int128 rest_y = y % unit_y;
  if (a.scale_ < b.scale_) rest_x *= powers_of_ten[static_cast<std::size_t>(b.scale_ - a.scale_)];
  else rest_y *= powers_of_ten[static_cast<std::size_t>(a.scale_ - b.scale_)];
  if (rest_x == rest_y) return std::weak_ordering::equivalent;
  return rest_x < rest_y ? std::weak_ordering::less : std::weak_ordering::greater;
}

std::string decimal::text() const {
  int128 const value = decimal_access::get(*this);
  uint128 rest = static_cast<uint128>(value < 0 ? -value : value);
  std::array<char, max_digits + 3> buffer;
  char* const end = buffer.data() + buffer.size();
  char* first = end;
  for (int digits = 0; rest != 0 || digits <= scale_; ++digits) {
    if (digits == scale_ && scale_ != 0) *--first = '.';
    *--first = static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  }
  if (value < 0) *--first = '-';
  return std::string(first, end);
}

}  // namespace ticks
