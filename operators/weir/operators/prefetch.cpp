#include <weir/operators/prefetch.hpp>

#include <weir/error.hpp>

namespace weir::detail {

open_read_ahead::open_read_ahead(std::size_t most) : most_(most) {
  if (most == 0) throw error(errc::invalid_option, "prefetch: cannot be built", "0 elements ahead is no prefetch", "give it at least 1");
}

}  // namespace weir::detail
