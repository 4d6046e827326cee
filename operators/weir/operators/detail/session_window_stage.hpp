#pragma once
#include <weir/codec.hpp>
#include <weir/explanation.hpp>
#include <weir/ledger.hpp>
#include <weir/mark.hpp>
#include <weir/operators/accumulator.hpp>
#include <weir/operators/detail/due_heap.hpp>
#include <weir/operators/detail/keyed_slots.hpp>
#include <weir/operators/detail/named_operator.hpp>
#include <weir/operators/detail/session.hpp>
#include <weir/operators/detail/session_tree.hpp>
#include <weir/operators/detail/slot_pool.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/detail/window_listing.hpp>
#include <weir/operators/emit.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/retraction.hpp>
#include <weir/operators/time_window.hpp>
#include <weir/shape.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace weir::detail {

// Windows that elements make themselves: the sessions of each key by start, and for each when it is due. One that grows leaves that alone:
// the heap is told when the old time comes.
template <class K, class T, class Key, class Fold, class Late, class Emission> class session_window_stage {
  using state = accumulator_state<Fold, T>;
  using result = window_result<K, accumulator_result<Fold, T>>;
  static constexpr bool several = Late::updates || Emission::kind != emission_kind::final;
  static constexpr bool early = Emission::kind == emission_kind::early;
  using session = detail::session<state, several>;
  struct row {
    explicit row(K k) : key(std::move(k)) {}
    K key;
    std::uint32_t root = no_slot;  // of the tree of its sessions
  };
  struct place {  // of a session: gone when another `seq` is there
    std::uint64_t seq;
    std::uint32_t slot;
  };

public:
  session_window_stage(std::chrono::nanoseconds gap, Key key, Fold fold, Late late, Emission emission, naming const& n)
      : gap_(gap.count()),
        key_(std::move(key)),
        fold_(std::move(fold)),
        late_(std::move(late)),
        emission_(std::move(emission)),
        name_(n.id()),
        counts_(n.open_tally("window")) {}

  bool element(T& x, timestamp t, auto down) {
    if (!placeable(t.at)) [[unlikely]]
      throw_not_placeable(t.at);
    auto&& key = std::invoke(key_, std::as_const(x));
    std::uint32_t const r = keys_.find(key);
    if (r == no_slot) [[unlikely]]
      return begin(r, key, x, t, down);
    std::uint32_t const root = keys_[r].root;
    session& s = sessions_[root];
    if (s.holds(t.at) || (s.alone() && s.joins(t.at, gap_))) [[likely]]
      return join(root, s, x, t, down);
    auto const [before, behind] = sessions_around(sessions_, root, t.at);
    bool const joins_before = before != no_slot && sessions_[before].joins(t.at, gap_);
    bool const joins_behind = behind != no_slot && sessions_[behind].joins(t.at, gap_);
    if (!joins_before && !joins_behind) return begin(r, key, x, t, down);
    std::uint32_t const slot = joins_before && joins_behind ? merge(before, behind) : joins_before ? before : behind;
    return join(slot, sessions_[slot], x, t, down);
  }
  bool mark(weir::mark const& m, auto down) {
    if (m.kind != mark_kind::watermark) return down.mark(m);
    if (m.time <= watermark_) return true;  // says nothing that was not said
    watermark_ = m.time;
    bool more = true;
    if (m.time >= next_event_) [[unlikely]]
      more = advance(down);
    return down.mark(m) && more;
  }
  bool finish(auto down) { return down.finish(); }

  void explain(explanation& e) const {
    window_listing open(name_, "sessions", watermark_);
    sessions_.each([&](session const& s) {
      open_window w;
      w.start = s.first;
      w.end = end_of(s);
      w.elements = s.elements;
      if constexpr (several) w.fired = s.said.fired;
      w.closes = w.end + late_.allowed().count();
      open.add(std::move(w), s.seq, s.row);
    });
    std::move(open).list(e);
  }

  void save(std::vector<std::byte>& to) const {
    encode_state(gap_, to);
    encode_state(several, to);
    encode_state(watermark_, to);
    encode_state(next_tick_, to);
    encode_state(next_seq_, to);
    encode_state(*counts_, to);
    encode_state(std::uint64_t{keys_.size()}, to);
    keys_.each([&](row const& r) {
      std::uint64_t n = 0;
      each_session(sessions_, r.root, [&n](session const&) { ++n; });
      encode_state(r.key, to);
      encode_state(n, to);
      each_session(sessions_, r.root, [&to](session const& s) { encode_session(s, to); });
    });
  }
  void restore(std::span<std::byte const> from) {
    forget();
    if (auto const gap = decode_part<instant>(from); gap != gap_)
      throw_foreign_state("session_window", "its gap was " + std::to_string(gap) + " ns and is " + std::to_string(gap_) + " ns");
    if (decode_part<bool>(from) != several) throw_foreign_state("session_window", "it was kept for another emission or late policy");
    watermark_ = decode_part<instant>(from);
    next_tick_ = decode_part<instant>(from);
    next_seq_ = decode_part<std::uint64_t>(from);
    tally const counts = decode_counts("session_window", from);
    std::uint64_t waiting = 0;
    for (auto keys = decode_part<std::uint64_t>(from); keys != 0; --keys) waiting += restore_key(from);
    if (!from.empty()) throw_state_left_over();
    if (counts.open != waiting) throw_damaged_state("session_window", "its counts do not add up");
    *counts_ = counts;
    note_next_event();
  }

private:
  instant end_of(session const& s) const noexcept { return s.last + gap_; }
  // How many of its elements are in no window that has fired.
  static std::uint64_t unsaid(session const& s) noexcept {
    if constexpr (several) return s.said.waiting;
    else return s.elements;
  }
  // When something happens to it next: it fires, or what is kept of it goes.
  instant due(session const& s) const noexcept {
    if constexpr (several)
      if (s.said.fired) return end_of(s) + late_.allowed().count();
    return end_of(s);
  }

  // A key and its sessions from a checkpoint; returns how many elements are in no window that has fired.
  std::uint64_t restore_key(std::span<std::byte const>& from) {
    auto key = decode_part<K>(from);
    if (keys_.find(key) != no_slot) throw_damaged_state("session_window", "it has a key twice");
    std::uint32_t r = no_slot;
    std::uint64_t waiting = 0;
    instant free_from = earliest_event;
    for (auto n = decode_part<std::uint64_t>(from); n != 0; --n) {
      auto s = decode_session<session>(r, from);
      if (s.first < free_from || s.last < s.first || !placeable(s.last))
        throw_damaged_state("session_window", "it has an impossible session");
      free_from = end_of(s);
      waiting += unsaid(s);
      if (free_from + late_.allowed().count() <= watermark_) continue;  // it was kept for a larger lateness
      if constexpr (several) s.said.fired = free_from <= watermark_;
      s.row = r = r == no_slot ? keys_.add(key) : r;
      enter(r, sessions_.add(std::move(s)));
    }
    return waiting;
  }

  // An element that joins no session.
  template <class Q> [[gnu::noinline]] bool begin(std::uint32_t r, Q const& key, T& x, timestamp t, auto down) {
    instant const end = t.at + gap_;
    if (end + late_.allowed().count() <= watermark_) {
      late_.take(x, lateness(t.at, time_window(t.at, end), watermark_));
      ++counts_->in;
      ++counts_->late;
      return true;
    }
    if (r == no_slot) r = keys_.add(key);
    std::uint32_t const slot = sessions_.add(r, t.at, next_seq_++);
    if constexpr (Late::updates) sessions_[slot].said.fired = end <= watermark_;  // within the allowed lateness: it fires with this element
    enter(r, slot);
    return join(slot, sessions_[slot], x, t, down);
  }
  void enter(std::uint32_t r, std::uint32_t slot) {
    insert_session(sessions_, keys_[r].root, slot);
    session const& s = sessions_[slot];
    schedule(slot, s);
    if constexpr (early)
      if (s.said.changed) changed_.push_back(place{s.seq, slot});
  }
  void schedule(std::uint32_t slot, session const& s) {
    due_.set(slot, s.seq, due(s));
    next_event_ = std::min(next_event_, due_.first_at());
  }

  // Two neighbours that an element joins become one: that which was seen first takes the other over.
  [[gnu::noinline]] std::uint32_t merge(std::uint32_t a, std::uint32_t b) {
    std::uint32_t const kept = sessions_[a].seq < sessions_[b].seq ? a : b, gone = kept == a ? b : a;
    session &k = sessions_[kept], &g = sessions_[gone];
    fold_.merge(k.folded, std::as_const(g.folded));
    erase_session(sessions_, keys_[k.row].root, gone);
    k.first = std::min(k.first, g.first);
    k.last = std::max(k.last, g.last);
    k.elements += g.elements;
    if constexpr (several) k.said.take_over(std::move(g.said));
    due_.remove(gone);
    sessions_.remove(gone);
    return kept;
  }
  [[gnu::always_inline]] bool join(std::uint32_t slot, session& s, T& x, timestamp t, auto down) {
    fold_.add(s.folded, std::as_const(x), t.at);
    if (t.at < s.first) s.first = t.at;
    if (t.at > s.last) s.last = t.at;
    ++s.elements;
    ++counts_->in;
    ++counts_->open;
    if constexpr (several) return report(slot, s, down);
    else return true;
  }
  // Where a session may give several results.
  bool report(std::uint32_t slot, session& s, auto down) {
    ++s.said.waiting;
    if constexpr (early)
      if (!s.said.changed) changed_.push_back(place{s.seq, slot});
    s.said.changed = true;
    if constexpr (Late::updates) {
      if (end_of(s) <= watermark_) {
        count_out(s);
        return give(s, pane::late, down);
      }
      if (s.said.fired) {  // its end is ahead of the watermark again
        s.said.fired = false;
        schedule(slot, s);
      }
    }
    if constexpr (Emission::kind == emission_kind::on_each) return give(s, pane::early, down);
    else return true;
  }

  // The watermark has reached something.
  bool advance(auto down) {
    bool more = true;
    while (due_.due(watermark_)) {
      std::uint32_t const slot = due_.first();
      session& s = sessions_[slot];
      if (instant const at = due(s); at > due_.first_at()) due_.set(slot, s.seq, at);
      else more = reach(slot, s, down) && more;
    }
    if constexpr (early) more = tick(down) && more;
    note_next_event();
    return more;
  }
  bool reach(std::uint32_t slot, session& s, auto down) {
    if constexpr (Late::updates) {
      if (!s.said.fired) {
        count_out(s);
        s.said.fired = true;
        schedule(slot, s);
        return give(s, pane::on_time, down);
      }
      remove(slot, s);
      return true;
    } else {
      count_out(s);
      bool const more = give(s, pane::on_time, down);
      remove(slot, s);
      return more;
    }
  }
  void count_out(session& s) noexcept {
    std::uint64_t const n = unsaid(s);
    counts_->out += n;
    counts_->open -= n;
    if constexpr (several) s.said.waiting = 0;
  }
  void remove(std::uint32_t slot, session const& s) {
    std::uint32_t const r = s.row;
    due_.remove(slot);
    erase_session(sessions_, keys_[r].root, slot);
    sessions_.remove(slot);
    if (keys_[r].root == no_slot) keys_.remove(r);
  }
  // Early results of all that has changed, when the watermark has passed a multiple of the period.
  bool tick(auto down) {
    if (watermark_ < next_tick_) return true;
    bool more = true;
    if (next_tick_ != start_of_time) {
      std::erase_if(changed_, [this](place const& p) {
        session const* const s = sessions_.find(p.slot);
        return !s || s->seq != p.seq || !s->said.changed || s->said.fired;
      });
      std::sort(changed_.begin(), changed_.end(), [this](place const& a, place const& b) {
        return std::tuple(end_of(sessions_[a.slot]), a.seq) < std::tuple(end_of(sessions_[b.slot]), b.seq);
      });
      for (place const& p : changed_) more = give(sessions_[p.slot], pane::early, down) && more;
      changed_.clear();
    }
    next_tick_ = later_by(floor_to(watermark_, emission_.every()), emission_.every());
    return more;
  }

  bool give(session& s, pane p, auto down) {
    time_window const now(s.first, end_of(s));
    bool more = true;
    std::uint32_t revision = 0;
    if constexpr (several) {
      if (s.said.given != time_window() && s.said.given != now) more = take_back(s, s.said.given, p, down);
      for (time_window const& w : s.said.merged) more = take_back(s, w, p, down) && more;
      s.said.merged.clear();
      s.said.given = now;
      s.said.changed = false;
      revision = s.said.next++;
    }
    result out(keys_[s.row].key, now, fold_.result(std::as_const(s.folded)), revision, p);
    return down.element(out, timestamp{now.end - 1}) && more;
  }
  bool take_back(session const& s, time_window w, pane p, auto down) {
    result out(keys_[s.row].key, w, fold_.result(state{}), retracting_revision, p);
    return down.element(out, timestamp{w.end - 1});
  }

  void note_next_event() noexcept {
    next_event_ = due_.empty() ? end_of_time : due_.first_at();
    if constexpr (early) next_event_ = std::min(next_event_, next_tick_);
  }
  void forget() noexcept {
    keys_.clear();
    sessions_.clear();
    due_.clear();
    changed_.clear();
  }

  instant gap_;
  [[no_unique_address]] Key key_;
  [[no_unique_address]] Fold fold_;
  [[no_unique_address]] Late late_;
  [[no_unique_address]] Emission emission_;
  std::string name_;
  std::shared_ptr<tally> counts_;
  instant watermark_ = start_of_time;
  instant next_tick_ = start_of_time;  // of early results: the first multiple of the period ahead; `start_of_time`: no watermark yet
  instant next_event_ = early ? start_of_time : end_of_time;
  std::uint64_t next_seq_ = 0;
  keyed_slots<K, row> keys_;
  slot_pool<session> sessions_;
  due_heap due_;
  std::vector<place> changed_;  // with early results: at least all that have changed since their last
};

// Sessions that a silence of `gap` ends.
class session_windows {
public:
  explicit session_windows(std::chrono::nanoseconds gap) : gap_(gap) { check_span("session_window", "its gap", gap, span_from::one); }
  template <class K, class T, class Key, class Fold, class Late, class Emission>
  auto stage(Key key, Fold fold, Late late, Emission emission, naming const& n) const {
    return session_window_stage<K, T, Key, Fold, Late, Emission>(gap_, std::move(key), std::move(fold), std::move(late),
                                                                 std::move(emission), n);
  }

private:
  std::chrono::nanoseconds gap_;
};

}  // namespace weir::detail
