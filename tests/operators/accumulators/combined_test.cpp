#include <weir/operators/accumulators/collect.hpp>
#include <weir/operators/accumulators/combined.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/accumulators/maximum.hpp>
#include <weir/operators/accumulators/ohlcv.hpp>
#include <weir/operators/accumulators/sum.hpp>
#include <weir/operators/accumulators/top_n.hpp>

#include "operators/accumulators/accumulator_checks.hpp"

#include <limits>
#include <optional>
#include <tuple>

using namespace weir;
using namespace weir::test;

namespace {

struct tick {
  std::string symbol;
  double price;
  int size;
};
std::vector<stamped<tick>> const ticks{{2, {"b", 20, 1}}, {1, {"a", 10, 2}}, {4, {"b", 15, 3}}, {3, {"c", 30, 1}}};

// A user's own, with a state that does not depend on the element.
struct longest {
  using state = std::size_t;
  void add(state& s, tick const& x, instant) const { s = std::max(s, x.symbol.size()); }
  void merge(state& s, state const& other) const { s = std::max(s, other); }
  std::size_t result(state const& s) const { return s; }
};

}  // namespace

TEST_CASE("combined gives the result of each, whether its state depends on the element or not") {
  auto const [n, size, high, name] = result_of(combined(count(), sum(&tick::size), maximum(&tick::price), longest()), ticks);
  CHECK(n == 4);
  CHECK(size == 7);
  CHECK(high == 30);
  CHECK(name == 1);
  auto const one = combined(sum(&tick::size));
  static_assert(std::is_same_v<accumulator_result<decltype(one), tick>, std::tuple<std::int64_t>>);
}

TEST_CASE("combined accumulators may be combined again, and be of one type") {
  auto const a = combined(combined(count(), sum(&tick::size)), sum(&tick::size), sum(&tick::size));
  CHECK(result_of(a, ticks) == std::tuple(std::tuple(4, 7), 7, 7));
}

TEST_CASE("combined of nothing is what each says of nothing") {
  CHECK(result_of(combined(count(), maximum(&tick::price)), std::vector<stamped<tick>>{}) == std::tuple(0, std::nullopt));
}

TEST_CASE("combined takes the elements that all of it take") {
  static_assert(accumulator<combined<count, sum<>>, int>);
  static_assert(!accumulator<combined<count, sum<>>, tick>);
  static_assert(!accumulator<combined<count, longest>, int>);
}

TEST_CASE("combined states merge in any order and come back from a checkpoint") {
  std::mt19937_64 random(1);
  std::vector<stamped<tick>> in;
  for (int i = 0; i != 120; ++i)
    in.push_back({i, {std::string(1, static_cast<char>('a' + random() % 9)), static_cast<double>(random() % 100), i % 7}});
  std::shuffle(in.begin(), in.end(), random);
  auto const a = combined(count(), sum(&tick::size), maximum(&tick::price), top_n(3, &tick::symbol), ohlcv(&tick::price, &tick::size),
                          collect(&tick::size), longest());
  check_merging(a, in, merging::in_any_order);
  check_checkpoint(a, in);
  check_checkpoint(combined(count(), maximum([](tick const& t) { return t.symbol[0]; })), in);
}

TEST_CASE("an error of one is an error of all") {
  auto const a = combined(count(), sum());
  auto s = state_of(a, in_turn<std::int64_t>({std::numeric_limits<std::int64_t>::max()}));
  fails_with(errc::out_of_range, [&] { a.add(s, std::int64_t(1), 0); });
}
