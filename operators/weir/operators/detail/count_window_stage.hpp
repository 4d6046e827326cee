#pragma once
#include <weir/detail/owned_bytes.hpp>
#include <weir/mark.hpp>
#include <weir/operators/detail/held_marks.hpp>
#include <weir/shape.hpp>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// What is open is held, and comes again.
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
    if (m.kind == mark_kind::barrier && m.cut->closing() && !open_.empty()) {
      bool const more = close(down);
      return down.mark(m) && more;
    }
    if (open_.empty()) return down.mark(m);
    marks_.add(m, open_.size());
    return true;
  }
  bool finish(auto down) {
    if (!open_.empty()) close(down);
    return down.finish();
  }
  bool holds() const noexcept { return !open_.empty(); }
  static constexpr std::string_view memory_name = "window";
  std::size_t memory() { return elements_.memory_of(open_); }

private:
  bool close(auto down) {
    expected_ = open_.size();
    bool const more = down.element(open_, time_);
    open_.clear();  // moved from, or refused
    return marks_.empty() ? more : marks_.release(down, expected_) && more;
  }

  std::size_t n_, expected_ = 0;
  std::vector<T> open_;
  sampled_bytes<T> elements_;
  [[no_unique_address]] Time time_{};
  held_marks marks_;
};

}  // namespace weir::detail
