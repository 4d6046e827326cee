#pragma once
#include <weir/codec.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/detail/time_queue.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// Elements in the order of their event times, of equal ones in the order of arrival, each knowing whether it had a partner.
template <class T> class time_buffer {
public:
  struct entry {
    entry(instant t, T v) : time(t), value(std::move(v)) {}
    instant time;
    T value;
    bool matched = false;
  };

  bool empty() const noexcept { return entries_.empty(); }
  std::size_t size() const noexcept { return entries_.size(); }
  entry& front() noexcept { return entries_.front(); }
  std::span<entry> all() noexcept { return entries_.all(); }
  // Those from `from` to `to`, both included; `from` <= `to`.
  std::span<entry> between(instant from, instant to) noexcept {
    std::size_t const first = entries_.count_before(from);
    return all().subspan(first, entries_.count_up_to(to) - first);
  }
  entry& insert(instant t, T v) {
    value_bytes_ += owned_bytes(v);
    return entries_.add(entry(t, std::move(v)));
  }
  void pop_front() {
    if constexpr (!owns_nothing<T>) value_bytes_ -= value_bytes_ / size();  // whoever took the value has emptied it
    entries_.drop_front(1);
  }
  // In bytes. Of what values have elsewhere the mean goes with each that goes.
  std::size_t memory() const noexcept { return entries_.memory() + value_bytes_; }

  void save(std::vector<std::byte>& to) const {
    encode_state(std::uint64_t{size()}, to);
    for (entry const& e : entries_.all()) {
      encode_state(e.time, to);
      encode_state(e.value, to);
      encode_state(e.matched, to);
    }
  }
  void restore(std::string_view who, std::span<std::byte const>& from) {
    entries_.clear();
    value_bytes_ = 0;
    for (auto n = decode_part<std::uint64_t>(from); n != 0; --n) {
      auto const t = decode_part<instant>(from);
      if (!placeable(t) || (!empty() && t < all().back().time)) throw_damaged_state(who, "it has an impossible event time");
      entry& e = insert(t, decode_part<T>(from));
      e.matched = decode_part<bool>(from);
    }
  }

private:
  time_queue<entry> entries_;
  std::size_t value_bytes_ = 0;
};

}  // namespace weir::detail
