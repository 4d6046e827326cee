#include <weir/error.hpp>
#include <weir/operators/accumulators/top_n.hpp>

namespace weir::detail {

void check_top_n(std::size_t n) {
  if (n == 0) throw error(errc::invalid_option, "top_n: cannot be built", "n is 0", "give it 1 or more");
}

}  // namespace weir::detail
