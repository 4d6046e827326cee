#pragma once
#include <weir/operators/detail/spread.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::detail {

// Which place of a vector a key is in. It knows hashes and places, not keys: the caller compares those, and growing touches none.
// Linear probing, up to 60 % full, 8 bytes per slot.
class slot_index {
public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  // A hash of any quality made fit for this.
  static std::uint32_t mix(std::size_t hash) noexcept { return static_cast<std::uint32_t>(spread(hash) >> 32); }

  // `same(place)`: whether the key looked for is there.
  template <class Same> [[gnu::always_inline]] std::uint32_t find(std::uint32_t hash, Same same) const {
    if (slots_.empty()) return none;
    for (std::size_t i = home(hash);; i = (i + 1) & mask_) {
      slot const& s = slots_[i];
      if (s.hash == hash && s.place != none && same(s.place)) return s.place;
      if (s.place == none) return none;
    }
  }
  // Ahead of `find`: fetches where it will look first; then says which place it finds there, if that is the one. Inlined, as g++ 12 drops
  // calls of functions that do nothing but fetch.
  [[gnu::always_inline]] void fetch(std::uint32_t hash) const noexcept {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home(hash)]);
  }
  std::uint32_t first_guess(std::uint32_t hash) const noexcept { return slots_.empty() ? none : slots_[home(hash)].place; }
  // It is not there yet.
  void insert(std::uint32_t hash, std::uint32_t place);
  void erase(std::uint32_t hash, std::uint32_t place) noexcept;
  // The key is in another place now.
  void move(std::uint32_t hash, std::uint32_t from, std::uint32_t to) noexcept { slots_[where(hash, from)].place = to; }
  // In bytes.
  std::size_t memory() const noexcept { return slots_.capacity() * sizeof(slot); }
  // Keeps the memory.
  void clear() noexcept;

private:
  struct slot {
    std::uint32_t hash = 0, place = none;
  };
  std::size_t home(std::uint32_t hash) const noexcept { return hash >> shift_; }
  std::size_t where(std::uint32_t hash, std::uint32_t place) const noexcept;
  void put(slot s) noexcept;
  void grow();

  std::vector<slot> slots_;  // a power of two
  std::size_t mask_ = 0, used_ = 0;
  unsigned shift_ = 32;
};

}  // namespace weir::detail
