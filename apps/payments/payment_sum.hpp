#pragma once

#include "payment.hpp"

#include <weir/instant.hpp>

#include <cstdint>

namespace payments {

/// Number and sum of payments.
struct sum_of_payments {
  std::uint64_t payments = 0;
  cents amount;
  friend bool operator==(sum_of_payments const&, sum_of_payments const&) = default;
};

/// Adds payments up, exactly: an accumulator for `weir::aggregate`. Throws `weir::error` (`errc::out_of_range`) when a sum does not fit in
/// 64 bits of hundredths.
struct payment_sum {
  using state = sum_of_payments;
  void add(state& s, payment const& p, weir::instant) const { merge(s, {1, p.amount}); }
  void merge(state& s, state const& other) const;
  sum_of_payments result(state const& s) const { return s; }
};

}  // namespace payments
