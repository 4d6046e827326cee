#pragma once
#include <weir/instant.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace weir::detail {

// Entries by their member `time`, those of one time as they came. What comes in order and goes in order costs O(1) amortised, and no
// allocation once the greatest length was seen; what comes out of order costs a move of those behind it.
template <class Entry> class time_queue {
public:
  bool empty() const noexcept { return first_ == entries_.size(); }
  std::size_t size() const noexcept { return entries_.size() - first_; }
  Entry& front() noexcept { return entries_[first_]; }
  std::span<Entry> all() noexcept { return std::span<Entry>(entries_).subspan(first_); }
  std::span<Entry const> all() const noexcept { return std::span<Entry const>(entries_).subspan(first_); }

  // How many are before `time`, or up to it.
  std::size_t count_before(instant time) const noexcept {
    return static_cast<std::size_t>(std::ranges::lower_bound(all(), time, {}, &Entry::time) - all().begin());
  }
  std::size_t count_up_to(instant time) const noexcept {
    return static_cast<std::size_t>(std::ranges::upper_bound(all(), time, {}, &Entry::time) - all().begin());
  }

  Entry& add(Entry e) {
    if (empty() || entries_.back().time <= e.time) return entries_.emplace_back(std::move(e));
    std::size_t const place = count_up_to(e.time);
    return insert(place, std::move(e));
  }
  Entry& insert(std::size_t i, Entry e) { return *entries_.insert(at(i), std::move(e)); }
  void erase(std::size_t i) { entries_.erase(at(i)); }
  void drop_front(std::size_t n) {
    first_ += n;
    if (first_ * 2 < entries_.size()) return;
    entries_.erase(entries_.begin(), at(0));  // moves no more than what was dropped
    first_ = 0;
  }
  void clear() noexcept {
    entries_.clear();
    first_ = 0;
  }
  // In bytes, without what entries have elsewhere.
  std::size_t memory() const noexcept { return entries_.capacity() * sizeof(Entry); }

private:
  auto at(std::size_t i) noexcept { return entries_.begin() + static_cast<std::ptrdiff_t>(first_ + i); }

  std::vector<Entry> entries_;
  std::size_t first_ = 0;  // what is before it is done with
};

}  // namespace weir::detail
