#pragma once
#include <weir/codec.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/instant.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/detail/due_heap.hpp>
#include <weir/operators/detail/keyed_slots.hpp>
#include <weir/operators/detail/row_marks.hpp>
#include <weir/operators/detail/session.hpp>
#include <weir/operators/detail/session_tree.hpp>
#include <weir/operators/detail/slot_pool.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/state_rows.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/time_window.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
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
    drop(gone);
    return kept;
  }
  void remove(std::uint32_t slot) {
    std::uint32_t const key = sessions_[slot].key;
    due_.remove(slot);
    erase_session(sessions_, keys_[key].root, slot);
    drop(slot);
    if (keys_[key].root == no_slot) keys_.remove(key);
  }

  // Whoever changes one says so.
  void note_change(std::uint32_t slot) { changed_.set(slot); }
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

  // In bytes. What the states have elsewhere is sampled, one of them with each call.
  std::size_t memory() {
    if (session const* const s = sessions_.another()) {
      states_.look_at(s->folded);
      if constexpr (Several) reports_.note(s->said.merged.capacity() * sizeof(time_window));
    }
    return keys_.memory() + sessions_.memory() + due_.memory() + changed_.memory() + saved_.memory() +
           gone_.capacity() * sizeof(std::uint64_t) + states_.of(sessions_.size()) + reports_.of(sessions_.size());
  }

  // In a checkpoint: an entry per session, by its number among all that ever began.
  void save_head(std::vector<std::byte>& to) const {
    encode_state(next_seq_, to);
    encode_state(std::uint64_t{sessions_.size()}, to);
  }
  void save_rows(state_writer& to) {
    for (std::uint64_t const seq : gone_) to.erase(name_of(seq));
    gone_.clear();
    changed_.take_each([&](std::size_t slot) {
      session const& s = sessions_[static_cast<std::uint32_t>(slot)];
      std::vector<std::byte> value;
      encode_state(keys_[s.key].key, value);
      encode_session(s, value);
      to.put(name_of(s.seq), std::move(value));
      saved_.set(slot);
    });
  }
  // Takes its part off the head. Returns how many elements are in no window that has fired.
  std::uint64_t restore(std::span<std::byte const>& head, std::span<state_entry const> from, instant watermark) {
    keys_.clear();
    sessions_.clear();
    due_.clear();
    changed_.clear();
    saved_.clear();
    gone_.clear();
    next_seq_ = decode_part<std::uint64_t>(head);
    if (decode_part<std::uint64_t>(head) != from.size()) throw_damaged_state("session_window", "it has lost sessions");
    std::uint64_t waiting = 0;
    for (state_entry const& e : from) waiting += restore_session(e, watermark);
    return waiting;
  }

  // The sessions of another partition whose keys are `mine(key)`, by the watermark that had been reached there. Takes its part off the
  // head. Returns how many elements are in no window that has fired.
  template <class Mine>
  std::uint64_t inherit(std::span<std::byte const>& head, std::span<state_entry const> from, instant watermark, Mine const& mine) {
    session_store old(gap_, allowed_);
    old.restore(head, from, watermark);
    std::uint64_t waiting = 0;
    old.sessions_.each([&](std::uint32_t slot, session const& there) {
      K const& named = old.keys_[there.key].key;
      if (!mine(named)) return;
      session own(std::move(old.sessions_[slot]));
      own.seq += next_seq_;
      own.left = own.right = no_slot;
      own.key = keys_.find(named);
      if (own.key == no_slot) own.key = keys_.add(named);
      else if (touches_another(own.key, own)) throw_damaged_state("session_window", "two partitions have had one key");
      waiting += own.unsaid();
      changed_.set(enter(std::move(own), watermark));
    });
    next_seq_ += old.next_seq_;
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
  static std::string name_of(std::uint64_t seq) {
    std::string name;
    put_in_name(name, seq);
    return name;
  }
  void drop(std::uint32_t slot) {
    if (saved_.has(slot)) gone_.push_back(sessions_[slot].seq);
    changed_.unset(slot);
    saved_.unset(slot);
    sessions_.remove(slot);
  }
  // Whether a session that is not entered yet lies less than the gap from another one of its key.
  bool touches_another(std::uint32_t key, session const& s) const noexcept {
    session_neighbours const n = sessions_around(sessions_, keys_[key].root, s.first);
    return (n.before != no_slot && s.first < end_of(sessions_[n.before])) || (n.behind != no_slot && sessions_[n.behind].first < end_of(s));
  }
  std::uint64_t restore_session(state_entry const& e, instant watermark) {
    std::string_view name = e.key;
    std::uint64_t const seq = take_from_name("session_window", name);
    std::span<std::byte const> value = e.value;
    auto const named = decode_part<K>(value);
    auto s = decode_session<session>(value);
    if (!value.empty()) throw_state_left_over();
    if (!name.empty() || s.seq != seq || seq >= next_seq_ || s.last < s.first || s.first < earliest_event || !placeable(s.last))
      throw_damaged_state("session_window", "it has an impossible session");
    std::uint64_t const waiting = s.unsaid();
    if (end_of(s) + allowed_ <= watermark) {  // it was kept for a larger lateness
      gone_.push_back(seq);
      return waiting;
    }
    std::uint32_t key = keys_.find(named);
    if (key == no_slot) key = keys_.add(named);
    else if (touches_another(key, s)) throw_damaged_state("session_window", "two of its sessions are one");
    s.key = key;
    saved_.set(enter(std::move(s), watermark));
    return waiting;
  }
  instant gap_, allowed_;
  std::uint64_t next_seq_ = 0;
  keyed_slots<K, row> keys_;
  slot_pool<session> sessions_;
  due_heap due_;
  row_marks changed_, saved_;        // since the last checkpoint; by some checkpoint
  std::vector<std::uint64_t> gone_;  // numbers of sessions that checkpoints still have
  sampled_bytes<State> states_;
  sampled_size reports_;
};

}  // namespace weir::detail
