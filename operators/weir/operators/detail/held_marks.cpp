#include <weir/operators/detail/held_marks.hpp>

#include <algorithm>
#include <cstdint>

namespace weir::detail {

void held_marks::add(mark m, std::size_t elements) {
  if (m.kind != mark_kind::barrier) {
    auto const last_barrier = std::find_if(marks_.rbegin(), marks_.rend(), [](mark const& o) { return o.kind == mark_kind::barrier; });
    marks_.erase(std::remove_if(last_barrier.base(), marks_.end(), [&m](mark const& o) { return o.kind == m.kind; }), marks_.end());
  }
  m.at = static_cast<std::uint32_t>(elements);
  marks_.push_back(m);
}

}  // namespace weir::detail
