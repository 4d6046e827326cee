#pragma once
#include <weir/chunk.hpp>
#include <weir/instant.hpp>
#include <weir/mark.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace weir::detail {

// Elements on their way from a feeder to its emitter, with times and marks: a chunk that owns what is in it. Ends at a barrier.
template <class T> class block {
public:
  bool empty() const noexcept { return elements_.empty() && marks_.empty(); }
  bool ended() const noexcept { return !marks_.empty() && marks_.back().kind == mark_kind::barrier; }
  std::size_t size() const noexcept { return elements_.size(); }

  template <class U> void add(U&& x, instant const* time) {
    elements_.push_back(std::forward<U>(x));
    if (time) times_.push_back(*time);
  }
  void add(std::span<T> xs, instant const* times) {
    elements_.insert(elements_.end(), std::move_iterator(xs.begin()), std::move_iterator(xs.end()));
    if (times) times_.insert(times_.end(), times, times + xs.size());
  }
  void add(mark m) {
    m.at = static_cast<std::uint32_t>(elements_.size());
    if (!marks_.empty() && marks_.back().at == m.at && marks_.back().kind == m.kind && m.kind != mark_kind::barrier) marks_.back() = m;
    else marks_.push_back(m);
  }
  chunk<T> as_chunk() noexcept { return chunk<T>(std::span<T>(elements_), times_.empty() ? nullptr : times_.data(), marks_); }
  void clear() noexcept {
    elements_.clear();
    times_.clear();
    marks_.clear();
  }

private:
  std::vector<T> elements_;
  std::vector<instant> times_;
  std::vector<mark> marks_;
};

}  // namespace weir::detail
