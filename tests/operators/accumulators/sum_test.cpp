#include <weir/operators/accumulators/sum.hpp>

#include "operators/accumulators/accumulator_checks.hpp"

#include <chrono>
#include <limits>
#include <string_view>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

namespace {

struct order {
  int amount;
  float price;
  std::chrono::milliseconds taken;
};

// A type that is only added: no conversions, no comparison with 0, not trivially copyable.
struct vector2 {
  vector2() = default;
  vector2(std::int64_t a, std::int64_t b) : x(a), y(b) {}
  vector2(vector2 const& o) : x(o.x), y(o.y) {}
  vector2& operator=(vector2 const&) = default;
  vector2& operator+=(vector2 const& o) {
    x += o.x;
    y += o.y;
    return *this;
  }
  bool operator==(vector2 const&) const = default;
  std::int64_t x = 0, y = 0;
};
struct no_sum {};

template <class T> constexpr T most = std::numeric_limits<T>::max();
template <class T> constexpr T least = std::numeric_limits<T>::min();

template <class V> using sum_type = accumulator_result<sum<>, V>;

// Multiples of 1/1024 with 60 bits between the largest and the smallest: their sum is exact in integers, and not in doubles.
std::vector<stamped<double>> hard_to_add(std::uint64_t seed, std::int64_t& exact_in_1024ths) {
  std::mt19937_64 random(seed);
  std::vector<stamped<double>> xs;
  exact_in_1024ths = 0;
  for (instant i = 0; i != 2000; ++i) {
    auto const n = static_cast<std::int64_t>(random() >> (12 + random() % 40)) * (random() % 2 == 0 ? 1 : -1);
    exact_in_1024ths += n;
    xs.push_back({i, static_cast<double>(n) / 1024});
  }
  return xs;
}

}  // namespace

template <> struct weir::codec<vector2> {
  static void encode(vector2 const& v, std::vector<std::byte>& to) {
    encode_state(v.x, to);
    encode_state(v.y, to);
  }
  static vector2 decode(std::span<std::byte const>& from) {
    auto const x = decode_part<std::int64_t>(from);
    return vector2(x, decode_part<std::int64_t>(from));
  }
};

TEST_CASE("sum adds what its projection says, or the elements themselves") {
  std::vector<order> const orders{{3, 0.5F, 20ms}, {-10, 0.25F, 1s}, {1, 8, 3ms}};
  CHECK(result_of(sum(&order::amount), orders) == -6);
  CHECK(result_of(sum([](order const& o) { return o.amount * 2; }), orders) == -12);
  CHECK(result_of(sum(&order::price), orders) == 8.75);
  CHECK(result_of(sum(&order::taken), orders) == 1023ms);
  CHECK(result_of(sum(), std::vector<int>{1, 2, 3}) == 6);
  CHECK(result_of(sum(), std::vector<vector2>{{1, 2}, {10, 20}}) == vector2(11, 22));
}

TEST_CASE("the sum of nothing is zero") {
  CHECK(result_of(sum(), std::vector<int>{}) == 0);
  CHECK(result_of(sum(), std::vector<double>{}) == 0.0);
  CHECK(result_of(sum(), std::vector<std::chrono::seconds>{}) == 0s);
  CHECK(result_of(sum(), std::vector<vector2>{}) == vector2());
}

TEST_CASE("a sum has the widest type of its kind") {
  static_assert(std::is_same_v<sum_type<signed char>, std::int64_t> && std::is_same_v<sum_type<std::int64_t>, std::int64_t>);
  static_assert(std::is_same_v<sum_type<bool>, std::uint64_t> && std::is_same_v<sum_type<std::uint32_t>, std::uint64_t>);
  static_assert(std::is_same_v<sum_type<float>, double> && std::is_same_v<sum_type<long double>, long double>);
  static_assert(std::is_same_v<sum_type<std::chrono::duration<int, std::milli>>, std::chrono::duration<std::int64_t, std::milli>>);
  static_assert(std::is_same_v<sum_type<vector2>, vector2>);
  static_assert(!accumulator<sum<>, no_sum> && !accumulator<sum<>, int*> && !accumulator<sum<int order::*>, int>);
  CHECK(result_of(sum(), std::vector<std::int32_t>(3, most<std::int32_t>)) == 3 * std::int64_t(most<std::int32_t>));
  CHECK(result_of(sum(), std::vector<bool>{true, false, true}) == 2);
}

TEST_CASE("an integer sum reaches the ends of its range, and says so beyond them") {
  std::int64_t const big = most<std::int64_t>, small = least<std::int64_t>;
  CHECK(result_of(sum(), std::vector<std::int64_t>{big - 1, 1}) == big);
  CHECK(result_of(sum(), std::vector<std::int64_t>{small + 1, -1}) == small);
  CHECK(result_of(sum(), std::vector<std::uint64_t>{most<std::uint64_t> - 1, 1}) == most<std::uint64_t>);
  fails_with(errc::out_of_range, [&] { (void)result_of(sum(), std::vector<std::int64_t>{big, 1}); }, "sum", "64-bit");
  fails_with(errc::out_of_range, [&] { (void)result_of(sum(), std::vector<std::int64_t>{small, -1}); });
  fails_with(errc::out_of_range, [] { (void)result_of(sum(), std::vector<std::uint64_t>{most<std::uint64_t>, 1}); });
  fails_with(errc::out_of_range,
             [] { (void)result_of(sum(), std::vector<std::chrono::nanoseconds>{std::chrono::nanoseconds::max(), 1ns}); });
}

TEST_CASE("an integer sum that failed is as it was") {
  sum<> const a;
  auto s = state_of(a, in_turn<std::int64_t>({most<std::int64_t>}));
  auto const one = state_of(a, in_turn<std::int64_t>({1}));
  fails_with(errc::out_of_range, [&] { a.add(s, std::int64_t(1), 0); });
  fails_with(errc::out_of_range, [&] { a.merge(s, one); });
  CHECK(a.result(s) == most<std::int64_t>);
  a.add(s, std::int64_t(-1), 0);
  CHECK(a.result(s) == most<std::int64_t> - 1);
}

TEST_CASE("a floating-point sum does not lose small values between large ones") {
  CHECK(result_of(sum(), std::vector<double>{1, 1e100, 1, -1e100}) == 2);  // Neumaier's example; a plain sum is 0, Kahan's too
  CHECK(result_of(sum(), std::vector<double>(10'000'000, 0.1)) == 1e6);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::int64_t exact = 0;
    auto const xs = hard_to_add(seed, exact);
    INFO("seed " << seed);
    CHECK(result_of(sum(), xs) == static_cast<double>(exact) / 1024);
  }
}

TEST_CASE("an infinite sum is infinite, and NaN stays NaN") {
  double const infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(result_of(sum(), std::vector<double>{1, infinity, 2}) == infinity);
  CHECK(result_of(sum(), std::vector<double>{1, -infinity, 2}) == -infinity);
  CHECK(result_of(sum(), std::vector<double>{1e308, 1e308, 1}) == infinity);
  CHECK(std::isnan(result_of(sum(), std::vector<double>{infinity, -infinity})));
  CHECK(std::isnan(result_of(sum(), std::vector<double>{1, nan, 2})));
}

TEST_CASE("sums merged in any order are the sum of all") {
  std::mt19937_64 random(7);
  std::vector<int> xs(500);
  for (int& x : xs) x = static_cast<int>(random());
  check_merging(sum(), in_turn(xs), merging::in_any_order);
  check_merging(sum([](int x) { return vector2(x, -x); }), in_turn(xs), merging::in_any_order);
  std::int64_t exact = 0;
  auto const doubles = hard_to_add(1, exact);
  check_merging(sum(), doubles, merging::in_any_order, [](double a, double b) { return close_to(a, b, 1e-15); });
}

TEST_CASE("a sum comes back from a checkpoint") {
  check_checkpoint(sum(), in_turn(std::vector<int>{1, 2, -30}));
  check_checkpoint(sum(), in_turn(std::vector<double>{0.1, 1e30, -0.3}));
  check_checkpoint(sum(), in_turn(std::vector<std::chrono::milliseconds>{1s, 2s}));
  check_checkpoint(sum(), in_turn(std::vector<vector2>{{1, 2}, {3, 4}}));
  check_checkpoint(sum(), in_turn(std::vector<std::string_view>{"a", "b"}));
  static_assert(sizeof(accumulator_state<sum<>, int>) == 8 && sizeof(accumulator_state<sum<>, double>) == 16);
}
