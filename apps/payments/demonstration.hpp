#pragma once

#include "payment.hpp"

#include <vector>

namespace payments {

/// Nine payments to two shops in twelve deliveries, in the order of delivery, as an at-least-once source makes them: out of order by up to
/// nine seconds, three delivered twice, and one that comes when its minute is over.
///
/// In windows of a minute, with a bound of 10 s: `pay-108` is late. `pay-104` comes again after its minute has closed; it is a duplicate,
/// not late. Totals where the late one is dropped: shop-a 62.50 in 5 payments, shop-b 17.00 in 3; where it corrects its window:
/// shop-b 117.00 in 4.
std::vector<payment> demonstration();

}  // namespace payments
