#pragma once
#include <weir/codec.hpp>
#include <weir/detail/owned_bytes.hpp>
#include <weir/explanation.hpp>
#include <weir/instant.hpp>
#include <weir/ledger.hpp>
#include <weir/mark.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/accumulator.hpp>
#include <weir/operators/detail/due_heap.hpp>
#include <weir/operators/detail/keyed_slots.hpp>
#include <weir/operators/detail/named_operator.hpp>
#include <weir/operators/detail/named_state.hpp>
#include <weir/operators/detail/row_marks.hpp>
#include <weir/operators/detail/schema_sections.hpp>
#include <weir/operators/detail/slot_pool.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/state_rows.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/detail/window_listing.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/time_window.hpp>
#include <weir/operators/trigger.hpp>
#include <weir/shape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir::detail {

// One window per key, from its first element to its expiry. An element that only prolongs its key's life touches nothing but the row: the
// heap is told when the old time comes.
template <class K, class T, class Key, class Fold, class Late, class Trigger, class Expiry> class global_window_stage : public named_state {
  using state = accumulator_state<Fold, T>;
  using result = window_result<K, accumulator_result<Fold, T>>;
  static constexpr bool ticks = Trigger::kind == trigger_kind::every;
  struct row {
    explicit row(K k) : key(std::move(k)) {}
    K key;
    instant began = 0, touched = 0;           // times of its first element to come, and of its latest
    std::uint64_t seq = 0;                    // the first seen has the lowest
    std::uint64_t elements = 0, waiting = 0;  // all, and those since the last result
    std::uint32_t revision = 0;
    state folded{};
  };
  struct place {  // of a row: gone when another `seq` is there
    std::uint64_t seq;
    std::uint32_t slot;
  };

public:
  global_window_stage(Trigger trigger, Expiry expiry, Key key, Fold fold, Late late, naming const& n)
      : named_state(n, "window"),
        trigger_(std::move(trigger)),
        expiry_(std::move(expiry)),
        key_(std::move(key)),
        fold_(std::move(fold)),
        late_(std::move(late)),
        name_(n.id()),
        counts_(n.open_tally("window")) {}

  bool element(T& x, timestamp t, auto down) {
    if (!placeable(t.at)) [[unlikely]]
      throw_not_placeable(t.at);
    auto&& key = std::invoke(key_, std::as_const(x));
    std::uint32_t slot = rows_.find(key);
    if (slot == no_slot) [[unlikely]] {
      if (expiry_.expiry_of(t.at) <= watermark_) {
        late_.take(x, lateness(t.at, time_window(t.at, end_of_time), watermark_));
        ++counts_->in;
        ++counts_->late;
        return true;
      }
      slot = begin(key, t.at);
    }
    row& r = rows_[slot];
    fold_.add(r.folded, std::as_const(x), t.at);
    if (t.at > r.touched) r.touched = t.at;
    ++r.elements;
    unsaved_.set(slot);
    ++counts_->in;
    ++counts_->open;
    ++r.waiting;
    if constexpr (ticks) {
      if (r.waiting == 1) changed_.push_back(place{r.seq, slot});
      return true;
    } else if constexpr (Trigger::kind == trigger_kind::count) {
      return r.waiting < trigger_.elements() || give(r, pane::early, t.at, down);
    } else {
      return give(r, pane::early, t.at, down);
    }
  }
  bool mark(weir::mark const& m, auto down) {
    if (m.kind != mark_kind::watermark) return down.mark(m);
    if (m.time <= watermark_) return true;  // says nothing that was not said
    before_ = std::exchange(watermark_, m.time);
    bool more = true;
    if (m.time >= next_event_) [[unlikely]]
      more = advance(down);
    return down.mark(m) && more;
  }
  bool finish(auto down) { return down.finish(); }
  // What states have elsewhere is sampled, one of them with each call.
  std::size_t memory() {
    if (row const* const r = rows_.another()) states_.look_at(r->folded);
    return rows_.memory() + due_.memory() + changed_.capacity() * sizeof(place) + unsaved_.memory() + saved_.memory() +
           gone_.capacity() * sizeof(std::string) + states_.of(rows_.size());
  }

  void explain(explanation& e) const {
    window_listing open(name_, "keys", watermark_);
    std::uint32_t n = 0;
    rows_.each([&](row const& r) {
      open_window w;
      w.start = r.began;
      w.end = w.closes = expiry_.expiry_of(r.touched);
      w.elements = r.elements;
      open.add(std::move(w), r.seq, n++);
    });
    std::move(open).list(e);
  }

  tally const& counted() const noexcept { return *counts_; }
  std::string state_schema() const {
    return std::string("global_window, ") + (trigger_.discards() ? "discarding" : "accumulating") + key_section<K>() +
           value_section_at(schema_of_accumulator<Fold, T>(fold_), folded_at);
  }
  void save(state_writer to) {
    std::vector<std::byte> head;
    encode_state(watermark_, head);
    encode_state(next_tick_, head);
    encode_state(next_seq_, head);
    encode_state(*counts_, head);
    encode_state(std::uint64_t{rows_.size()}, head);
    to.put("", std::move(head));
    for (std::string& name : gone_) to.erase(std::move(name));
    gone_.clear();
    unsaved_.take_each([&](std::size_t slot) {
      row const& r = rows_[static_cast<std::uint32_t>(slot)];
      to.put(row_name(r.key), encoded(r));
      saved_.set(slot);
    });
  }
  void restore(std::span<state_entry const> from) {
    rows_.clear();
    due_.clear();
    changed_.clear();
    unsaved_.clear();
    saved_.clear();
    gone_.clear();
    std::span<std::byte const> head = take_head("global_window", from);
    before_ = watermark_ = decode_part<instant>(head);
    next_tick_ = decode_part<instant>(head);
    next_seq_ = decode_part<std::uint64_t>(head);
    tally const counts = decode_counts("global_window", head);
    if (decode_part<std::uint64_t>(head) != from.size()) throw_damaged_state("global_window", "it has lost keys");
    std::uint64_t waiting = 0;
    for (state_entry const& e : from) waiting += restore_row(e);
    check_restored("global_window", head, counts, waiting);
    *counts_ = counts;
    note_next_event();
  }

private:
  // In a row's entry.
  static constexpr std::size_t folded_at = 2 * sizeof(instant) + 3 * sizeof(std::uint64_t) + sizeof(std::uint32_t);
  static std::vector<std::byte> encoded(row const& r) {
    std::vector<std::byte> to;
    encode_state(r.began, to);
    encode_state(r.touched, to);
    encode_state(r.seq, to);
    encode_state(r.elements, to);
    encode_state(r.waiting, to);
    encode_state(r.revision, to);
    encode_state(r.folded, to);
    return to;
  }
  // Returns how many of its elements are in no result.
  std::uint64_t restore_row(state_entry const& e) {
    auto const key = key_of_row<K>("global_window", e.key);
    if (rows_.find(key) != no_slot) throw_damaged_state("global_window", "it has a key twice");
    std::span<std::byte const> value = e.value;
    std::uint32_t const slot = rows_.add(key);
    row& r = rows_[slot];
    r.began = decode_part<instant>(value);
    r.touched = decode_part<instant>(value);
    r.seq = decode_part<std::uint64_t>(value);
    r.elements = decode_part<std::uint64_t>(value);
    r.waiting = decode_part<std::uint64_t>(value);
    r.revision = decode_part<std::uint32_t>(value);
    r.folded = decode_part<state>(value);
    if (!value.empty()) throw_state_left_over();
    if (!placeable(r.touched) || r.seq >= next_seq_) throw_damaged_state("global_window", "it has an impossible window");
    saved_.set(slot);
    due_.set(slot, r.seq, expiry_.expiry_of(r.touched));
    if (ticks && r.waiting != 0) changed_.push_back(place{r.seq, slot});
    return r.waiting;
  }

  template <class Q> [[gnu::noinline]] std::uint32_t begin(Q const& key, instant t) {
    std::uint32_t const slot = rows_.add(key);
    row& r = rows_[slot];
    r.began = r.touched = t;
    r.seq = next_seq_++;
    due_.set(slot, r.seq, expiry_.expiry_of(t));
    next_event_ = std::min(next_event_, due_.first_at());
    return slot;
  }

  // The watermark has reached something.
  bool advance(auto down) {
    bool more = true;
    if constexpr (ticks) {
      if (watermark_ >= next_tick_ && watermark_ != end_of_time) {
        instant const at = floor_to(watermark_, trigger_.period());
        if (next_tick_ != start_of_time) {
          more = expire(at, down);
          more = tick(at, down) && more;
        }
        next_tick_ = later_by(at, trigger_.period());
      }
    }
    more = expire(watermark_, down) && more;
    note_next_event();
    return more;
  }
  // All that has changed gives a result.
  bool tick(instant at, auto down) {
    bool more = true;
    std::erase_if(changed_, [this](place const& p) {
      row const* const r = rows_.find_slot(p.slot);
      return !r || r->seq != p.seq || r->waiting == 0;
    });
    std::sort(changed_.begin(), changed_.end(), [](place const& a, place const& b) { return a.seq < b.seq; });
    for (place const& p : changed_) {
      more = give(rows_[p.slot], pane::early, at - 1, down) && more;
      unsaved_.set(p.slot);
    }
    changed_.clear();
    return more;
  }
  bool expire(instant until, auto down) {
    bool more = true;
    while (due_.due(until)) {
      std::uint32_t const slot = due_.first();
      row& r = rows_[slot];
      instant const at = expiry_.expiry_of(r.touched);
      if (at > due_.first_at()) {
        due_.set(slot, r.seq, at);
        continue;
      }
      // Where keys do not expire the end of the data is no time for a result: it is as old as what it says, but not late.
      if (r.waiting != 0) more = give(r, pane::on_time, at == end_of_time ? std::max(r.touched, before_) : at - 1, down) && more;
      due_.remove(slot);
      drop(slot);
    }
    return more;
  }
  void drop(std::uint32_t slot) {
    if (saved_.has(slot)) gone_.push_back(row_name(rows_[slot].key));
    unsaved_.unset(slot);
    saved_.unset(slot);
    rows_.remove(slot);
  }
  bool give(row& r, pane p, instant at, auto down) {
    result out(r.key, time_window(r.began, end_of_time), fold_.result(std::as_const(r.folded)), r.revision++, p);
    counts_->out += r.waiting;
    counts_->open -= r.waiting;
    r.waiting = 0;
    if (trigger_.discards()) r.folded = state{};
    return down.element(out, timestamp{at});
  }
  void note_next_event() noexcept {
    next_event_ = due_.empty() ? end_of_time : due_.first_at();
    if constexpr (ticks) next_event_ = std::min(next_event_, next_tick_);
  }

  [[no_unique_address]] Trigger trigger_;
  [[no_unique_address]] Expiry expiry_;
  [[no_unique_address]] Key key_;
  [[no_unique_address]] Fold fold_;
  [[no_unique_address]] Late late_;
  std::string name_;
  std::shared_ptr<tally> counts_;
  instant watermark_ = start_of_time, before_ = start_of_time;  // and the one before it
  instant next_tick_ = start_of_time;                           // the first multiple of the period ahead; `start_of_time`: no watermark yet
  instant next_event_ = ticks ? start_of_time : end_of_time;
  std::uint64_t next_seq_ = 0;
  keyed_slots<K, row> rows_;
  due_heap due_;
  std::vector<place> changed_;     // with a trigger by time: at least all that have changed since their last result
  row_marks unsaved_, saved_;      // changed since the last checkpoint; in some checkpoint
  std::vector<std::string> gone_;  // names in checkpoints of rows that are there no more
  sampled_bytes<state> states_;
};

// One window per key over all time.
template <class Trigger, class Expiry> class global_windows {
public:
  global_windows(Trigger t, Expiry e) : trigger_(std::move(t)), expiry_(std::move(e)) {}
  template <class K, class T, class Key, class Fold, class Late, class Emission>
  auto stage(Key key, Fold fold, Late late, Emission, naming const& n) const {
    return global_window_stage<K, T, Key, Fold, Late, Trigger, Expiry>(trigger_, expiry_, std::move(key), std::move(fold), std::move(late),
                                                                       n);
  }

private:
  Trigger trigger_;
  Expiry expiry_;
};

}  // namespace weir::detail
