#include <weir/operators/window.hpp>

namespace weir::detail {

count_window_description::count_window_description(std::size_t n) : n_(n) {
  if (n == 0) throw error(errc::invalid_option, "window: cannot be built", "a window of 0 elements is never full", "give it at least 1");
}

}  // namespace weir::detail
