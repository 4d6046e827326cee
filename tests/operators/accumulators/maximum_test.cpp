#include <weir/operators/accumulators/maximum.hpp>

#include "operators/accumulators/accumulator_checks.hpp"

#include <limits>
#include <optional>

using namespace weir;
using namespace weir::test;

namespace {

// Only `price` is compared.
struct tick {
  int price;
  int id;
  bool operator<(tick const& o) const { return price < o.price; }
  bool operator>(tick const& o) const { return price > o.price; }
};
std::vector<tick> const ticks{{3, 1}, {9, 2}, {-2, 3}, {9, 4}};

// Has nothing but `<`.
struct level {
  int value;
  bool operator<(level const& o) const { return value < o.value; }
};

}  // namespace

TEST_CASE("maximum is the greatest of what its projection says, or of the elements") {
  CHECK(result_of(maximum(&tick::price), ticks) == 9);
  CHECK(result_of(maximum([](tick const& t) { return -t.price; }), ticks) == 2);
  CHECK(result_of(maximum(), std::vector<std::string>{"b", "c", "a"}) == "c");
  CHECK(result_of(maximum(), std::vector<level>{{1}, {3}, {2}})->value == 3);
}

TEST_CASE("the maximum of nothing is null") { CHECK(result_of(maximum(), std::vector<int>{}) == std::nullopt); }

TEST_CASE("of equal maxima the first to come is kept, and in a merge that of the first") {
  maximum<> const a;
  auto s = state_of(a, in_turn(ticks));
  CHECK(s.value->id == 2);
  a.merge(s, state_of(a, in_turn<tick>({{9, 100}})));
  CHECK(a.result(s)->id == 2);
}

TEST_CASE("NaN counts as no value for maximum") {
  double const nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  CHECK(result_of(maximum(), std::vector<double>{nan, 2, nan, 1, nan}) == 2);
  CHECK(result_of(maximum(), std::vector<float>{std::numeric_limits<float>::quiet_NaN()}) == std::nullopt);
  CHECK(result_of(maximum(), std::vector<double>{0, -infinity, infinity}) == infinity);
}

TEST_CASE("maxima merged in any order are the maximum of all") {
  std::mt19937_64 random(3);
  std::vector<int> xs(300);
  for (int& x : xs) x = static_cast<int>(random() % 1000) - 2000;
  CHECK(result_of(maximum(), xs) == *std::max_element(xs.begin(), xs.end()));
  check_merging(maximum(), in_turn(xs), merging::in_any_order);
}

TEST_CASE("a maximum comes back from a checkpoint") {
  check_checkpoint(maximum(), in_turn(std::vector<int>{3, 1, 5}));
  check_checkpoint(maximum(), in_turn(std::vector<std::string>{"b", "c"}));
}
