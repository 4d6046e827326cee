#include "payment_sum.hpp"

#include <weir/error.hpp>

namespace payments {

void payment_sum::merge(state& s, state const& other) const {
  auto const amount = s.amount.plus(other.amount);
  if (!amount) {
    throw weir::error(weir::errc::out_of_range, "payments: cannot add up " + s.amount.text() + " and " + other.amount.text(),
                      "the sum does not fit in 64 bits of hundredths");
  }
  s.amount = *amount;
  s.payments += other.payments;
}

}  // namespace payments
