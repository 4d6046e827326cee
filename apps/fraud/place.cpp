#include "place.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fraud {

double distance_km(place const& a, place const& b) noexcept {
  constexpr double radius = 6'371.0088;
  constexpr double radians = std::numbers::pi / 180;
  auto const squared_sine = [](double degrees) {
    double const s = std::sin(degrees * radians / 2);
    return s * s;
  };
  double const h = squared_sine(b.latitude - a.latitude) +
                   std::cos(a.latitude * radians) * std::cos(b.latitude * radians) * squared_sine(b.longitude - a.longitude);
  return 2 * radius * std::asin(std::sqrt(std::clamp(h, 0.0, 1.0)));  // rounding may lead past 1 at opposite places
}

}  // namespace fraud
