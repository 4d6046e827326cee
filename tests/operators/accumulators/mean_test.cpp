#include <weir/operators/accumulators/mean.hpp>

#include "operators/accumulators/accumulator_checks.hpp"

#include <limits>
#include <optional>

using namespace weir;
using namespace weir::test;

namespace {
struct request {
  int client;
  float seconds;
};
}  // namespace

TEST_CASE("mean is the sum over the count, of a projection or of the elements") {
  CHECK(result_of(mean(&request::seconds), std::vector<request>{{1, 0.5F}, {2, 0.25F}}) == 0.375);
  CHECK(result_of(mean(), std::vector<int>{1, 2, 4, 6}) == 3.25);
  CHECK(result_of(mean(), std::vector<bool>{true, false}) == 0.5);
  static_assert(!accumulator<mean<>, std::string> && !accumulator<mean<>, request>);
}

TEST_CASE("the mean of nothing is null") { CHECK(result_of(mean(), std::vector<int>{}) == std::nullopt); }

TEST_CASE("mean keeps small differences between large values, and does not overflow where a sum of integers would") {
  CHECK(result_of(mean(), std::vector<double>{1, 1e100, 1, -1e100}) == 0.5);
  CHECK(result_of(mean(), std::vector<std::int64_t>(3, std::numeric_limits<std::int64_t>::max())) == 0x1p63);
}

TEST_CASE("a mean is infinite or NaN where its values are") {
  double const infinity = std::numeric_limits<double>::infinity();
  CHECK(result_of(mean(), std::vector<double>{1, infinity}) == infinity);
  CHECK(result_of(mean(), std::vector<double>{1.7e308, 1.7e308}) == infinity);
  CHECK(std::isnan(result_of(mean(), std::vector<double>{-infinity, infinity}).value()));
}

TEST_CASE("means merged in any order are the mean of all") {
  std::mt19937_64 random(5);
  std::vector<double> xs(400);
  for (double& x : xs) x = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 40) - 20);
  check_merging(mean(), in_turn(xs), merging::in_any_order, [](auto a, auto b) { return close_to(*a, *b, 1e-15); });
}

TEST_CASE("a mean comes back from a checkpoint") {
  check_checkpoint(mean(), in_turn(std::vector<double>{0.1, 1e30, -0.3}));
  static_assert(sizeof(accumulator_state<mean<>, int>) == 24);
}
