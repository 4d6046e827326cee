#include <weir/distribution.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <limits>

using weir::distribution;

TEST_CASE("a duration is counted in the first bucket whose bound it does not exceed", "[framework][metrics]") {
  distribution d;
  d.add(0.001);        // the bound of the bucket at 6
  d.add(0.0010001);    // just above it
  d.add(0.000001, 3);  // below all bounds
  d.add(501);          // above all
  CHECK(distribution::bounds[6] == 0.001);
  CHECK(d.count(6) == 1);
  CHECK(d.count(7) == 1);
  CHECK(d.count(0) == 3);
  CHECK(d.count(distribution::bounds.size()) == 1);
  CHECK(d.total() == 6);
  CHECK(std::abs(d.sum() - (0.001 + 0.0010001 + 3 * 0.000001 + 501)) < 1e-9);
}

TEST_CASE("the bounds ascend from 10 microseconds to 500 seconds, three to a power of ten", "[framework][metrics]") {
  CHECK(distribution::bounds.front() == 1e-5);
  CHECK(distribution::bounds.back() == 500);
  for (std::size_t i = 3; i != distribution::bounds.size(); ++i)
    CHECK(std::abs(distribution::bounds[i] / distribution::bounds[i - 3] - 10) < 1e-9);
}

TEST_CASE("what cannot be a duration counts as none, and distributions add up", "[framework][metrics]") {
  distribution a, b;
  CHECK(a.empty());
  a.add(-1);
  a.add(std::numeric_limits<double>::quiet_NaN());
  b.add(2);
  b += a;
  CHECK(b.total() == 3);
  CHECK(b.count(0) == 2);
  CHECK(b.sum() == 2);
}
