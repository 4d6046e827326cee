#pragma once
#include <weir/operators/detail/spread.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::detail {

// Numbers of 64 bits, from which none is ever taken out: 8 bytes per slot, up to 70 % full, linear probing, so that a search reads one line
// of memory, and one that can be named before.
class number_set {
public:
  bool contains(std::uint64_t n) const noexcept {
    if (n == 0) return zero_;
    if (slots_.empty()) return false;
    for (std::size_t i = home(n);; i = (i + 1) & mask_) {
      if (slots_[i] == n) return true;
      if (slots_[i] == 0) return false;
    }
  }
  // True: it was not there.
  bool insert(std::uint64_t n) {
    if (n == 0) return insert_zero();
    if (used_ >= most_) [[unlikely]]
      grow();
    for (std::size_t i = home(n);; i = (i + 1) & mask_) {
      if (slots_[i] == n) return false;
      if (slots_[i] != 0) continue;
      slots_[i] = n;
      ++used_;
      return true;
    }
  }
  // Ahead of the two above: fetches where they will look first. Inlined, as g++ 12 drops calls of functions that do nothing but fetch.
  [[gnu::always_inline]] void fetch(std::uint64_t n) const noexcept {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home(n)]);
  }
  std::size_t size() const noexcept { return used_ + (zero_ ? 1 : 0); }
  // In bytes.
  std::size_t memory() const noexcept { return slots_.capacity() * sizeof(std::uint64_t); }
  // In an order that depends on what there is.
  template <class F> void for_each(F f) const {
    if (zero_) f(std::uint64_t{0});
    for (std::uint64_t const n : slots_)
      if (n != 0) f(n);
  }

private:
  std::size_t home(std::uint64_t n) const noexcept { return spread(n) >> shift_; }
  bool insert_zero() noexcept;
  void grow();

  std::vector<std::uint64_t> slots_;  // a power of two; zero: none
  std::size_t mask_ = 0, used_ = 0, most_ = 0;
  unsigned shift_ = 63;
  bool zero_ = false;
};

}  // namespace weir::detail
