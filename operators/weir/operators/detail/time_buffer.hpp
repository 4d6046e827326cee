#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/time_limits.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// Elements in the order of their event times, of equal ones in the order of arrival. They mostly come at the end and go at the front, so it
// is one piece of memory, of which at most half is given up at the front.
template <class T> class time_buffer {
public:
  struct entry {
    entry(instant t, T v) : time(t), value(std::move(v)) {}
    instant time;
    T value;
    bool matched = false;
  };

  bool empty() const noexcept { return first_ == entries_.size(); }
  std::size_t size() const noexcept { return entries_.size() - first_; }
  entry& front() noexcept { return entries_[first_]; }
  std::span<entry> all() noexcept { return std::span<entry>(entries_).subspan(first_); }
  std::span<entry const> all() const noexcept { return std::span<entry const>(entries_).subspan(first_); }
  // Those from `from` to `to`, both included.
  std::span<entry> between(instant from, instant to) noexcept {
    auto const every = all();
    auto const a = std::lower_bound(every.begin(), every.end(), from, [](entry const& e, instant t) { return e.time < t; });
    auto const b = std::upper_bound(a, every.end(), to, [](instant t, entry const& e) { return t < e.time; });
    return std::span<entry>(a, b);
  }
  entry& insert(instant t, T v) {
    auto at = entries_.end();
    auto const first = entries_.begin() + static_cast<std::ptrdiff_t>(first_);
    if (at != first && std::prev(at)->time > t) at = std::upper_bound(first, at, t, [](instant x, entry const& e) { return x < e.time; });
    return *entries_.emplace(at, t, std::move(v));
  }
  void pop_front() {
    if (++first_ < entries_.size() / 2 + 1) return;
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

  void save(std::vector<std::byte>& to) const {
    encode_state(std::uint64_t{size()}, to);
    for (entry const& e : all()) {
      encode_state(e.time, to);
      encode_state(e.value, to);
      encode_state(e.matched, to);
    }
  }
  void restore(std::string_view who, std::span<std::byte const>& from) {
    entries_.clear();
    first_ = 0;
    for (auto n = decode_part<std::uint64_t>(from); n != 0; --n) {
      auto const t = decode_part<instant>(from);
      if (!placeable(t) || (!entries_.empty() && t < entries_.back().time)) throw_damaged_state(who, "it has an impossible event time");
      entry& e = entries_.emplace_back(t, decode_part<T>(from));
      e.matched = decode_part<bool>(from);
    }
  }

private:
  std::vector<entry> entries_;
  std::size_t first_ = 0;
};

}  // namespace weir::detail
