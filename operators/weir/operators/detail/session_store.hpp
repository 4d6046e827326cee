#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/detail/due_heap.hpp>
#include <weir/operators/detail/keyed_slots.hpp>
#include <weir/operators/detail/session.hpp>
#include <weir/operators/detail/session_tree.hpp>
#include <weir/operators/detail/slot_pool.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/time_window.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weir::detail {

// The open sessions of all keys: those of each by start, and for each when it is due: it fires, or what is kept of it goes. One that grows
// leaves that alone: the heap is told when the old time comes.
template <class K, class State, bool Several> class session_store {
public:
  using session = detail::session<State, Several>;

  // `allowed`: how long a session that has fired is kept.
  session_store(instant gap, instant allowed) noexcept : gap_(gap), allowed_(allowed) {}

  // The number of a key that has sessions, or `no_slot`.
  template <class Q> std::uint32_t find(Q const& key) const { return keys_.find(key); }
  // One of its sessions: the only one, if it is `alone()`.
  std::uint32_t any_of(std::uint32_t key) const noexcept { return keys_[key].root; }
  session& operator[](std::uint32_t slot) noexcept { return sessions_[slot]; }
  session* find_slot(std::uint32_t slot) noexcept { return sessions_.find(slot); }
  K const& key_of(session const& s) const noexcept { return keys_[s.key].key; }
  time_window window_of(session const& s) const noexcept { return time_window(s.first, end_of(s)); }
  instant end_of(session const& s) const noexcept { return s.last + gap_; }
  template <class F> void each(F f) const { sessions_.each(f); }

  // Those of a key's sessions that an element at t joins.
  session_neighbours joined(std::uint32_t key, instant t) const noexcept {
    session_neighbours n = sessions_around(sessions_, keys_[key].root, t);
    if (n.before != no_slot && !sessions_[n.before].joins(t, gap_)) n.before = no_slot;
    if (n.behind != no_slot && !sessions_[n.behind].joins(t, gap_)) n.behind = no_slot;
    return n;
  }
  // A session without elements at t, which no other joins. `key`: its number, or `no_slot`; `named`: itself.
  template <class Q> std::uint32_t begin(std::uint32_t key, Q const& named, instant t, instant watermark) {
    if (key == no_slot) key = keys_.add(named);
    return enter(session(key, t, next_seq_++), watermark);
  }
  // Two neighbours become one: that which was seen first takes the other over.
  template <class Fold> [[gnu::noinline]] std::uint32_t merge(std::uint32_t a, std::uint32_t b, Fold const& fold) {
    std::uint32_t const kept = sessions_[a].seq < sessions_[b].seq ? a : b, gone = kept == a ? b : a;
    session &k = sessions_[kept], &g = sessions_[gone];
    fold.merge(k.folded, std::as_const(g.folded));
    erase_session(sessions_, keys_[k.key].root, gone);
    k.take_over(g);
    due_.remove(gone);
    sessions_.remove(gone);
    return kept;
  }
  void remove(std::uint32_t slot) {
    std::uint32_t const key = sessions_[slot].key;
    due_.remove(slot);
    erase_session(sessions_, keys_[key].root, slot);
    sessions_.remove(slot);
    if (keys_[key].root == no_slot) keys_.remove(key);
  }

  // After it has fired, or is to fire again.
  void schedule(std::uint32_t slot) { due_.set(slot, sessions_[slot].seq, due(sessions_[slot])); }
  // When one is due at the latest; it may turn out that it has grown. `end_of_time`: there are none.
  instant next_due() const noexcept { return due_.empty() ? end_of_time : due_.first_at(); }
  // The first that is due when the watermark is there, or `no_slot`.
  std::uint32_t first_due(instant watermark) {
    while (due_.due(watermark)) {
      std::uint32_t const slot = due_.first();
      if (due(sessions_[slot]) == due_.first_at()) return slot;
      schedule(slot);
    }
    return no_slot;
  }

  // In a checkpoint: the keys in no particular order, the sessions of each by start.
  void save(std::vector<std::byte>& to) const {
    encode_state(next_seq_, to);
    encode_state(std::uint64_t{keys_.size()}, to);
    keys_.each([&](row const& r) {
      std::uint64_t n = 0;
      each_session(sessions_, r.root, [&n](session const&) { ++n; });
      encode_state(r.key, to);
      encode_state(n, to);
      each_session(sessions_, r.root, [&to](session const& s) { encode_session(s, to); });
    });
  }
  // Returns how many elements are in no window that has fired.
  std::uint64_t restore(std::span<std::byte const>& from, instant watermark) {
    keys_.clear();
    sessions_.clear();
    due_.clear();
    next_seq_ = decode_part<std::uint64_t>(from);
    std::uint64_t waiting = 0;
    for (auto n = decode_part<std::uint64_t>(from); n != 0; --n) waiting += restore_key(from, watermark);
    return waiting;
  }

private:
  struct row {
    explicit row(K k) : key(std::move(k)) {}
    K key;
    std::uint32_t root = no_slot;  // of the tree of its sessions
  };

  instant due(session const& s) const noexcept { return end_of(s) + (s.has_fired() ? allowed_ : 0); }
  std::uint32_t enter(session s, instant watermark) {
    if constexpr (Several) s.said.fired = end_of(s) <= watermark;  // it is kept for late elements
    std::uint32_t const slot = sessions_.add(std::move(s));
    insert_session(sessions_, keys_[sessions_[slot].key].root, slot);
    schedule(slot);
    return slot;
  }
  std::uint64_t restore_key(std::span<std::byte const>& from, instant watermark) {
    auto named = decode_part<K>(from);
    if (keys_.find(named) != no_slot) throw_damaged_state("session_window", "it has a key twice");
    std::uint32_t key = no_slot;
    std::uint64_t waiting = 0;
    instant free_from = earliest_event;
    for (auto n = decode_part<std::uint64_t>(from); n != 0; --n) {
      auto s = decode_session<session>(from);
      if (s.first < free_from || s.last < s.first || !placeable(s.last))
        throw_damaged_state("session_window", "it has an impossible session");
      free_from = end_of(s);
      waiting += s.unsaid();
      if (free_from + allowed_ <= watermark) continue;  // it was kept for a larger lateness
      if (key == no_slot) key = keys_.add(named);
      s.key = key;
      enter(std::move(s), watermark);
    }
    return waiting;
  }

  instant gap_, allowed_;
  std::uint64_t next_seq_ = 0;
  keyed_slots<K, row> keys_;
  slot_pool<session> sessions_;
  due_heap due_;
};

}  // namespace weir::detail
