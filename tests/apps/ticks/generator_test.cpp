#include <generator.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ticks;

namespace {
bool same(made_trade const& a, made_trade const& b) {
  return a.symbol_index == b.symbol_index && a.trade_id == b.trade_id && a.price == b.price && a.size == b.size && a.time == b.time;
}
}  // namespace

TEST_CASE("equal markets make equal trades, other seeds make others") {
  generator a(market{}), b(market{});
  market other;
  other.seed = 43;
  generator c(other);
  int differences = 0;
  for (int i = 0; i != 10'000; ++i) {
    auto const trade = a.next();
    REQUIRE(same(trade, b.next()));
    if (!same(trade, c.next())) ++differences;
  }
  CHECK(differences > 9'900);
}

TEST_CASE("a generator that skipped goes on as if it had made every trade") {
  for (std::uint64_t const start : {0U, 1U, 4'095U, 77'777U}) {
    generator all(market{}), skipped(market{});
    for (std::uint64_t i = 0; i != start; ++i) all.next();
    skipped.skip(start);
    CHECK(skipped.made() == start);
    for (int i = 0; i != 1'000; ++i) REQUIRE(same(all.next(), skipped.next()));
  }
}

TEST_CASE("made trades are well formed and their time never goes back") {
  generator g(market{});
  std::vector<std::int64_t> ids(g.symbols().size());
  std::int64_t last = market{}.start;
  for (int i = 0; i != 200'000; ++i) {
    auto const t = g.next();
    REQUIRE(t.symbol_index < ids.size());
    REQUIRE(t.trade_id == ++ids[t.symbol_index]);
    REQUIRE(t.time >= last);
    REQUIRE(t.time % 1'000'000 == 0);
    REQUIRE(t.price >= decimal(100, 2));
    REQUIRE(t.price.scale() == 2);
    REQUIRE(t.size > decimal());
    REQUIRE(t.size.scale() == 5);
    last = t.time;
  }
}

// Bounds: five standard deviations of the counts and of the sum of gaps.
TEST_CASE("a market keeps its rate, and the k-th symbol trades 1/k as often as the first") {
  market m;
  m.rate = 250;
  m.symbols = 8;
  generator g(m);
  int const n = 400'000;
  std::vector<int> counts(8);
  std::int64_t last = 0;
  for (int i = 0; i != n; ++i) {
    auto const t = g.next();
    ++counts[t.symbol_index];
    last = t.time;
  }
  double const seconds = static_cast<double>(last - m.start) / 1e9;
  CHECK(seconds == Approx(n / 250.0).epsilon(0.015));
  double harmonic = 0;
  for (int k = 1; k <= 8; ++k) harmonic += 1.0 / k;
  for (int k = 1; k <= 8; ++k) {
    double const share = 1.0 / k / harmonic;
    CHECK(std::abs(counts[static_cast<std::size_t>(k - 1)] - n * share) < 5 * std::sqrt(n * share * (1 - share)));
  }
}

TEST_CASE("symbols of a market have names of their own") {
  market m;
  m.symbols = 3'000;
  generator g(m);
  std::set<std::string> names;
  for (auto const& s : g.symbols()) names.emplace(s.view());
  CHECK(names.size() == 3'000);
}

TEST_CASE("a market outside its ranges is refused") {
  market m;
  m.symbols = 0;
  CHECK_THROWS_AS(generator(m), std::invalid_argument);
  m.symbols = 100'001;
  CHECK_THROWS_AS(generator(m), std::invalid_argument);
  m.symbols = 1;
  m.rate = 0;
  CHECK_THROWS_AS(generator(m), std::invalid_argument);
}

TEST_CASE("a market with one symbol and a rate of one is a market") {
  market m;
  m.symbols = 1;
  m.rate = 1;
  generator g(m);
  g.skip(1'000);
  CHECK(g.next().trade_id == 1'001);
}

TEST_CASE("markets differ in identity exactly when they differ") {
  market a, b;
  CHECK(a.identity() == b.identity());
  b.seed = 1;
  CHECK(a.identity() != b.identity());
}
