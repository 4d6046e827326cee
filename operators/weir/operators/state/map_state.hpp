#pragma once
#include <weir/codec.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/detail/schema_text.hpp>
#include <weir/detail/state_bytes.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/slot_index.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// A map in the state of `process`, for entries that belong to one key of the stream. Entries may expire: `drop_before(t)` takes those away
/// whose time is before `t`; those without a time stay.
/// ```cpp
/// s.seen.put(login.device, true, c.time());
/// s.seen.drop_before(c.earlier(24h));           // a time to live of a day since the last use
/// ```
/// Iterated in the order in which entries came, but the last one takes the place of one that goes; so a run that was restored iterates
/// like one that was not. Finding, putting and erasing cost O(1) and allocate nothing once the greatest size was seen. `drop_before` looks
/// at all entries, and at none when nothing can have expired. Memory: 88 bytes, and per entry key, value, 8 bytes, and from the ninth on 14
/// to 27 for the index.   Strand only.
template <detail::hashable_key K, class V> class map_state {
public:
  struct entry {
    entry(K k, V v, instant t) : key(std::move(k)), value(std::move(v)), time(t) {}
    K key;
    V value;
    instant time;
  };

  /// The value, to be read or changed; null: there is none.
  V* find(K const& key) {
    std::size_t const i = place(key);
    return i == entries_.size() ? nullptr : &entries_[i].value;
  }
  V const* find(K const& key) const {
    std::size_t const i = place(key);
    return i == entries_.size() ? nullptr : &entries_[i].value;
  }
  bool contains(K const& key) const { return find(key) != nullptr; }
  /// Puts a value in, or in the place of the one that is there.
  V& put(K key, V value) { return put(std::move(key), std::move(value), end_of_time); }
  V& put(K key, V value, instant time) {
    oldest_ = std::min(oldest_, time);
    if (std::size_t const i = place(key); i != entries_.size()) {
      entries_[i].value = std::move(value);
      entries_[i].time = time;
      return entries_[i].value;
    }
    return append(entry(std::move(key), std::move(value), time));
  }
  /// The value; a value-initialised one without a time is put in where there is none.
  V& operator[](K const& key) {
    if (V* const found = find(key)) return *found;
    return append(entry(key, V(), end_of_time));
  }
  /// Whether there was one.
  bool erase(K const& key) {
    std::size_t const i = place(key);
    if (i == entries_.size()) return false;
    drop(i);
    return true;
  }
  /// How many went.
  std::size_t drop_before(instant t) {
    if (t <= oldest_) return 0;
    std::size_t const before = entries_.size();
    oldest_ = end_of_time;
    for (std::size_t i = 0; i != entries_.size();) {
      if (entries_[i].time < t) {
        drop(i);
      } else {
        oldest_ = std::min(oldest_, entries_[i].time);
        ++i;
      }
    }
    return before - entries_.size();
  }
  void clear() noexcept {
    entries_.clear();
    index_.clear();
    oldest_ = end_of_time;
  }

  std::size_t size() const noexcept { return entries_.size(); }
  bool empty() const noexcept { return entries_.empty(); }
  /// In bytes, as if each entry had as much elsewhere as the last.
  std::size_t memory() const {
    std::size_t const elsewhere = empty() ? 0 : detail::owned_bytes(entries_.back().key) + detail::owned_bytes(entries_.back().value);
    return entries_.capacity() * sizeof(entry) + index_.memory() + size() * elsewhere;
  }
  /// `for (auto const& [key, value, time] : map)`.
  auto begin() const noexcept { return entries_.begin(); }
  auto end() const noexcept { return entries_.end(); }

private:
  // So few are looked through.
  static constexpr std::size_t few = 8;
  static std::uint32_t hash_of(K const& key) { return detail::slot_index::mix(detail::key_hash<K>{}(key)); }

  std::size_t place(K const& key) const {
    if (entries_.size() <= few) {
      std::size_t i = 0;
      while (i != entries_.size() && !(entries_[i].key == key)) ++i;
      return i;
    }
    auto const i = index_.find(hash_of(key), [&](std::uint32_t p) { return entries_[p].key == key; });
    return i == detail::slot_index::none ? entries_.size() : i;
  }
  V& append(entry e) {
    entries_.push_back(std::move(e));
    if (entries_.size() == few + 1) {
      for (std::size_t i = 0; i != few; ++i) enter(i);
    }
    if (entries_.size() > few) enter(entries_.size() - 1);
    return entries_.back().value;
  }
  void enter(std::size_t i) { index_.insert(hash_of(entries_[i].key), static_cast<std::uint32_t>(i)); }
  void drop(std::size_t i) {
    std::size_t const last = entries_.size() - 1;
    if (last == few) {
      for (std::size_t j = 0; j <= last; ++j) index_.erase(hash_of(entries_[j].key), static_cast<std::uint32_t>(j));
    } else if (last > few) {
      index_.erase(hash_of(entries_[i].key), static_cast<std::uint32_t>(i));
      if (i != last) index_.move(hash_of(entries_[last].key), static_cast<std::uint32_t>(last), static_cast<std::uint32_t>(i));
    }
    if (i != last) entries_[i] = std::move(entries_[last]);
    entries_.pop_back();
  }

  std::vector<entry> entries_;
  detail::slot_index index_;
  instant oldest_ = end_of_time;  // nothing is older
};

/// In a checkpoint: the number of entries, and each with its time.
template <encodable K, encodable V> struct codec<map_state<K, V>> {
  static void encode(map_state<K, V> const& map, std::vector<std::byte>& to) {
    detail::put_size(to, map.size());
    for (auto const& [key, value, time] : map) {
      encode_state(key, to);
      encode_state(value, to);
      encode_state(time, to);
    }
  }
  static map_state<K, V> decode(std::span<std::byte const>& from) {
    map_state<K, V> map;
    for (std::size_t n = detail::take_size(from, sizeof(instant) + 1); n != 0; --n) {
      K key = decode_part<K>(from);
      V value = decode_part<V>(from);
      map.put(std::move(key), std::move(value), decode_part<instant>(from));
    }
    return map;
  }
  static std::string schema() { return detail::schema_of_parts("map_state", {schema_of<K>(), schema_of<V>()}); }
};

}  // namespace weir
