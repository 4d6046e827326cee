#pragma once

#include "place.hpp"

#include <weir/instant.hpp>

#include <string>

namespace fraud {

/// Somebody tried to log in to an account.
struct login {
  std::string account;
  weir::instant time = 0;
  place from;            ///< where the attempt came from, as geolocation has it
  bool success = false;  ///< the password was right

  friend bool operator==(login const&, login const&) = default;
};

}  // namespace fraud
