#include <weir/operators/accumulators/distinct.hpp>

#include "operators/accumulators/sketch_checks.hpp"

#include <algorithm>
#include <limits>
#include <string>

using namespace weir;
using namespace weir::test;

namespace {

// Relative errors of estimates of `n` different values, over many sets of these.
struct errors {
  double mean = 0, root_mean_square = 0, largest = 0;
};
template <class Make> errors errors_of(unsigned precision, std::uint64_t n, std::uint64_t sets, Make make) {
  distinct<> const a(std::identity(), {.precision = precision});
  errors out;
  for (std::uint64_t set = 0; set != sets; ++set) {
    detail::hyperloglog s;
    for (std::uint64_t i = 0; i != n; ++i) a.add(s, make(set, i), 0);
    double const e = (static_cast<double>(a.result(s)) - static_cast<double>(n)) / static_cast<double>(n);
    out.mean += e / static_cast<double>(sets);
    out.root_mean_square += e * e / static_cast<double>(sets);
    out.largest = std::max(out.largest, std::abs(e));
  }
  out.root_mean_square = std::sqrt(out.root_mean_square);
  return out;
}

template <class Make> void check_errors(unsigned precision, std::uint64_t n, std::uint64_t sets, Make make) {
  double const standard = 1.04 / std::sqrt(std::exp2(precision));
  auto const e = errors_of(precision, n, sets, make);
  double const rounding = 0.5 / static_cast<double>(n), bias = 0.5 / std::exp2(precision);
  CAPTURE(precision, n, sets, standard, e.mean, e.root_mean_square, e.largest);
  bool const skewed = precision < 8;  // with few registers, estimates that are far off are too high
  if (!skewed) CHECK(e.largest <= 4 * standard + rounding);
  CHECK(std::abs(e.mean) <= 3.5 * standard / std::sqrt(static_cast<double>(sets)) + rounding + bias);
  CHECK(e.root_mean_square <= (skewed ? 1.3 : 1.2) * standard + rounding);
  if (n >= std::uint64_t(10) << precision) CHECK(e.root_mean_square >= 0.8 * standard);  // it is what it is said to be, not luck
}

// Numbers in a row, as ids are; those of other sets are far away.
std::uint64_t id(std::uint64_t set, std::uint64_t i) { return (set + 1) * 0x10'0000'0000 + i; }
std::string name(std::uint64_t set, std::uint64_t i) { return "user-" + std::to_string(set) + "/" + std::to_string(i); }

}  // namespace

TEST_CASE("distinct is within its standard error and without bias, for ten and for a million values") {
  for (auto const n : {10u, 100u, 1'000u, 3'000u, 3'500u, 5'000u, 10'000u, 20'000u, 40'000u, 100'000u}) check_errors(14, n, 200, id);
  check_errors(14, 1'000'000, 30, id);
  for (auto const n : {10u, 1'000u, 10'000u, 100'000u}) check_errors(14, n, 50, name);
}

TEST_CASE("distinct is within its standard error for every precision") {
  for (unsigned precision = detail::hyperloglog::min_precision; precision <= detail::hyperloglog::max_precision; ++precision)
    for (auto const n : {3u, 40u, 600u, 9'000u, 70'000u}) check_errors(precision, n, precision < 8 ? 500 : precision < 12 ? 200 : 30, id);
}

TEST_CASE("distinct is all but exact for up to 3/16 of its registers") {
  for (auto const n : {0u, 1u, 2u, 10u, 100u, 1'000u, 3'072u}) {
    int off = 0;
    for (std::uint64_t set = 0; set != 100; ++set) {
      detail::hyperloglog s;
      distinct<> const a;
      for (std::uint64_t i = 0; i != n; ++i) a.add(s, id(set, i), 0);
      CHECK_FALSE(s.has_registers());
      auto const difference = static_cast<std::int64_t>(a.result(s)) - static_cast<std::int64_t>(n);
      CHECK(std::abs(difference) <= 2);
      off += difference != 0 ? 1 : 0;
    }
    CAPTURE(n);
    CHECK(off <= static_cast<int>(n / 200));  // 7 of 100 sets have two values with one coupon at the end of the range: n^2 / 2^27
  }
}

TEST_CASE("distinct is within its standard error up to the largest numbers there are") {
  // Registers as so many values would leave them: the rank is above k with the probability 1 - exp(-n / m 2^-k). Ertl 2017, section 4.1.
  for (unsigned const precision : {8u, 14u})
    for (double const n : {1e9, 1e12, 1e15, 1e18, 5e18, 1e19}) {
      double const m = std::exp2(precision), standard = 1.04 / std::sqrt(m);
      double mean = 0, largest = 0;
      int const sets = 100;
      for (int set = 0; set != sets; ++set) {
        std::mt19937_64 random(static_cast<std::uint64_t>(set));
        std::uniform_real_distribution<double> uniform(0, 1);
        std::vector<std::byte> bytes{static_cast<std::byte>(precision), std::byte(1)};
        for (double i = 0; i != m; ++i) {
          double const rank = std::ceil(std::log2(n / m / -std::log(1 - uniform(random))));
          bytes.push_back(static_cast<std::byte>(std::clamp(rank, 0.0, 65.0 - precision)));
        }
        double const e = (static_cast<double>(distinct().result(decode_state<detail::hyperloglog>(bytes))) - n) / n;
        mean += e / sets;
        largest = std::max(largest, std::abs(e));
      }
      CAPTURE(precision, n, mean, largest, standard);
      CHECK(largest <= 4 * standard);
      CHECK(std::abs(mean) <= 3.5 * standard / std::sqrt(sets));
    }
}

TEST_CASE("registers that are all at their end say so") {
  std::vector<std::byte> full(2 + 16, std::byte(61));
  full[0] = std::byte(4);
  full[1] = std::byte(1);
  CHECK(distinct().result(decode_state<detail::hyperloglog>(full)) == std::numeric_limits<std::uint64_t>::max());
}
