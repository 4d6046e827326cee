#pragma once

#include "payment_sum.hpp"

#include <weir/instant.hpp>

#include <string>

namespace payments {

/// The sum of a key's payments in one window.
struct window_sum {
  std::string key;
  weir::instant window_start = 0;
  sum_of_payments sum;

  friend bool operator==(window_sum const&, window_sum const&) = default;
};

}  // namespace payments
