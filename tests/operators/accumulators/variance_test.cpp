#include <weir/operators/accumulators/variance.hpp>

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

// NumAcc2 to NumAcc4 of NIST's Statistical Reference Datasets: `middle`, then 500 times 0.1 below it and 0.1 above.
std::vector<double> num_acc(double below, double middle, double above) {
  std::vector<double> xs{middle};
  for (int i = 0; i != 500; ++i) xs.insert(xs.end(), {below, above});
  return xs;
}

// Up to the bound for Welford's method, n * kappa * eps with kappa = mean / deviation (Chan, Golub, LeVeque, "Algorithms for computing the
// sample variance", The American Statistician 37, 1983, table 1).
bool nearly_equal(moments const& a, moments const& b) {
  double const bound = static_cast<double>(b.count) * *b.mean / *b.sample_deviation * std::numeric_limits<double>::epsilon();
  return a.count == b.count && close_to(*a.mean, *b.mean, 1e-14) && close_to(*a.sample_variance, *b.sample_variance, bound) &&
         close_to(*a.population_variance, *b.population_variance, bound) && close_to(*a.sample_deviation, *b.sample_deviation, bound) &&
         close_to(*a.population_deviation, *b.population_deviation, bound);
}

}  // namespace

TEST_CASE("variance gives count, mean, variances and deviations") {
  // Mean 5, squares of the distances 9 1 1 1 0 0 4 16: 32.
  moments const m = result_of(variance(), std::vector<int>{2, 4, 4, 4, 5, 5, 7, 9});
  CHECK(m.count == 8);
  CHECK(m.mean == 5);
  CHECK(close_to(m.population_variance.value(), 4));
  CHECK(close_to(m.population_deviation.value(), 2));
  CHECK(close_to(m.sample_variance.value(), 32.0 / 7));
  CHECK(close_to(m.sample_deviation.value(), std::sqrt(32.0 / 7)));
  CHECK(result_of(variance(&request::seconds), std::vector<request>{{1, 0.5F}, {2, 0.25F}}).mean == 0.375);
}

TEST_CASE("what is not defined for so few values is null") {
  moments const none = result_of(variance(), std::vector<int>{});
  CHECK(none == moments());
  CHECK(!none.mean.has_value());
  moments const one = result_of(variance(), std::vector<int>{3});
  CHECK(one.count == 1);
  CHECK(one.mean == 3);
  CHECK(one.population_variance == 0);
  CHECK(one.population_deviation == 0);
  CHECK(one.sample_variance == std::nullopt);
  CHECK(one.sample_deviation == std::nullopt);
}

TEST_CASE("variance has the certified values of NIST's datasets for numerical accuracy") {
  moments const first = result_of(variance(), std::vector<int>{10'000'001, 10'000'003, 10'000'002});
  CHECK(first.mean == 10'000'002);
  CHECK(first.sample_deviation == 1);
  struct dataset {
    double below, middle, above, scale;  // the last: what is left of the data's own digits behind the point
  };
  for (auto const& d : {dataset{1.1, 1.2, 1.3, 1e-13}, dataset{1'000'000.1, 1'000'000.2, 1'000'000.3, 1e-8},
                        dataset{10'000'000.1, 10'000'000.2, 10'000'000.3, 1e-7}}) {
    moments const m = result_of(variance(), num_acc(d.below, d.middle, d.above));
    CAPTURE(d.middle);
    CHECK(m.count == 1001);
    CHECK(close_to(m.mean.value(), d.middle));
    CHECK(close_to(m.sample_deviation.value(), 0.1, d.scale));
  }
}

TEST_CASE("the figures are NaN where there is an infinity or a NaN among the values") {
  double const infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(result_of(variance(), std::vector<double>{1, infinity, 2}).sample_variance.value()));
  CHECK(std::isnan(result_of(variance(), std::vector<double>{1, nan, 2}).mean.value()));
}

TEST_CASE("variances merged in any order are the variance of all") {
  std::mt19937_64 random(5);
  std::vector<double> xs(400);
  for (double& x : xs) x = 1e6 + static_cast<double>(random() % 100'000) / 1000;
  check_merging(variance(), in_turn(xs), merging::in_any_order, nearly_equal);
  check_merging(variance(), in_turn(num_acc(1'000'000.1, 1'000'000.2, 1'000'000.3)), merging::in_any_order, nearly_equal);
}

TEST_CASE("a variance comes back from a checkpoint") {
  check_checkpoint(variance(), in_turn(std::vector<double>{0.1, 1e30, -0.3, 12}));
  static_assert(sizeof(accumulator_state<variance<>, int>) == 24);
}
