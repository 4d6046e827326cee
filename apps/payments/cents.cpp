#include "cents.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace payments {

std::optional<cents> cents::parse(std::string_view text) noexcept {
  bool const negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  auto const point = text.find('.');
  auto const whole = text.substr(0, point);
  auto const part = point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
  bool const good_part = point == std::string_view::npos || part.size() == 1 || part.size() == 2;
  constexpr auto digits = "0123456789";
  if (whole.empty() || !good_part || whole.find_first_not_of(digits) != std::string_view::npos ||
      part.find_first_not_of(digits) != std::string_view::npos)
    return std::nullopt;

  std::int64_t value = 0, hundredths = 0;
  if (std::from_chars(whole.data(), whole.data() + whole.size(), value).ec != std::errc()) return std::nullopt;
  if (!part.empty()) std::from_chars(part.data(), part.data() + part.size(), hundredths);
  if (part.size() == 1) hundredths *= 10;
  // Below zero from the start, as there is one more number there.
  if (negative) hundredths = -hundredths;
  if (__builtin_mul_overflow(value, negative ? -100 : 100, &value) || __builtin_add_overflow(value, hundredths, &value))
    return std::nullopt;
  return cents(value);
}

std::string cents::text() const {
  bool const negative = value_ < 0;
  auto const size = negative ? 0 - static_cast<std::uint64_t>(value_) : static_cast<std::uint64_t>(value_);
  return fmt::format("{}{}.{:02}", negative ? "-" : "", size / 100, size % 100);
}

}  // namespace payments
