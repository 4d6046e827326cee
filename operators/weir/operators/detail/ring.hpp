#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weir::detail {

// A queue whose places have numbers that never change, and which allocates only while it grows.
template <class T> class ring {
public:
  bool empty() const noexcept { return first_ == last_; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(last_ - first_); }
  std::uint64_t first() const noexcept { return first_; }
  std::uint64_t last() const noexcept { return last_; }  // the number of the next one
  T& operator[](std::uint64_t n) noexcept { return places_[n & (places_.size() - 1)]; }
  T const& operator[](std::uint64_t n) const noexcept { return places_[n & (places_.size() - 1)]; }
  T& front() noexcept { return (*this)[first_]; }
  T const& front() const noexcept { return (*this)[first_]; }
  T& back() noexcept { return (*this)[last_ - 1]; }
  T const& back() const noexcept { return (*this)[last_ - 1]; }

  T& push(T x) {
    if (size() == places_.size()) grow();
    T& place = (*this)[last_++];
    place = std::move(x);
    return place;
  }
  T pop() {
    T& place = (*this)[first_++];
    return std::exchange(place, T());
  }

private:
  void grow() {
    std::vector<T> more(places_.empty() ? 8 : 2 * places_.size());
    for (std::uint64_t n = first_; n != last_; ++n) more[n & (more.size() - 1)] = std::move((*this)[n]);
    places_ = std::move(more);
  }

  std::vector<T> places_;  // a power of two
  std::uint64_t first_ = 0, last_ = 0;
};

}  // namespace weir::detail
