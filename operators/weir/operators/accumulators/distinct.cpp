#include <weir/operators/accumulators/distinct.hpp>

#include <weir/error.hpp>

#include <cmath>
#include <limits>

namespace weir::detail {

unsigned checked_precision(distinct_options o) {
  if (o.precision < hyperloglog::min_precision || o.precision > hyperloglog::max_precision)
    throw error(errc::invalid_option, "distinct: cannot be built", "the precision is not from 4 to 18");
  return o.precision;
}

std::uint64_t rounded_estimate(hyperloglog const& h) {
  double const n = std::round(h.estimate());
  return n < 0x1p64 ? static_cast<std::uint64_t>(n) : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace weir::detail
