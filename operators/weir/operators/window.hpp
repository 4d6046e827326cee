#pragma once
#include <weir/error.hpp>
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/held_marks.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

template <class T, class Time> class count_window_stage {
public:
  static constexpr bool may_hold = true;
  explicit count_window_stage(std::size_t n) noexcept : n_(n) {}

  bool element(T& x, Time t, auto down) {
    if (open_.empty()) {
      open_.reserve(expected_);
      time_ = t;
    }
    open_.push_back(std::move(x));
    time_ = later(time_, t);
    return open_.size() < n_ ? true : close(down);
  }
  bool mark(weir::mark const& m, auto down) {
    if (m.kind == mark_kind::stop) {  // what is open comes again, and so do the checkpoints inside
      open_.clear();
      marks_.clear();
    }
    if (open_.empty()) return down.mark(m);
    marks_.add(m);
    return true;
  }
  bool finish(auto down) {
    if (!open_.empty()) close(down);
    return down.finish();
  }
  bool holds() const noexcept { return !open_.empty(); }

private:
  bool close(auto down) {
    expected_ = open_.size();
    bool const more = down.element(open_, time_);
    open_.clear();  // moved from, or refused
    return marks_.empty() ? more : marks_.release(down) && more;
  }

  std::size_t n_, expected_ = 0;
  std::vector<T> open_;
  [[no_unique_address]] Time time_{};
  held_marks marks_;
};

class count_window_description {
public:
  using operator_tag = void;
  explicit count_window_description(std::size_t n);
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    using element = typename shape::element;
    using time = std::conditional_t<shape::has_time, timestamp, untimed>;
    return std::forward<Chain>(c).with(same_time<shape, std::vector<element>>(), count_window_stage<element, time>(n_));
  }

private:
  std::size_t n_;
};

}  // namespace detail

/// Groups each `n` consecutive elements into a `std::vector`, in order; the last may be smaller.
///
/// Lazy: a window is emitted with the element that completes it and costs one allocation. On a timed stream it has the latest event time in
/// it. The key is dropped.
/// Watermarks and idle marks that arrive while a window is open follow it; so do barriers, hence a checkpoint waits for the window
/// around it. After a restart windows begin anew behind the checkpoint: the elements between it and the end of that
/// window come a second time, in other company, and nothing is lost.
/// - Emits when: the n-th element came, or the data ended.   Backpressures when: downstream does.
/// - Completes when: upstream completes; a stream that was stopped (drain, lost lease) emits no partial window, its elements come again.
/// - Fails when: upstream fails; an open window is not emitted.   Cancelled: at the next chunk.
/// State: none; up to `n` - 1 elements are held unacknowledged.   `n` >= 1 elements.   Errors: `errc::invalid_option` when built.
/// Source: `std::views::chunk`, [range.chunk].
inline auto window(std::size_t n) { return detail::count_window_description(n); }

}  // namespace weir
