#include <weir/operators/accumulators/minimum.hpp>

#include "operators/accumulators/accumulator_checks.hpp"

#include <limits>
#include <optional>
#include <string_view>

using namespace weir;
using namespace weir::test;

namespace {

// Only `price` is compared.
struct tick {
  int price;
  int id;
  bool operator<(tick const& o) const { return price < o.price; }
};
struct unordered {};
std::vector<tick> const ticks{{3, 1}, {-2, 2}, {9, 3}, {-2, 4}};

}  // namespace

TEST_CASE("minimum is the smallest of what its projection says, or of the elements") {
  CHECK(result_of(minimum(&tick::price), ticks) == -2);
  CHECK(result_of(minimum([](tick const& t) { return -t.price; }), ticks) == -9);
  CHECK(result_of(minimum(), std::vector<std::string>{"b", "a", "c"}) == "a");
  static_assert(std::is_same_v<accumulator_result<minimum<>, int>, std::optional<int>>);
  static_assert(!accumulator<minimum<>, unordered> && !accumulator<minimum<int tick::*>, int>);
}

TEST_CASE("the minimum of nothing is null") {
  CHECK(result_of(minimum(), std::vector<int>{}) == std::nullopt);
  minimum<> const a;
  auto s = state_of(a, in_turn<int>({}));
  a.merge(s, state_of(a, in_turn<int>({})));
  CHECK(a.result(s) == std::nullopt);
  a.merge(s, state_of(a, in_turn<int>({7})));
  CHECK(a.result(s) == 7);
}

TEST_CASE("of equal minima the first to come is kept, and in a merge that of the first") {
  minimum<> const a;
  auto s = state_of(a, in_turn(ticks));
  CHECK(s.value->id == 2);
  a.merge(s, state_of(a, in_turn<tick>({{-2, 100}})));
  CHECK(a.result(s)->id == 2);
}

TEST_CASE("minimum keeps text of its own where the elements are views") {
  std::string text = "later,early";
  auto const s = state_of(minimum(), in_turn<std::string_view>({std::string_view(text).substr(0, 5), std::string_view(text).substr(6)}));
  text.assign(text.size(), '?');
  CHECK(minimum<>().result(s) == "early");
}

TEST_CASE("NaN counts as no value for minimum") {
  double const nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  CHECK(result_of(minimum(), std::vector<double>{nan, 2, nan, 1, nan}) == 1);
  CHECK(result_of(minimum(), std::vector<double>{nan}) == std::nullopt);
  CHECK(result_of(minimum(), std::vector<double>{0, -infinity, infinity}) == -infinity);
}

TEST_CASE("minima merged in any order are the minimum of all") {
  std::mt19937_64 random(3);
  std::vector<int> xs(300);
  for (int& x : xs) x = static_cast<int>(random() % 1000);
  CHECK(result_of(minimum(), xs) == *std::min_element(xs.begin(), xs.end()));
  check_merging(minimum(), in_turn(xs), merging::in_any_order);
  check_merging(minimum([](int x) { return std::to_string(x); }), in_turn(xs), merging::in_any_order);
}

TEST_CASE("a minimum comes back from a checkpoint") {
  check_checkpoint(minimum(), in_turn(std::vector<int>{3, 1, 2}));
  check_checkpoint(minimum(), in_turn(std::vector<char>{3, 1, 2}));
  check_checkpoint(minimum(), in_turn(std::vector<std::string>{"b", "a"}));
}
