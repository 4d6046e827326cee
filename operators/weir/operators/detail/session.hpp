#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/slot_pool.hpp>
#include <weir/operators/time_window.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace weir::detail {

// What was said about a session, where several things may be.
struct session_reports {
  bool fired = false;               // the watermark has passed its end; it is kept for late elements
  bool changed = false;             // since its last result
  std::uint32_t next = 0;           // revision
  std::uint64_t waiting = 0;        // its elements that were in no window which has fired
  time_window given;                // the window of its last result; empty: there was none
  std::vector<time_window> merged;  // those of sessions that have become part of it since then

  // The session that `o` is about is part of this one now.
  void take_over(session_reports const& o) {
    next = std::max(next, o.next);
    waiting += o.waiting;
    if (o.given != time_window()) merged.push_back(o.given);
    merged.insert(merged.end(), o.merged.begin(), o.merged.end());
  }
};
struct no_session_reports {};

// The elements of a key whose event times follow each other by less than the gap. They lie in [first, last].
template <class State, bool Several> struct session {
  static constexpr bool several = Several;
  static constexpr std::size_t folded_at = 2 * sizeof(instant) + 2 * sizeof(std::uint64_t);
  session(std::uint32_t of_key, instant t, std::uint64_t s) : first(t), last(t), seq(s), key(of_key) {}

  bool holds(instant t) const noexcept { return first <= t && t <= last; }
  bool joins(instant t, instant gap) const noexcept { return t < last + gap && first < t + gap; }
  // The only one of its key.
  bool alone() const noexcept { return left == no_slot && right == no_slot; }
  bool has_fired() const noexcept {
    if constexpr (Several) return said.fired;
    else return false;
  }
  // How many of its elements are in no window that has fired.
  std::uint64_t unsaid() const noexcept {
    if constexpr (Several) return said.waiting;
    else return elements;
  }
  // All but the folded state.
  void take_over(session const& o) {
    first = std::min(first, o.first);
    last = std::max(last, o.last);
    elements += o.elements;
    if constexpr (Several) said.take_over(o.said);
  }

  instant first, last;
  std::uint64_t seq;  // the first seen has the lowest
  std::uint64_t elements = 0;
  std::uint32_t key;  // its number
  std::uint32_t left = no_slot, right = no_slot;
  State folded{};
  [[no_unique_address]] std::conditional_t<Several, session_reports, no_session_reports> said;
};

// In a checkpoint: all but its places in memory, and whether it has fired, which its end tells. The folded state is at `folded_at`.
template <class State, bool Several> void encode_session(session<State, Several> const& s, std::vector<std::byte>& to) {
  encode_state(s.first, to);
  encode_state(s.last, to);
  encode_state(s.seq, to);
  encode_state(s.elements, to);
  encode_state(s.folded, to);
  if constexpr (Several) {
    encode_state(s.said.changed, to);
    encode_state(s.said.next, to);
    encode_state(s.said.waiting, to);
    encode_state(s.said.given, to);
    encode_state(s.said.merged, to);
  }
}
template <class Session> Session decode_session(std::span<std::byte const>& from) {
  Session s(no_slot, decode_part<instant>(from), 0);
  s.last = decode_part<instant>(from);
  s.seq = decode_part<std::uint64_t>(from);
  s.elements = decode_part<std::uint64_t>(from);
  s.folded = decode_part<decltype(s.folded)>(from);
  if constexpr (Session::several) {
    s.said.changed = decode_part<bool>(from);
    s.said.next = decode_part<std::uint32_t>(from);
    s.said.waiting = decode_part<std::uint64_t>(from);
    s.said.given = decode_part<time_window>(from);
    s.said.merged = decode_part<std::vector<time_window>>(from);
  }
  return s;
}

}  // namespace weir::detail
