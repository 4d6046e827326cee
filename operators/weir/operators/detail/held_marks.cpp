#include <weir/operators/detail/held_marks.hpp>

#include <algorithm>

namespace weir::detail {

void held_marks::add(mark m) {
  if (m.kind != mark_kind::barrier) {
    auto const last_barrier = std::find_if(marks_.rbegin(), marks_.rend(), [](mark const& o) { return o.kind == mark_kind::barrier; });
    marks_.erase(std::remove_if(last_barrier.base(), marks_.end(), [&m](mark const& o) { return o.kind == m.kind; }), marks_.end());
  }
  marks_.push_back(m);
}

}  // namespace weir::detail
