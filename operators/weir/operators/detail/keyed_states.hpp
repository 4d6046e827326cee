#pragma once
#include <weir/codec.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/detail/due_heap.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/row_marks.hpp>
#include <weir/operators/detail/slot_index.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/state_rows.hpp>
#include <weir/operators/detail/timer_list.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/key_counts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
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
  K key;
  State state;
  std::uint64_t order = 0;
  instant touched = start_of_time;
  [[no_unique_address]] EventTimers timers;
  [[no_unique_address]] ClockTimers clock_timers;
};

// The states of keys, with what is due for each: its next timer, or its expiry. Rows lie densely; a key that goes leaves its place to
// the last one. The heap may have a key too early, never too late: prolonging its life or putting a timer off touches only the row.
template <class K, class Row, class Expiry> class keyed_states {
  static constexpr bool has_timers = decltype(Row::timers)::possible, has_clock_timers = decltype(Row::clock_timers)::possible;

public:
  // `counts`: where the books are kept, from zero; null for books of its own.
  keyed_states(Expiry e, std::shared_ptr<key_counts> counts)
      : expiry_(std::move(e)), counts_(counts ? std::move(counts) : std::make_shared<key_counts>()) {
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
    while (due_.due(until)) {
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
  bool due(instant until) const noexcept { return due_.due(until); }
  Row* next_clock_timer(instant now) { return on_clock_.due(now) ? &rows_[on_clock_.first()] : nullptr; }
  bool any_clock_timer() const noexcept { return has_clock_timers && !on_clock_.empty(); }

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
           gone_.capacity() * sizeof(std::string) + key_bytes_ + states_.of(rows_.size()) + timers_.of(rows_.size());
  }

  // In a checkpoint: an entry per key. Places are not part of it.
  void save_head(std::vector<std::byte>& to) const {
    encode_state(*counts_, to);
    encode_state(has_timers, to);
    encode_state(has_clock_timers, to);
    encode_state(next_order_, to);
  }
  void save_rows(state_writer& to) {
    for (std::string& name : gone_) to.erase(std::move(name));
    gone_.clear();
    changed_.take_each([&](std::size_t place) {
      Row const& r = rows_[place];
      std::vector<std::byte> value;
      encode_state(r.order, value);
      encode_state(r.state, value);
      encode_state(r.touched, value);
      r.timers.save(value);
      r.clock_timers.save(value);
      to.put(row_name(r.key), std::move(value));
      saved_.set(place);
    });
  }
  // Takes its part off the head.
  void restore(std::string_view who, std::span<std::byte const>& head, std::span<state_entry const> from) {
    rows_.clear();
    index_.clear();
    due_.clear();
    on_clock_.clear();
    changed_.clear();
    saved_.clear();
    gone_.clear();
    key_bytes_ = 0;
    *counts_ = decode_part<key_counts>(head);
    auto const with_timers = decode_part<bool>(head), with_clock_timers = decode_part<bool>(head);
    auto const behind_last = decode_part<std::uint64_t>(head);
    if (std::exchange(counts_->open, 0) != from.size()) throw_damaged_state(who, "it has lost keys");
    next_order_ = 0;
    for (auto const& [order, i] : first_seen_first(from)) {
      std::span<std::byte const> value = from[i].value;
      if (decode_part<std::uint64_t>(value) < next_order_) throw_damaged_state(who, "two keys were first seen at once");
      next_order_ = order;
      auto key = key_of_row<K>(who, from[i].key);
      std::uint32_t const hash = hash_of(key);
      if (index_.find(hash, [&](std::uint32_t p) { return rows_[p].key == key; }) != slot_index::none)
        throw_damaged_state(who, "it has a key twice");
      Row& r = add(hash, std::move(key), decode_part<decltype(Row::state)>(value));
      saved_.set(place_of(r));
      r.touched = decode_part<instant>(value);
      if (with_timers) restore_timers(who, r.timers, value);
      if (with_clock_timers) restore_timers(who, r.clock_timers, value);
      if (!value.empty()) throw_state_left_over();
      reschedule(r);
      if constexpr (has_clock_timers) reschedule_clock(r);
    }
    if (behind_last < next_order_) throw_damaged_state(who, "a key was first seen behind the last");
    next_order_ = behind_last;
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
    Row& r = rows_.emplace_back(std::move(key), std::move(state));
    key_bytes_ += owned_bytes(r.key);
    r.order = next_order_++;
    index_.insert(hash, static_cast<std::uint32_t>(rows_.size() - 1));
    ++counts_->open;
    return r;
  }
  void drop(std::uint32_t place) {
    Row& r = rows_[place];
    counts_->timers_dropped += r.timers.size() + r.clock_timers.size();
    --counts_->open;
    if (saved_.has(place)) gone_.push_back(row_name(r.key));
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
      r = std::move(rows_[last]);
    } else {
      changed_.unset(place);
      saved_.unset(place);
    }
    rows_.pop_back();
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
  [[no_unique_address]] Expiry expiry_;
  std::shared_ptr<key_counts> counts_;
};

}  // namespace weir::detail
