#pragma once
#include <weir/detail/owned_bytes.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/due_heap.hpp>
#include <weir/operators/detail/slot_index.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace weir::detail {

// Keys whose rows are not in memory, and when each has to be there again, at the latest: when its first timer fires or it expires, and when
// its first timer on the clock does.
template <class K> class sleeping_keys {
public:
  void add(std::uint32_t hash, K key, std::uint64_t order, std::optional<instant> due, std::optional<instant> on_clock) {
    auto const place = static_cast<std::uint32_t>(all_.size());
    key_bytes_ += owned_bytes(all_.emplace_back(std::move(key), order, hash).key);
    index_.insert(hash, place);
    if (due) due_.set(place, order, *due);
    if (on_clock) on_clock_.set(place, order, *on_clock);
  }
  template <class Q> bool has(std::uint32_t hash, Q const& key) const { return find(hash, key) != slot_index::none; }
  // It is awake, if it was there.
  template <class Q> void remove(std::uint32_t hash, Q const& key) {
    std::uint32_t const place = find(hash, key);
    if (place == slot_index::none) return;
    due_.remove(place);
    on_clock_.remove(place);
    index_.erase(hash, place);
    key_bytes_ -= owned_bytes(all_[place].key);
    if (auto const last = static_cast<std::uint32_t>(all_.size() - 1); place != last) {
      index_.move(all_[last].hash, last, place);
      due_.move(last, place);
      on_clock_.move(last, place);
      key_bytes_ -= owned_bytes(all_[last].key);
      all_[place] = std::move(all_[last]);
      key_bytes_ += owned_bytes(all_[place].key);  // a short text stays in the memory of the one that was here
    }
    all_.pop_back();
  }
  void clear() noexcept {
    all_.clear();
    index_.clear();
    due_.clear();
    on_clock_.clear();
    key_bytes_ = 0;
  }
  // In bytes.
  std::size_t memory() const noexcept {
    return all_.capacity() * sizeof(sleeper) + index_.memory() + due_.memory() + on_clock_.memory() + key_bytes_;
  }

  due_heap const& due() const noexcept { return due_; }
  due_heap const& on_clock() const noexcept { return on_clock_; }
  // Of the first in one of them.
  K const& first(due_heap const& of) const noexcept { return all_[of.first()].key; }
  std::uint64_t first_order(due_heap const& of) const noexcept { return all_[of.first()].order; }

private:
  struct sleeper {
    sleeper(K k, std::uint64_t o, std::uint32_t h) : key(std::move(k)), order(o), hash(h) {}
    K key;
    std::uint64_t order;
    std::uint32_t hash;
  };
  template <class Q> std::uint32_t find(std::uint32_t hash, Q const& key) const {
    return index_.find(hash, [&](std::uint32_t p) { return all_[p].key == key; });
  }

  std::vector<sleeper> all_;
  slot_index index_;
  due_heap due_, on_clock_;
  std::size_t key_bytes_ = 0;  // that they have elsewhere
};

}  // namespace weir::detail
