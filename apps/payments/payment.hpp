#pragma once

#include "cents.hpp"

#include <weir/instant.hpp>

#include <string>

namespace payments {

/// A payment, as a source delivers it: perhaps more than once, then with the same id and time.
struct payment {
  std::string id;
  std::string key;         ///< what it is counted under: a shop, an account
  cents amount;            ///< below zero: a refund
  weir::instant time = 0;  ///< when it was made

  friend bool operator==(payment const&, payment const&) = default;
};

}  // namespace payments
