#include <place.hpp>

#include "support/catch.hpp"

#include <numbers>

using fraud::distance_km;
using fraud::place;

namespace {
constexpr double radius = 6'371.0088;
}

// By hand: parts of a great circle.
TEST_CASE("a distance is a part of the Earth's circumference") {
  CHECK(distance_km({0, 0}, {0, 0}) == 0);
  CHECK(distance_km({0, 0}, {0, 90}) == Approx(radius * std::numbers::pi / 2));
  CHECK(distance_km({90, 0}, {-90, 0}) == Approx(radius * std::numbers::pi));
  CHECK(distance_km({0, 0}, {0, 180}) == Approx(radius * std::numbers::pi));
  CHECK(distance_km({10, 20}, {-10, -160}) == Approx(radius * std::numbers::pi));
  CHECK(distance_km({90, 5}, {90, 150}) == Approx(0).margin(1e-9));
  CHECK(distance_km({0, 0}, {1, 0}) == Approx(111.195).epsilon(1e-5));
}

// Nashville to Los Angeles, the example of the haversine formula at rosettacode.org: 2887.2599506071 km with a radius of 6372.8 km.
TEST_CASE("a distance of two cities is that of the published example") {
  CHECK(distance_km({36.12, -86.67}, {33.94, -118.40}) == Approx(2887.2599506071 / 6372.8 * radius).epsilon(1e-9));
}

TEST_CASE("a distance is the same both ways, and across the date line a short one") {
  place const fiji{-17.7, 178.0}, samoa{-13.8, -171.8};
  CHECK(distance_km(fiji, samoa) == Approx(distance_km(samoa, fiji)));
  CHECK(distance_km(fiji, samoa) < 1'300);
}
