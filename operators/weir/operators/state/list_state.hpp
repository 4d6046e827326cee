#pragma once
#include <weir/codec.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/detail/schema_text.hpp>
#include <weir/detail/state_bytes.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/time_queue.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// A list in the state of `process`, in the order of event time; values of one time as they came, those without a time last. Values may
/// expire: `drop_before(t)` takes those away whose time is before `t`.
/// ```cpp
/// s.failures.add(login.address, c.time());
/// s.failures.drop_before(c.earlier(5min));
/// if (s.failures.size() >= 3) c.emit(...);
/// ```
/// Adding in order and dropping cost O(1) amortised and allocate nothing once the greatest length was seen; a value out of order moves
/// those behind it. Memory: 32 bytes, and 8 bytes more than the value for each; what was dropped may stay until as much has been dropped as
/// is kept.   Strand only.
template <class T> class list_state {
public:
  struct entry {
    entry(instant t, T v) : time(t), value(std::move(v)) {}
    instant time;
    T value;
  };

  void add(T value) { entries_.add(entry(end_of_time, std::move(value))); }
  void add(T value, instant time) { entries_.add(entry(time, std::move(value))); }
  /// How many went.
  std::size_t drop_before(instant t) {
    std::size_t const n = entries_.count_before(t);
    entries_.drop_front(n);
    return n;
  }
  void clear() noexcept { entries_.clear(); }

  std::size_t size() const noexcept { return entries_.size(); }
  bool empty() const noexcept { return entries_.empty(); }
  /// In bytes, as if each entry had as much elsewhere as the last.
  std::size_t memory() const { return entries_.memory() + (empty() ? 0 : size() * detail::owned_bytes(back().value)); }
  /// `for (auto const& [time, value] : list)`.
  auto begin() const noexcept { return entries_.all().begin(); }
  auto end() const noexcept { return entries_.all().end(); }
  entry const& operator[](std::size_t i) const noexcept { return entries_.all()[i]; }
  entry const& front() const noexcept { return entries_.all().front(); }
  entry const& back() const noexcept { return entries_.all().back(); }

private:
  detail::time_queue<entry> entries_;
};

/// In a checkpoint: the number of values, and each with its time.
template <encodable T> struct codec<list_state<T>> {
  static void encode(list_state<T> const& list, std::vector<std::byte>& to) {
    detail::put_size(to, list.size());
    for (auto const& [time, value] : list) {
      encode_state(time, to);
      encode_state(value, to);
    }
  }
  static list_state<T> decode(std::span<std::byte const>& from) {
    list_state<T> list;
    for (std::size_t n = detail::take_size(from, sizeof(instant) + 1); n != 0; --n) {
      auto const time = decode_part<instant>(from);
      list.add(decode_part<T>(from), time);
    }
    return list;
  }
  static std::string schema() { return detail::schema_of_parts("list_state", {schema_of<T>()}); }
};

}  // namespace weir
