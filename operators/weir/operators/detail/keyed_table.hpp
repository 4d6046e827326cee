#pragma once
#include <weir/detail/owned_bytes.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/slot_index.hpp>
#include <weir/operators/time_window.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace weir::detail {

// Throws `errc::too_large`: rows are numbered in 4 bytes.
[[noreturn]] void throw_too_many_keys();

// Rows by key, iterated in first-seen order, so that output depends neither on hashing nor on restarts. clear() keeps the memory. `Row` is
// made from its key and has a member `key`.
template <class K, class Row> class keyed_table {
public:
  template <class Q> [[gnu::always_inline]] Row& operator[](Q const& key) {
    if constexpr (std::is_same_v<K, no_key>) {
      if (rows_.empty()) [[unlikely]]
        rows_.emplace_back(key);
      return rows_.front();
    } else {
      auto const& wanted = as_looked_up(key);
      std::uint32_t const hash = hash_of(wanted);
      std::uint32_t const place = index_.find(hash, [&](std::uint32_t i) { return rows_[i].key == wanted; });
      if (place != slot_index::none) [[likely]]
        return rows_[place];
      return add(hash, wanted);
    }
  }
  // Ahead of operator[], some elements before: fetches the index, and then, by what is there, the row.
  template <class Q> [[gnu::always_inline]] void fetch_index(Q const& key) const {
    if constexpr (!std::is_same_v<K, no_key>) index_.fetch(hash_of(key));
  }
  template <class Q> [[gnu::always_inline]] void fetch_row(Q const& key) const {
    if constexpr (!std::is_same_v<K, no_key>)
      if (std::uint32_t const place = index_.first_guess(hash_of(key)); place != slot_index::none) __builtin_prefetch(&rows_[place]);
  }
  auto begin() noexcept { return rows_.begin(); }
  auto end() noexcept { return rows_.end(); }
  auto begin() const noexcept { return rows_.begin(); }
  auto end() const noexcept { return rows_.end(); }
  // Where a row is in the order of first-seen keys.
  std::size_t place_of(Row const& r) const noexcept { return static_cast<std::size_t>(&r - rows_.data()); }
  std::size_t size() const noexcept { return rows_.size(); }
  bool empty() const noexcept { return rows_.empty(); }
  void clear() noexcept {
    index_.clear();
    rows_.clear();
    key_bytes_ = 0;
  }
  // In bytes, without what rows have elsewhere beside their keys.
  std::size_t memory() const noexcept { return rows_.capacity() * sizeof(Row) + index_.memory() + key_bytes_; }

private:
  template <class Q> static std::uint32_t hash_of(Q const& key) { return slot_index::mix(key_hash<K>{}(as_looked_up(key))); }
  template <class Q> [[gnu::noinline]] Row& add(std::uint32_t hash, Q const& key) {
    if (rows_.size() == slot_index::none) throw_too_many_keys();
    if (rows_.size() == rows_.capacity()) rows_.reserve(rows_.size() + rows_.size() / 2 + 8);  // doubling would leave half of it unused
    Row& fresh = rows_.emplace_back(K(key));
    key_bytes_ += owned_bytes(fresh.key);
    index_.insert(hash, static_cast<std::uint32_t>(rows_.size() - 1));
    return fresh;
  }

  std::vector<Row> rows_;
  slot_index index_;
  std::size_t key_bytes_ = 0;  // that they have elsewhere
};

}  // namespace weir::detail
