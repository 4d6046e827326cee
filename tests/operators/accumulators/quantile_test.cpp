#include <weir/operators/accumulators/quantile.hpp>

#include "operators/accumulators/sketch_checks.hpp"

#include <limits>
#include <map>

using namespace weir;
using namespace weir::test;

namespace {

struct request {
  double seconds;
  int bytes;
};

template <class T> constexpr T most = std::numeric_limits<T>::max();

template <class F> std::vector<double> values(std::size_t n, std::uint64_t seed, F draw) {
  std::mt19937_64 random(seed);
  std::vector<double> xs(n);
  std::ranges::generate(xs, [&] { return draw(random); });
  return xs;
}

std::map<std::string, std::vector<double>> samples(std::size_t n, std::uint64_t seed) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::lognormal_distribution<double> lognormal(-3, 1.5), slow(2, 0.2);
  std::map<std::string, std::vector<double>> out;
  out["uniform"] = values(n, seed, uniform);
  out["uniform around zero"] = values(n, seed, std::uniform_real_distribution<double>(-1, 1));
  out["lognormal"] = values(n, seed, lognormal);
  out["pareto"] = values(n, seed, [&](auto& random) { return std::pow(1 - uniform(random), -1 / 1.1); });
  out["bimodal"] = values(n, seed, [&](auto& random) { return random() % 10 == 0 ? slow(random) : lognormal(random); });
  out["negative"] = values(n, seed, [&](auto& random) { return -lognormal(random); });
  out["of both signs, with zeros"] = values(n, seed, [&](auto& random) {
    double const x = lognormal(random);
    return random() % 3 == 0 ? 0 : random() % 2 == 0 ? x : -x;
  });
  out["integers"] = values(n, seed, [](auto& random) { return static_cast<double>(random() % 1000); });
  out["one value"] = std::vector<double>(n, 42.5);
  out["ascending"] = values(n, seed, [x = 0.0](auto&) mutable { return x += 0.25; });
  return out;
}

std::vector<double> const several_q{0, 0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 1.0 / 3, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 1};

double exact(std::vector<double> const& sorted, double q) {
  return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))];
}

// But for the rounding of the logarithm.
bool within(double answer, double truth, double relative_error) {
  return std::abs(answer - truth) <= relative_error * (1 + 1e-9) * std::abs(truth);
}

template <class A> quantile_sketch sketch_of(A const& a, std::vector<double> const& xs) { return result_of(a, xs); }

}  // namespace

TEST_CASE("each quantile is within the relative error, for every distribution, size and error") {
  for (auto const& [error, buckets] : {std::pair(0.01, 2048), std::pair(0.001, 20'000), std::pair(0.2, 2048)})
    for (auto const n : {1u, 2u, 3u, 10u, 500u, 100'000u})
      for (auto& [name, xs] : samples(n, n + 1)) {
        CAPTURE(error, n, name);
        auto const sketch =
            sketch_of(quantile(std::identity(), {.relative_error = error, .max_buckets = static_cast<std::size_t>(buckets)}), xs);
        std::ranges::sort(xs);
        CHECK(sketch.count() == n);
        CHECK(sketch.collapsed() == 0);
        CHECK(sketch.min() == xs.front());
        CHECK(sketch.max() == xs.back());
        CHECK(sketch.at(0) == xs.front());
        CHECK(sketch.at(1) == xs.back());
        for (double const q : several_q) {
          CAPTURE(q, sketch.at(q), exact(xs, q));
          CHECK(within(sketch.at(q), exact(xs, q), error));
        }
      }
}

TEST_CASE("quantiles are of what the projection says, or of the elements themselves") {
  std::vector<request> const requests{{0.5, 100}, {2, 300}, {8, 200}};
  CHECK(within(result_of(quantile(&request::seconds), requests).at(0.5), 2, 0.01));
  CHECK(within(result_of(quantile(&request::bytes, {.relative_error = 0.05}), requests).at(0.5), 200, 0.05));
  CHECK(within(result_of(quantile([](request const& r) { return r.bytes / r.seconds; }), requests).at(0.5), 150, 0.01));
  CHECK(within(result_of(quantile(), std::vector<int>{-1, -2, -3}).at(0.5), -2, 0.01));
  static_assert(!accumulator<quantile<>, std::string> && !accumulator<quantile<int request::*>, int>);
}

TEST_CASE("quantiles reach from the smallest to the largest number there is") {
  double const tiny = std::numeric_limits<double>::min(), huge = most<double>;
  // Each in turn is the one in the middle, between others that are far, but not too far for the buckets.
  for (double const x : {tiny, tiny * 3, 1e-300, 1.0, 1e300, huge * 0.9, huge * 0.985, huge}) {
    CAPTURE(x);
    double const above = x < 1e300 ? x * 1e8 : huge;
    CHECK(within(sketch_of(quantile(), {x / 1e8, x, above}).at(0.5), x, 0.01));
    CHECK(within(sketch_of(quantile(), {-above, -x, -x / 1e8}).at(0.5), -x, 0.01));
  }
  double const subnormal = tiny / 2;
  CHECK(sketch_of(quantile(), {-1, subnormal, 1}).at(0.5) == 0);
  CHECK(sketch_of(quantile(), {-1, -subnormal, 1}).at(0.5) == 0);
  CHECK(sketch_of(quantile(), {subnormal, subnormal, subnormal}).at(0.5) == subnormal);  // as the smallest is exact
}

TEST_CASE("values that are too small for the buckets collapse: the others keep the error bound, and they are counted") {
  // Bucket i is (g^(i-1), g^i]; 64 of them reach down by a factor of 3.6.
  double const g = 1.01 / 0.99;
  for (double const sign : {1.0, -1.0}) {
    auto xs = values(10'000, 7, std::uniform_real_distribution<double>(0, 1000));
    for (double& x : xs) x *= sign;
    auto const sketch = sketch_of(quantile(std::identity(), {.relative_error = 0.01, .max_buckets = 64}), xs);
    std::ranges::sort(xs);
    double const largest = std::abs(sign > 0 ? xs.back() : xs.front());
    double const lowest = std::ceil(std::log(largest) / std::log(g)) - 63;  // bucket
    auto const collapses = [&](double x) { return std::abs(x) <= std::pow(g, lowest - 1); };
    auto const collapsed = static_cast<std::uint64_t>(std::ranges::count_if(xs, collapses));
    CHECK(collapsed > 2000);
    CHECK(sketch.collapsed() == collapsed);
    for (double q = 0.001; q < 1; q += 0.001) {
      double const truth = exact(xs, q);
      CAPTURE(sign, q, truth, sketch.at(q));
      if (collapses(truth)) CHECK(within(sketch.at(q), sign * std::pow(g, lowest) * 0.99, 1e-9));
      else CHECK(within(sketch.at(q), truth, 0.01));
    }
    CHECK(sketch.min() == xs.front());
    CHECK(sketch.max() == xs.back());
  }
}

TEST_CASE("a value that is not finite is refused, and leaves the state as it was") {
  quantile<> const a;
  auto s = state_of(a, in_turn<double>({1, 2}));
  auto const before = bytes_of(s);
  fails_with(errc::out_of_range, [&] { a.add(s, std::nan(""), 0); }, "quantile", "not a number", "filter");
  fails_with(errc::out_of_range, [&] { a.add(s, INFINITY, 0); }, "infinite");
  fails_with(errc::out_of_range, [&] { a.add(s, -INFINITY, 0); });
  CHECK(bytes_of(s) == before);
}

TEST_CASE("without values there are no quantiles, and beyond 0 and 1 neither") {
  auto const none = sketch_of(quantile(), {});
  CHECK(none.count() == 0);
  fails_with(errc::misuse, [&] { (void)none.at(0.5); }, "no elements");
  fails_with(errc::misuse, [&] { (void)none.min(); });
  fails_with(errc::misuse, [&] { (void)none.max(); });
  auto const some = sketch_of(quantile(), {1, 2, 3});
  for (double const q : {-0.01, 1.01, 99.0, std::nan("")}) fails_with(errc::out_of_range, [&] { (void)some.at(q); }, "from 0 to 1");
}

TEST_CASE("quantile refuses options that cannot be") {
  using quantile = weir::quantile<>;
  for (double const e : {0.0, -0.01, 0.00009, 0.51, std::nan("")})
    fails_with(errc::invalid_option, [&] { quantile(std::identity(), {.relative_error = e}); }, "0.0001 to 0.5");
  for (auto const n : {0u, 15u, 65'537u})
    fails_with(errc::invalid_option, [&] { quantile(std::identity(), {.max_buckets = n}); }, "65,536");
  quantile(std::identity(), {.relative_error = 0.0001, .max_buckets = 65'536});
  quantile(std::identity(), {.relative_error = 0.5, .max_buckets = 16});
}

TEST_CASE("quantile sketches merge bit for bit as if all had been added to one") {
  for (auto const buckets : {16u, 100u, 2048u})
    for (auto const& [name, xs] : samples(700, 3)) {
      CAPTURE(buckets, name);
      check_merging(giving_bytes(quantile(std::identity(), {.max_buckets = buckets})), in_turn(xs), merging::in_any_order);
    }
  check_merging(giving_bytes(quantile()), in_turn<double>({0.0, -0.0, 1, -0.0, 0.0}), merging::in_any_order);
}

TEST_CASE("quantile goes on after a restart as if there had been none") {
  for (auto const& [name, xs] : samples(300, 5)) {
    CAPTURE(name);
    check_checkpoint(giving_bytes(quantile(std::identity(), {.max_buckets = 100})), in_turn(xs));
    auto const sketch = sketch_of(quantile(), xs);
    auto const restored = decode_state<quantile_sketch>(bytes_of(sketch));
    for (double const q : several_q) CHECK(restored.at(q) == sketch.at(q));
  }
}

TEST_CASE("damaged bytes of a quantile's state are refused, or do no harm") {
  for (auto const n : {1u, 10u, 400u})
    for (auto const& [name, xs] : samples(n, 11)) {
      CAPTURE(n, name);
      quantile<> const a;
      auto const intact = state_of(a, in_turn(xs));
      check_damage(intact, 100, [&](auto& s) {
        for (double const q : several_q) CHECK((a.result(s).at(q) >= a.result(s).min() && a.result(s).at(q) <= a.result(s).max()));
        for (double const x : {-1e300, -1.0, 0.0, 1.0, 1e300}) a.add(s, x, 0);
        a.merge(s, intact);
        CHECK(s.heap_bytes() < 1'000'000);
        (void)bytes_of(s);
      });
    }
}

TEST_CASE("quantile refuses to go on from a state of other options") {
  quantile<> const a;
  auto const s = state_of(a, in_turn<double>({1, 2}));
  for (quantile_options const o : {quantile_options{.relative_error = 0.02}, quantile_options{.max_buckets = 1024}}) {
    quantile<> const other(std::identity(), o);
    auto restored = decode_state<detail::ddsketch>(bytes_of(s));
    fails_with(errc::incompatible, [&] { other.add(restored, 1.0, 0); }, "another relative error");
    auto t = state_of(other, in_turn<double>({1, 2}));
    fails_with(errc::incompatible, [&] { other.merge(t, s); });
  }
}

TEST_CASE("a quantile of few values costs little, and of many no more than its buckets") {
  static_assert(sizeof(detail::ddsketch) <= 224);
  quantile<> const a;
  CHECK(state_of(a, in_turn<double>({1, 2, 3})).heap_bytes() <= 64);
  std::vector<double> powers;
  for (int i = 0; i != 20'000; ++i) powers.push_back((i % 2 == 0 ? 1 : -1) * std::pow(10, i % 600 - 300));
  CHECK(state_of(a, in_turn(powers)).heap_bytes() <= 2 * 2 * 8 * 2048);
}
