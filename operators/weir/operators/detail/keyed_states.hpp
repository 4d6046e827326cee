#pragma once
#include <weir/codec.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/heir.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/detail/due_heap.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/keyed_row.hpp>
#include <weir/operators/detail/recency_list.hpp>
#include <weir/operators/detail/row_marks.hpp>
#include <weir/operators/detail/rows_outside.hpp>
#include <weir/operators/detail/slot_index.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/state_rows.hpp>
#include <weir/operators/detail/working_set.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/key_counts.hpp>
#include <weir/read_through.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::detail {

// The states of keys, with what is due for each: its next timer, or its expiry. Rows lie densely; a key that goes leaves its place to
// the last one. The heap may have a key too early, never too late: prolonging its life or putting a timer off touches only the row.
//
// With a working set, rows that are committed leave memory, those first that were not changed for longest, and are read when they are
// asked for; of a key that is due some time the key and that time stay.
template <class K, class Row, class Expiry, class Kept = all_in_memory> class keyed_states {
  static constexpr bool has_timers = decltype(Row::timers)::possible, has_clock_timers = decltype(Row::clock_timers)::possible;
  static constexpr bool reads_through = Kept::reads_through, falls_due = Expiry::expires || has_timers || has_clock_timers;

public:
  // `counts`: where the books are kept, from zero; null for books of its own.
  keyed_states(Expiry e, std::shared_ptr<key_counts> counts, Kept kept = Kept())
      : outside_(std::move(kept)), expiry_(std::move(e)), counts_(counts ? std::move(counts) : std::make_shared<key_counts>()) {
    *counts_ = key_counts();
  }

  // The key's row, alive at `t`. `fresh()` makes the state of a key that has none.
  template <class Q, class Fresh> [[gnu::always_inline]] Row& touch(Q const& key, instant t, Fresh const& fresh) {
    auto const& wanted = as_looked_up(key);
    std::uint32_t const hash = hash_of(wanted);
    std::uint32_t const place = index_.find(hash, [&](std::uint32_t p) { return rows_[p].key == wanted; });
    if (place != slot_index::none) [[likely]] {
      touch(rows_[place], t);
      return rows_[place];
    }
    if constexpr (reads_through) {
      if (Row* const stored = wake(hash, wanted)) {
        touch(*stored, t);
        return *stored;
      }
    }
    Row& r = add(hash, K(wanted), fresh());
    r.touched = t;
    note_change(r);
    if constexpr (Expiry::expires) reschedule(r);
    return r;
  }
  void touch(Row& r, instant t) {
    r.touched = std::max(r.touched, t);
    note_change(r);
  }
  // Whoever changes a row without touching it, or its timers, says so.
  void note_change(Row const& r) { changed_.set(place_of(r)); }
  void count_late() noexcept { ++counts_->late; }

  // After the row's timers have changed. What became later is left to the heap's next look.
  void reschedule(Row& r) {
    if (!Expiry::expires && r.timers.empty()) return;
    std::uint32_t const place = place_of(r);
    instant const at = r.next(expiry_.expiry_of(r.touched));
    if (!due_.has(place) || due_.at(place) > at) due_.set(place, r.order, at);
  }
  void reschedule_clock(Row& r) {
    if (r.clock_timers.empty()) on_clock_.remove(place_of(r));
    else on_clock_.set(place_of(r), r.order, r.clock_timers.first());
  }

  // The row whose timer is to fire first of all up to `until`; keys that expire before it are gone by then. Null: nothing is left.
  Row* next_timer(instant until) {
    while (due(until)) {
      if constexpr (reads_through) {
        if (comes_first(outside_.asleep.due(), due_)) {
          wake_first(outside_.asleep.due());
          continue;
        }
      }
      std::uint32_t const place = due_.first();
      Row& r = rows_[place];
      if (!Expiry::expires && r.timers.empty()) {
        due_.remove(place);
        continue;
      }
      instant const expiry = expiry_.expiry_of(r.touched);
      if (instant const at = r.next(expiry); at > due_.first_at()) {
        due_.set(place, r.order, at);
        continue;
      }
      if constexpr (has_timers)
        if (!r.timers.empty() && r.timers.first() <= expiry) return &r;
      ++counts_->expired;
      drop(place);
    }
    return nullptr;
  }
  bool due(instant until) const noexcept {
    if constexpr (reads_through)
      if (outside_.asleep.due().due(until)) return true;
    return due_.due(until);
  }
  Row* next_clock_timer(instant now) {
    if constexpr (reads_through) {
      due_heap const& asleep = outside_.asleep.on_clock();
      if (asleep.due(now) && comes_first(asleep, on_clock_)) wake_first(asleep);
    }
    return on_clock_.due(now) ? &rows_[on_clock_.first()] : nullptr;
  }
  bool any_clock_timer() const noexcept {
    if constexpr (reads_through)
      if (!outside_.asleep.on_clock().empty()) return true;
    return has_clock_timers && !on_clock_.empty();
  }

  void forget(Row& r) {
    ++counts_->forgotten;
    drop(place_of(r));
  }

  // In bytes. What states and timers have elsewhere is sampled, one key with each call.
  std::size_t memory() {
    if (!rows_.empty()) {
      Row const& r = rows_[turn_++ % rows_.size()];
      states_.look_at(r.state);
      if constexpr (has_timers || has_clock_timers) timers_.note(r.timers.memory() + r.clock_timers.memory());
    }
    return rows_.capacity() * sizeof(Row) + index_.memory() + due_.memory() + on_clock_.memory() + changed_.memory() + saved_.memory() +
           gone_.capacity() * sizeof(std::string) + key_bytes_ + states_.of(rows_.size()) + timers_.of(rows_.size()) + outside_.memory();
  }

  // Before `restore`, with a working set.
  void read_from(read_through const& stored) { outside_.stored = stored; }

  // In a checkpoint: an entry per key, with the state behind so many bytes. Places are not part of it.
  static constexpr std::size_t state_at = sizeof(std::uint64_t);
  void save_head(std::vector<std::byte>& to) const {
    encode_state(*counts_, to);
    encode_kinds(to);
    encode_state(next_order_, to);
  }
  void save_rows(state_writer& to) {
    for (std::string& name : gone_) to.erase(std::move(name));
    gone_.clear();
    put_changed(to, [](std::size_t) {});
  }
  // With a working set: as entries that are read through.
  void save_rows(state_writer& to, read_through const& stored) {
    outside_.stored = stored;
    if (std::exchange(outside_.unmarked, false)) to.put(std::string(rows_left_in_store), {});
    if (std::exchange(outside_.adopting, false)) to.erase_prefix("=");
    outside_.erased.forget_committed(stored);
    state_writer rows = to.read_through();
    for (std::string& name : gone_) {
      rows.erase(name);
      outside_.erased.passes(std::move(name), stored.passing());
    }
    gone_.clear();
    put_changed(rows, [&](std::size_t place) { outside_.recent.note(static_cast<std::uint32_t>(place), stored.passing()); });
    while (rows_.size() > outside_.most) {
      std::uint32_t const place = outside_.recent.oldest();
      if (place == recency_list::none || !stored.committed(outside_.recent.stamp(place))) break;
      leave_memory(place);
    }
    if (rows_.capacity() / 4 > std::max(rows_.size(), outside_.most)) rows_.shrink_to_fit();  // after a burst
  }
  // Takes its part off the head.
  void restore(std::string_view who, std::span<std::byte const>& head, std::span<state_entry const> from) {
    rows_.clear();
    index_.clear();
    due_.clear();
    on_clock_.clear();
    if constexpr (reads_through) outside_.clear();
    changed_.clear();
    saved_.clear();
    gone_.clear();
    key_bytes_ = 0;
    bool const left_in_store = !from.empty() && from.back().key == rows_left_in_store;
    if (left_in_store) from = from.first(from.size() - 1);
    if (!reads_through && left_in_store)
      throw_foreign_state(who, "some of its keys are in the store only, which needs a working set: .working_set(n)");
    *counts_ = decode_part<key_counts>(head);
    auto const with_timers = decode_part<bool>(head), with_clock_timers = decode_part<bool>(head);
    auto const behind_last = decode_part<std::uint64_t>(head);
    // The head speaks for all rows: where kinds of timers have come or gone, all are written anew.
    bool const as_before = with_timers == has_timers && with_clock_timers == has_clock_timers;
    if constexpr (reads_through) {
      outside_.unmarked = !left_in_store;
      outside_.adopting = !left_in_store;
      if (left_in_store) {
        if (!from.empty()) throw_damaged_state(who, "it has rows of two kinds");
        next_order_ = behind_last;
        return find_outside(who, falls_due || with_timers || with_clock_timers);
      }
    }
    if (std::exchange(counts_->open, 0) != from.size()) throw_damaged_state(who, "it has lost keys");
    next_order_ = 0;
    for (auto const& [order, i] : first_seen_first(from)) {
      if (order < next_order_) throw_damaged_state(who, "two keys were first seen at once");
      next_order_ = order + 1;
      auto key = key_of_row<K>(who, from[i].key);
      std::uint32_t const hash = hash_of(key);
      if (index_.find(hash, [&](std::uint32_t p) { return rows_[p].key == key; }) != slot_index::none)
        throw_damaged_state(who, "it has a key twice");
      Row& r = enter(hash, Row::restored(who, std::move(key), from[i].value, with_timers, with_clock_timers));
      ++counts_->open;
      schedule(r);
      if (reads_through || !as_before) changed_.set(place_of(r));
      if constexpr (!reads_through) saved_.set(place_of(r));
    }
    if (behind_last < next_order_) throw_damaged_state(who, "a key was first seen behind the last");
    next_order_ = behind_last;
  }

  // The rows of another partition that are `mine(key)`, and its books if the rest goes over. Takes its part off the head.
  template <class Mine>
  void inherit(std::string_view who, std::span<std::byte const>& head, std::span<state_entry const> from, Mine const& mine, heir const& by)
    requires(!reads_through)
  {
    keyed_states old(expiry_, nullptr);
    old.restore(who, head, from);
    for (Row& r : old.rows_) {
      if (!mine(r.key)) continue;
      std::uint32_t const hash = hash_of(r.key);
      if (index_.find(hash, [&](std::uint32_t p) { return rows_[p].key == r.key; }) != slot_index::none)
        throw_damaged_state(who, "two partitions have had one key");
      Row& own = enter(hash, std::move(r));
      own.order += next_order_;
      ++counts_->open;
      note_change(own);
      schedule(own);
    }
    next_order_ += old.next_order_;
    if (!by.takes_rest()) return;
    counts_->expired += old.counts_->expired;
    counts_->forgotten += old.counts_->forgotten;
    counts_->timers_dropped += old.counts_->timers_dropped;
    counts_->late += old.counts_->late;
  }

private:
  std::uint32_t place_of(Row const& r) const noexcept { return static_cast<std::uint32_t>(&r - rows_.data()); }
  template <class Q> static std::uint32_t hash_of(Q const& key) { return slot_index::mix(key_hash<K>{}(key)); }

  // The entries by the order in which their keys were first seen, which each begins with.
  static std::vector<std::pair<std::uint64_t, std::size_t>> first_seen_first(std::span<state_entry const> from) {
    std::vector<std::pair<std::uint64_t, std::size_t>> all;
    all.reserve(from.size());
    for (std::size_t i = 0; i != from.size(); ++i) {
      std::span<std::byte const> value = from[i].value;
      all.emplace_back(decode_part<std::uint64_t>(value), i);
    }
    std::ranges::sort(all);
    return all;
  }
  template <class State> [[gnu::noinline]] Row& add(std::uint32_t hash, K key, State state) {
    Row& r = enter(hash, Row(std::move(key), std::move(state)));
    r.order = next_order_++;
    ++counts_->open;
    return r;
  }
  Row& enter(std::uint32_t hash, Row row) {
    Row& r = rows_.emplace_back(std::move(row));
    key_bytes_ += owned_bytes(r.key);
    index_.insert(hash, static_cast<std::uint32_t>(rows_.size() - 1));
    return r;
  }
  void drop(std::uint32_t place) {
    Row const& r = rows_[place];
    counts_->timers_dropped += r.timers.size() + r.clock_timers.size();
    --counts_->open;
    if (saved_.has(place)) {
      gone_.push_back(row_name(r.key));
      if constexpr (reads_through) outside_.erased.add(gone_.back());
    }
    remove(place);
  }
  void remove(std::uint32_t place) {
    Row& r = rows_[place];
    if constexpr (reads_through) outside_.recent.remove(place);
    due_.remove(place);
    on_clock_.remove(place);
    index_.erase(hash_of(r.key), place);
    key_bytes_ -= owned_bytes(r.key);
    if (auto const last = static_cast<std::uint32_t>(rows_.size() - 1); place != last) {
      index_.move(hash_of(rows_[last].key), last, place);
      due_.move(last, place);
      on_clock_.move(last, place);
      changed_.move(last, place);
      saved_.move(last, place);
      if constexpr (reads_through) outside_.recent.move(last, place);
      key_bytes_ -= owned_bytes(rows_[last].key);
      r = std::move(rows_[last]);
      key_bytes_ += owned_bytes(r.key);  // a short text stays in the memory of the one that was here
    } else {
      changed_.unset(place);
      saved_.unset(place);
    }
    rows_.pop_back();
  }

  // Which kinds of timers rows have.
  static void encode_kinds(std::vector<std::byte>& to) {
    encode_state(has_timers, to);
    encode_state(has_clock_timers, to);
  }
  template <class Note> void put_changed(state_writer& to, Note note) {
    changed_.take_each([&](std::size_t place) {
      Row const& r = rows_[place];
      std::vector<std::byte> value;
      // Of rows in the store not all are of the program that has written the head.
      if constexpr (reads_through) encode_kinds(value);
      r.save(value);
      to.put(row_name(r.key), std::move(value));
      saved_.set(place);
      note(place);
    });
  }
  // A row that is read through.
  Row stored_row(K key, std::span<std::byte const> value) const {
    auto const with_timers = decode_part<bool>(value), with_clock_timers = decode_part<bool>(value);
    return Row::restored(outside_.who, std::move(key), value, with_timers, with_clock_timers);
  }
  // The key's row, if it is in the store and not here.
  template <class Q> [[gnu::noinline]] Row* wake(std::uint32_t hash, Q const& wanted) {
    if (outside_.out == 0) return nullptr;
    if constexpr (Expiry::expires)
      if (!outside_.asleep.has(hash, wanted)) return nullptr;  // each is due some time
    K key(wanted);
    std::string const name = row_name(key);
    if (outside_.erased.has(name)) return nullptr;
    std::optional<std::vector<std::byte>> const value = outside_.stored.read(name);
    if (!value) return nullptr;
    outside_.asleep.remove(hash, wanted);
    --outside_.out;
    Row& r = enter(hash, stored_row(std::move(key), *value));
    saved_.set(place_of(r));
    schedule(r);
    return &r;
  }
  void wake_first(due_heap const& of) {
    K const key = outside_.asleep.first(of);
    if (!wake(hash_of(key), key)) throw_damaged_state(outside_.who, "a key that is due is missing in the store");
  }
  bool comes_first(due_heap const& asleep, due_heap const& awake) const noexcept {
    if (asleep.empty() || awake.empty()) return !asleep.empty();
    if (asleep.first_at() != awake.first_at()) return asleep.first_at() < awake.first_at();
    return outside_.asleep.first_order(asleep) < rows_[awake.first()].order;
  }
  void put_to_sleep(Row const& r) {
    std::optional<instant> due, on_clock;
    if (Expiry::expires || !r.timers.empty()) due = r.next(expiry_.expiry_of(r.touched));
    if (!r.clock_timers.empty()) on_clock = r.clock_timers.first();
    if (due || on_clock) outside_.asleep.add(hash_of(r.key), r.key, r.order, due, on_clock);
  }
  void leave_memory(std::uint32_t place) {
    put_to_sleep(rows_[place]);
    ++outside_.out;
    remove(place);
  }
  // After a restart: all keys are outside. `look`: some may be due some time, or wait for timers that there are no more, which is refused.
  void find_outside(std::string_view who, bool look) {
    outside_.out = counts_->open;
    if (look) {
      std::uint64_t found = 0;
      outside_.stored.each([&](std::string_view name, std::span<std::byte const> value) {
        put_to_sleep(stored_row(key_of_row<K>(who, name), value));
        ++found;
      });
      if (found != outside_.out) throw_damaged_state(who, "it has lost keys");
    }
  }
  void schedule(Row& r) {
    reschedule(r);
    if constexpr (has_clock_timers) reschedule_clock(r);
  }

  std::vector<Row> rows_;
  slot_index index_;
  due_heap due_, on_clock_;
  row_marks changed_, saved_;      // since the last checkpoint; by some checkpoint
  std::vector<std::string> gone_;  // names in checkpoints of rows that are there no more
  std::uint64_t next_order_ = 0;
  std::size_t key_bytes_ = 0, turn_ = 0;  // bytes that keys have elsewhere
  sampled_bytes<decltype(Row::state)> states_;
  sampled_size timers_;
  [[no_unique_address]] rows_outside<K, Kept> outside_;
  [[no_unique_address]] Expiry expiry_;
  std::shared_ptr<key_counts> counts_;
};

}  // namespace weir::detail
