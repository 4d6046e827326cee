#pragma once
#include <weir/mark.hpp>
#include <weir/shape.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace weir::detail {

// Marks that wait because elements from before them do. All barriers are kept, in order; of watermarks and idle marks between
// two barriers only the last of each kind, as only that can decide anything, so a quiet stream does not fill memory.
class held_marks {
public:
  // `elements`: how many of those that are kept are before it.
  void add(mark m, std::size_t elements);
  void clear() noexcept { marks_.clear(); }
  bool empty() const noexcept { return marks_.empty(); }

  // Hands all of them on, when `elements` have been. False when downstream wants to be left alone.
  template <class Down> bool release(Down down, std::size_t elements) {
    bool more = true;
    for (mark const& m : marks_) {
      if (m.kind == mark_kind::barrier && m.at != elements) m.cut->overtake();
      more = down.mark(m) && more;
    }
    marks_.clear();
    return more;
  }

private:
  std::vector<mark> marks_;
};

// The event time of a group: the latest of its elements'.
inline untimed later(untimed, untimed) noexcept { return {}; }
inline timestamp later(timestamp a, timestamp b) noexcept { return a.at < b.at ? b : a; }

}  // namespace weir::detail
