#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/held_marks.hpp>
#include <weir/operators/detail/open_batch.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// batch without a limit in time does not wait: a stage that holds elements.
template <class T, class Size, class Time> class batch_stage {
public:
  static constexpr bool may_hold = true;
  explicit batch_stage(batch_options<Size> const& o) : open_(o) {}

  bool element(T& x, Time t, auto down) {
    time_ = open_.empty() ? t : later(time_, t);
    return open_.add(x) ? close(down) : true;
  }
  bool mark(weir::mark const& m, auto down) {
    if (m.kind == mark_kind::stop) {  // what is open comes again, and so do the checkpoints inside
      open_.clear();
      marks_.clear();
    }
    if (m.kind == mark_kind::barrier && !open_.empty()) {
      bool const more = close(down);
      return down.mark(m) && more;
    }
    if (open_.empty()) return down.mark(m);
    marks_.add(m, 0);
    return true;
  }
  bool finish(auto down) {
    if (!open_.empty()) close(down);
    return down.finish();
  }
  bool holds() const noexcept { return !open_.empty(); }
  static constexpr std::string_view memory_name = "batch";
  static constexpr bool passing_memory = true;  // a barrier closes it
  std::size_t memory() { return open_.memory(); }

private:
  bool close(auto down) {
    bool const more = down.element(open_.elements(), time_);
    open_.clear();
    return marks_.empty() ? more : marks_.release(down, 0) && more;
  }

  open_batch<T, Size> open_;
  [[no_unique_address]] Time time_{};
  held_marks marks_;
};

}  // namespace weir::detail
