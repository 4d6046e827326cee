#pragma once
#include <weir/detail/owned_bytes.hpp>
#include <weir/operators/batch_options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::detail {

// The batch that is being filled, and when it is full.
template <class T, class Size> class open_batch {
public:
  template <class Time>
  explicit open_batch(batch_options<Size, Time> const& o) : count_(o.max_count()), bytes_(o.max_bytes()), size_(o.size()) {}

  bool empty() const noexcept { return elements_.empty(); }
  // True: it is full.
  bool add(T& x) {
    if (elements_.empty()) elements_.reserve(expected_);
    if constexpr (!std::is_same_v<Size, no_size>) filled_ += static_cast<std::uint64_t>(std::invoke(size_, std::as_const(x)));
    elements_.push_back(std::move(x));
    return elements_.size() >= count_ || filled_ >= bytes_;
  }
  // In bytes.
  std::size_t memory() { return sizes_.memory_of(elements_); }
  std::vector<T>& elements() noexcept {
    expected_ = elements_.size();  // the next one will need about as much
    return elements_;
  }
  void clear() noexcept {
    elements_.clear();
    filled_ = 0;
  }

private:
  std::size_t count_, expected_ = 0;
  std::uint64_t bytes_, filled_ = 0;
  [[no_unique_address]] Size size_;
  std::vector<T> elements_;
  sampled_bytes<T> sizes_;
};

}  // namespace weir::detail
