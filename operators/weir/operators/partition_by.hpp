#pragma once
#include <weir/detail/owned_bytes.hpp>
#include <weir/error.hpp>
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/held_marks.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {

/// The elements of one key: `auto& [key, values] = *group;`.
template <class K, class T> struct group {
  group(K k, std::vector<T> v) : key(std::move(k)), values(std::move(v)) {}
  K key;
  std::vector<T> values;  ///< in the order in which they came; never empty
};

/// How much `partition_by` may hold.
struct partition_by_options {
  /// Elements in the whole batch, 1 to 4,294,967,295: more is a failure, so that a stream without end does not fill memory silently.
  std::size_t max_elements = 1'000'000;
};

namespace detail {

void check_partition_by(partition_by_options o);
[[noreturn]] void throw_batch_too_large(std::size_t max_elements);

// Elements are kept in one piece with the number of their group, so that each group's vector is made once, at its size.
template <class T, class Key, class Time> class partition_by_stage {
  using key_type = owned_key<Key, T>;
  struct part {
    part(key_type k, Time t) : key(std::move(k)), time(t) {}
    key_type key;
    std::uint32_t count = 0;
    [[no_unique_address]] Time time;
  };

public:
  static constexpr bool may_hold = true;
  partition_by_stage(Key key, std::size_t max_elements) : key_(std::move(key)), max_(max_elements) {}

  bool element(T& x, Time t, auto) {
    if (elements_.size() == max_) [[unlikely]]
      throw_batch_too_large(max_);
    std::uint32_t const n = part_of(std::invoke(key_, std::as_const(x)), t);
    elements_.push_back(std::move(x));
    part_of_.push_back(n);
    part& p = parts_[n];
    ++p.count;
    p.time = later(p.time, t);
    return true;
  }
  bool mark(weir::mark const& m, auto down) {
    if (m.kind == mark_kind::stop) forget();  // everything comes again
    if (elements_.empty()) return down.mark(m);
    marks_.add(m, elements_.size());
    return true;
  }
  bool finish(auto down) {
    std::size_t const all = elements_.size();
    std::vector<std::vector<T>> values(parts_.size());
    for (std::size_t i = 0; i != parts_.size(); ++i) values[i].reserve(parts_[i].count);
    for (std::size_t i = 0; i != elements_.size(); ++i) values[part_of_[i]].push_back(std::move(elements_[i]));
    std::vector<T>().swap(elements_);
    for (std::size_t i = 0; i != parts_.size(); ++i) {
      group<key_type, T> g(std::move(parts_[i].key), std::move(values[i]));
      down.element(g, parts_[i].time);
    }
    marks_.release(down, all);
    forget();
    return down.finish();
  }
  bool holds() const noexcept { return !elements_.empty(); }
  static constexpr std::string_view memory_name = "partition_by";
  std::size_t memory() {
    if (!parts_.empty()) keys_.look_at(parts_.back().key);
    return sizes_.memory_of(elements_) + part_of_.capacity() * sizeof(std::uint32_t) + parts_.capacity() * sizeof(part) +
           index_.bucket_count() * (sizeof(key_type) + 2 * sizeof(std::uint32_t)) + 2 * keys_.of(parts_.size());
  }

private:
  template <class K> std::uint32_t part_of(K&& key, Time t) {
    auto const fresh = static_cast<std::uint32_t>(parts_.size());
    if constexpr (is_text<std::remove_cvref_t<K>>) {
      std::string_view const text(key);
      if (auto const it = index_.find(text); it != index_.end()) [[likely]]
        return it->second;
      index_.emplace(key_type(text), fresh);
      parts_.emplace_back(key_type(text), t);
      return fresh;
    } else {
      auto const [it, added] = index_.try_emplace(key, fresh);
      if (added) parts_.emplace_back(it->first, t);
      return it->second;
    }
  }
  void forget() noexcept {
    elements_.clear();
    part_of_.clear();
    parts_.clear();
    index_.clear();
    marks_.clear();
  }

  [[no_unique_address]] Key key_;
  std::size_t max_;
  boost::unordered_flat_map<key_type, std::uint32_t, key_hash<key_type>, std::equal_to<>> index_;
  std::vector<part> parts_;  // in first-seen order
  std::vector<T> elements_;
  sampled_bytes<T> sizes_;
  sampled_bytes<key_type> keys_;
  std::vector<std::uint32_t> part_of_;
  held_marks marks_;
};

template <class Key> class partition_by_description {
public:
  using operator_tag = void;
  partition_by_description(Key key, partition_by_options o) : key_(std::move(key)), options_(o) { check_partition_by(o); }
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    using element = typename shape::element;
    using time = std::conditional_t<shape::has_time, timestamp, untimed>;
    static_assert(gives_key<Key, element>, "weir: partition_by's function must take this element, by const reference, and return its key");
    if constexpr (!gives_key<Key, element>) {
      return rejected();
    } else {
      using key = owned_key<Key, element>;
      static_assert(hashable_key<key> && std::copy_constructible<key>,
                    "weir: a key needs operator==, std::hash (or Boost's hash_value), and to be copyable");
      if constexpr (!hashable_key<key> || !std::copy_constructible<key>) {
        return rejected();
      } else {
        return std::forward<Chain>(c).with(same_time<shape, group<key, element>>(),
                                           partition_by_stage<element, Key, time>(std::move(key_), options_.max_elements));
      }
    }
  }

private:
  Key key_;
  partition_by_options options_;
};

}  // namespace detail

/// Sorts a bounded batch into groups by key: keys in first-seen order, elements of a key in their order.
///
/// Buffers the whole input (twice, while it makes the groups) and emits `group{key, values}` when the data ends. For batches only;
/// `key_by` is its sibling for streams without end. `key` takes the element by const reference, or is a pointer to a member; keys
/// are compared with == and hashed by `std::hash` or Boost's `hash_value`; a key that is text is kept as a `std::string`, so
/// a view of the element will do.
/// On a timed stream a group has the latest event time in it. Marks wait for the groups: a checkpoint is done only when all are.
/// - Emits when: the data has ended.   Backpressures: never before.
/// - Completes when: upstream completes; a stream that was stopped (drain, lost lease) emits nothing, its elements come again.
/// - Fails when: upstream or `key` fails, then without groups.   Cancelled: at the next chunk.
/// State: none; all elements are held unacknowledged.   `max_elements`: 1 to 4,294,967,295, default 1,000,000.
/// Errors: `errc::invalid_option` when built; `errc::too_large` for a larger batch.   Source: SQL's GROUP BY, in arrival order.
template <class Key> auto partition_by(Key key, partition_by_options options = {}) {
  return detail::partition_by_description<Key>(std::move(key), options);
}

}  // namespace weir
