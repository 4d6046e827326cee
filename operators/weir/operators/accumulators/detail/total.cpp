#include <weir/error.hpp>
#include <weir/operators/accumulators/detail/total.hpp>

namespace weir::detail {

void throw_sum_out_of_range() {
  throw error(errc::out_of_range, "sum: cannot add a value", "the total does not fit in a 64-bit integer",
              "sum smaller windows, or turn the values into doubles");
}

}  // namespace weir::detail
