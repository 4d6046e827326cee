#include <weir/detail/option_text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace weir::detail {
namespace {

struct time_unit {
  std::string_view name;
  std::int64_t ns;
};
constexpr std::array<time_unit, 6> time_units{
    time_unit{"h", 3'600'000'000'000}, {"min", 60'000'000'000}, {"s", 1'000'000'000}, {"ms", 1'000'000}, {"us", 1'000}, {"ns", 1}};

// False: it is not such a number from its first character to its last.
template <class T> bool whole(std::string_view text, T& to) noexcept {
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), to);
  return failed == std::errc() && end == text.data() + text.size();
}

}  // namespace

void read_option(std::string const& text, std::string& to) { to = text; }
void read_option(std::string const& text, std::uint64_t& to) {
  if (!whole(text, to)) throw std::invalid_argument("a whole number, 0 or more");
}
void read_option(std::string const& text, std::uint16_t& to) {
  if (!whole(text, to)) throw std::invalid_argument("a whole number from 0 to 65535");
}
void read_option(std::string const& text, double& to) {
  if (!whole(text, to) || !std::isfinite(to)) throw std::invalid_argument("a number");
}
void read_option(std::string const& text, bool& to) {
  if (text != "true" && text != "false") throw std::invalid_argument("true or false");
  to = text == "true";
}
void read_option(std::string const& text, std::chrono::nanoseconds& to) {
  std::size_t const unit_at = text.find_first_not_of("0123456789");
  if (unit_at != std::string::npos && unit_at != 0) {
    auto const unit = std::ranges::find(time_units, std::string_view(text).substr(unit_at), &time_unit::name);
    std::int64_t n = 0, ns = 0;
    if (unit != time_units.end() && whole(std::string_view(text).substr(0, unit_at), n) && !__builtin_mul_overflow(n, unit->ns, &ns)) {
      to = std::chrono::nanoseconds(ns);
      return;
    }
  }
  throw std::invalid_argument("a duration with its unit: 500ms, 30s, 5min (ns, us, ms, s, min, h)");
}

std::string option_text(std::string const& value) { return value; }
std::string option_text(std::uint64_t value) { return std::to_string(value); }
std::string option_text(std::uint16_t value) { return std::to_string(value); }
std::string option_text(bool value) { return value ? "true" : "false"; }
std::string option_text(double value) {
  std::array<char, 32> text{};
  return std::string(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
}
std::string option_text(std::chrono::nanoseconds value) {
  if (value.count() == 0) return "0s";
  auto const unit = std::ranges::find_if(time_units, [&](time_unit const& u) { return value.count() % u.ns == 0; });
  return std::to_string(value.count() / unit->ns) + std::string(unit->name);
}

// Levenshtein's distance, row by row.
std::string nearest(std::string_view name, std::vector<std::string> const& among) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (std::string const& one : among) {
    std::vector<std::size_t> row(one.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i != name.size(); ++i) {
      std::size_t before = std::exchange(row[0], i + 1);
      for (std::size_t j = 0; j != one.size(); ++j) {
        std::size_t const changed = before + (name[i] == one[j] ? 0 : 1);
        before = std::exchange(row[j + 1], std::min({changed, row[j] + 1, row[j + 1] + 1}));
      }
    }
    if (row.back() >= least) continue;
    least = row.back();
    best = one;
  }
  return best;
}

}  // namespace weir::detail
