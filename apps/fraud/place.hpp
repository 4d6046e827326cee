#pragma once

namespace fraud {

/// A place on the Earth, in degrees: latitude -90 to 90 (north is positive), longitude -180 to 180 (east is positive).
struct place {
  double latitude = 0;
  double longitude = 0;
  friend bool operator==(place const&, place const&) = default;
};

/// Kilometres between two places along the surface of a sphere of the Earth's mean radius, 6,371.0088 km: at most 0.56 % off the true
/// distance, as the Earth is no sphere.
/// Source: haversine formula; mean radius R1 of WGS 84 (Moritz, Geodetic Reference System 1980).
double distance_km(place const& a, place const& b) noexcept;

}  // namespace fraud
