#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace weir::detail {

inline constexpr std::uint32_t no_slot = 0xffffffff;

// Values at numbered places. A place is used again when its value is gone, so in steady state nothing is allocated; references last
// until the next add().
template <class T> class slot_pool {
public:
  template <class... Args> std::uint32_t add(Args&&... args) {
    if (free_.empty()) {
      cells_.emplace_back(std::in_place, std::forward<Args>(args)...);
      return static_cast<std::uint32_t>(cells_.size() - 1);
    }
    std::uint32_t const slot = free_.back();
    cells_[slot].emplace(std::forward<Args>(args)...);
    free_.pop_back();
    return slot;
  }
  void remove(std::uint32_t slot) {
    free_.push_back(slot);
    cells_[slot].reset();
  }
  void clear() noexcept {
    cells_.clear();
    free_.clear();
  }

  T& operator[](std::uint32_t slot) noexcept { return *cells_[slot]; }
  T const& operator[](std::uint32_t slot) const noexcept { return *cells_[slot]; }
  // Null for a place without a value.
  T* find(std::uint32_t slot) noexcept { return slot < cells_.size() && cells_[slot] ? &*cells_[slot] : nullptr; }
  std::size_t size() const noexcept { return cells_.size() - free_.size(); }
  // In bytes, without what values have elsewhere.
  std::size_t memory() const noexcept { return cells_.capacity() * sizeof(std::optional<T>) + free_.capacity() * sizeof(std::uint32_t); }
  // One after the other with each call, in turns; null for a place without a value, or where there are none.
  T const* another() noexcept { return cells_.empty() ? nullptr : find(turn_++ % static_cast<std::uint32_t>(cells_.size())); }
  // f(value), or f(slot, value), for each, in the order of their numbers.
  template <class F> void each(F f) const {
    for (std::size_t i = 0; i != cells_.size(); ++i) {
      if (!cells_[i]) continue;
      if constexpr (std::invocable<F&, std::uint32_t, T const&>) f(static_cast<std::uint32_t>(i), *cells_[i]);
      else f(*cells_[i]);
    }
  }

private:
  std::vector<std::optional<T>> cells_;
  std::vector<std::uint32_t> free_;
  std::uint32_t turn_ = 0;
};

}  // namespace weir::detail
