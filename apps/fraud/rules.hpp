#pragma once

#include <cstdint>

namespace fraud {

/// What counts as fraud.
struct rules {
  std::uint32_t failures = 3;             ///< failed logins of an account that are too many, >= 1,
  std::int64_t within = 300'000'000'000;  ///< within so long (ns, > 0), the ends included
  double max_speed = 1'000;               ///< km/h that nobody travels faster than, > 0; airliners reach some 950
  double least_distance = 100;            ///< km, >= 0: closer logins are no travel, as geolocation is not more exact
};

}  // namespace fraud
