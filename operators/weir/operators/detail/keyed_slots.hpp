#pragma once
#include <weir/detail/owned_bytes.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/slot_index.hpp>
#include <weir/operators/detail/slot_pool.hpp>
#include <weir/operators/time_window.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace weir::detail {

// Rows by key that stay in their places, and whose keys can be forgotten one by one; where they go all at once `keyed_table` does it with
// less. `Row` is made from its key and has a member `key`.
template <class K, class Row> class keyed_slots {
  static constexpr bool one_key = std::is_same_v<K, no_key>;

public:
  // The slot of a key's row, or `no_slot`.
  template <class Q> [[gnu::always_inline]] std::uint32_t find(Q const& key) const {
    if constexpr (one_key) {
      return rows_.size() == 0 ? no_slot : 0;
    } else {
      auto const& wanted = as_looked_up(key);
      return index_.find(hash_of(wanted), [&](std::uint32_t slot) { return rows_[slot].key == wanted; });
    }
  }
  // For a key that has no row.
  template <class Q> std::uint32_t add(Q const& key) {
    std::uint32_t const slot = rows_.add(K(key));
    key_bytes_ += owned_bytes(rows_[slot].key);
    if constexpr (!one_key) index_.insert(hash_of(rows_[slot].key), slot);
    return slot;
  }
  void remove(std::uint32_t slot) {
    if constexpr (!one_key) index_.erase(hash_of(rows_[slot].key), slot);
    key_bytes_ -= owned_bytes(rows_[slot].key);
    rows_.remove(slot);
  }
  void clear() noexcept {
    index_.clear();
    rows_.clear();
    key_bytes_ = 0;
  }

  Row& operator[](std::uint32_t slot) noexcept { return rows_[slot]; }
  Row const& operator[](std::uint32_t slot) const noexcept { return rows_[slot]; }
  Row* find_slot(std::uint32_t slot) noexcept { return rows_.find(slot); }
  std::size_t size() const noexcept { return rows_.size(); }
  // In bytes, without what rows have elsewhere beside their keys.
  std::size_t memory() const noexcept { return rows_.memory() + index_.memory() + key_bytes_; }
  // See slot_pool.
  Row const* another() noexcept { return rows_.another(); }
  // f(row) for each, in no particular order.
  template <class F> void each(F f) const { rows_.each(f); }

private:
  template <class Q> static std::uint32_t hash_of(Q const& key) { return slot_index::mix(key_hash<K>{}(key)); }

  slot_pool<Row> rows_;
  slot_index index_;
  std::size_t key_bytes_ = 0;  // that they have elsewhere
};

}  // namespace weir::detail
