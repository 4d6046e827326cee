#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/timer_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// What every key has. `order` is that in which the keys were first seen.
template <class K, class State, class EventTimers = no_timers<0>, class ClockTimers = no_timers<1>> struct keyed_row {
  keyed_row(K k, State s) : key(std::move(k)), state(std::move(s)) {}
  instant next(instant expiry) const noexcept {
    if constexpr (EventTimers::possible)
      if (!timers.empty()) return std::min(timers.first(), expiry);
    return expiry;
  }
  // In a checkpoint; the key is its entry's name.
  void save(std::vector<std::byte>& to) const {
    encode_state(order, to);
    encode_state(state, to);
    encode_state(touched, to);
    timers.save(to);
    clock_timers.save(to);
  }
  // Throws errc::corrupt for what is none, and errc::incompatible where there are timers of a kind that it has no place for.
  static keyed_row restored(std::string_view who, K key, std::span<std::byte const> from, bool with_timers, bool with_clock_timers) {
    auto const order = decode_part<std::uint64_t>(from);
    keyed_row r(std::move(key), decode_part<State>(from));
    r.order = order;
    r.touched = decode_part<instant>(from);
    if (with_timers) restore_timers(who, r.timers, from);
    if (with_clock_timers) restore_timers(who, r.clock_timers, from);
    if (!from.empty()) throw_state_left_over();
    return r;
  }

  K key;
  State state;
  std::uint64_t order = 0;
  instant touched = start_of_time;
  [[no_unique_address]] EventTimers timers;
  [[no_unique_address]] ClockTimers clock_timers;
};

}  // namespace weir::detail
