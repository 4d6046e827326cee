#pragma once
#include <weir/codec.hpp>
#include <weir/explanation.hpp>
#include <weir/heir.hpp>
#include <weir/ledger.hpp>
#include <weir/mark.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/accumulator.hpp>
#include <weir/operators/detail/inherited_watermark.hpp>
#include <weir/operators/detail/named_operator.hpp>
#include <weir/operators/detail/named_state.hpp>
#include <weir/operators/detail/partition_key.hpp>
#include <weir/operators/detail/schema_sections.hpp>
#include <weir/operators/detail/session.hpp>
#include <weir/operators/detail/session_store.hpp>
#include <weir/operators/detail/slot_pool.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/state_rows.hpp>
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

// Windows that elements make themselves.
template <class K, class T, class Key, class Fold, class Late, class Emission> class session_window_stage : public named_state {
  using state = accumulator_state<Fold, T>;
  using result = window_result<K, accumulator_result<Fold, T>>;
  static constexpr bool several = Late::updates || Emission::kind != emission_kind::final;
  static constexpr bool early = Emission::kind == emission_kind::early;
  using store = session_store<K, state, several>;
  using session = typename store::session;
  struct place {  // of a session: gone when another `seq` is there
    std::uint64_t seq;
    std::uint32_t slot;
  };

public:
  session_window_stage(std::chrono::nanoseconds gap, Key key, Fold fold, Late late, Emission emission, naming const& n)
      : named_state(n, "window"),
        gap_(gap.count()),
        key_(std::move(key)),
        fold_(std::move(fold)),
        late_(std::move(late)),
        emission_(std::move(emission)),
        name_(n.id()),
        counts_(n.open_tally("window")),
        sessions_(gap_, late_.allowed().count()) {}

  bool element(T& x, timestamp t, auto down) {
    if (!placeable(t.at)) [[unlikely]]
      throw_not_placeable(t.at);
    auto&& key = std::invoke(key_, std::as_const(x));
    std::uint32_t const k = sessions_.find(key);
    if (k == no_slot) [[unlikely]]
      return begin(k, key, x, t, down);
    std::uint32_t const any = sessions_.any_of(k);
    session& s = sessions_[any];
    if (s.holds(t.at) || (s.alone() && s.joins(t.at, gap_))) [[likely]]
      return join(any, s, x, t, down);
    auto const [before, behind] = sessions_.joined(k, t.at);
    if (before == no_slot && behind == no_slot) return begin(k, key, x, t, down);
    std::uint32_t const slot = before == no_slot ? behind : behind == no_slot ? before : sessions_.merge(before, behind, fold_);
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
  std::size_t memory() { return sessions_.memory() + changed_.capacity() * sizeof(place); }

  void explain(explanation& e) const {
    window_listing open(name_, "sessions", watermark_);
    sessions_.each([&](session const& s) {
      open_window w;
      w.start = s.first;
      w.end = sessions_.end_of(s);
      w.elements = s.elements;
      w.fired = s.has_fired();
      w.closes = w.end + late_.allowed().count();
      open.add(std::move(w), s.seq, s.key);
    });
    std::move(open).list(e);
  }

  tally const& counted() const noexcept { return *counts_; }
  std::string state_schema() const {
    return "session_window, " + span_text(std::chrono::nanoseconds(gap_)) + (several ? "; several results" : "; one result") +
           key_section<K>() + value_section_at(schema_of_accumulator<Fold, T>(fold_), session::folded_at) + " behind the key";
  }
  void save(state_writer to) {
    std::vector<std::byte> head;
    encode_state(gap_, head);
    encode_state(several, head);
    encode_state(watermark_, head);
    encode_state(next_tick_, head);
    encode_state(*counts_, head);
    sessions_.save_head(head);
    to.put("", std::move(head));
    sessions_.save_rows(to);
  }
  void handed_over() noexcept { *counts_ = tally(); }
  void inherit(std::span<state_entry const> from, heir const& by)
    requires routable_key<Key, K>
  {
    std::span<std::byte const> head = take_kind(from);
    auto const reached = decode_part<instant>(head), tick = decode_part<instant>(head);
    tally const counts = decode_counts("session_window", head);
    std::uint64_t const waiting = sessions_.inherit(head, from, reached, inherited_by(by, key_));
    if (!head.empty()) throw_state_left_over();
    *counts_ += inherited_counts(counts, waiting, by);
    watermark_ = inherited_.with(reached);
    if (next_tick_ == start_of_time) next_tick_ = tick;
    else if (tick != start_of_time) next_tick_ = std::min(next_tick_, tick);
    find_changed();
  }
  void restore(std::span<state_entry const> from) {
    std::span<std::byte const> head = take_kind(from);
    watermark_ = decode_part<instant>(head);
    next_tick_ = decode_part<instant>(head);
    tally const counts = decode_counts("session_window", head);
    std::uint64_t const waiting = sessions_.restore(head, from, watermark_);
    check_restored("session_window", head, counts, waiting);
    *counts_ = counts;
    find_changed();
  }

private:
  // The head, behind what has to be as it is here.
  std::span<std::byte const> take_kind(std::span<state_entry const>& from) const {
    std::span<std::byte const> head = take_head("session_window", from);
    if (auto const gap = decode_part<instant>(head); gap != gap_)
      throw_foreign_state("session_window", "its gap was " + std::to_string(gap) + " ns and is " + std::to_string(gap_) + " ns");
    if (decode_part<bool>(head) != several) throw_foreign_state("session_window", "it was kept for another emission or late policy");
    return head;
  }
  void find_changed() {
    changed_.clear();
    if constexpr (early) {
      sessions_.each([this](std::uint32_t slot, session const& s) {
        if (s.said.changed) changed_.push_back(place{s.seq, slot});
      });
    }
    note_next_event();
  }
  // An element that joins no session.
  template <class Q> [[gnu::noinline]] bool begin(std::uint32_t k, Q const& key, T& x, timestamp t, auto down) {
    time_window const own(t.at, t.at + gap_);
    if (own.end + late_.allowed().count() <= watermark_) {
      late_.take(x, lateness(t.at, own, watermark_));
      ++counts_->in;
      ++counts_->late;
      return true;
    }
    std::uint32_t const slot = sessions_.begin(k, key, t.at, watermark_);
    next_event_ = std::min(next_event_, sessions_.next_due());
    return join(slot, sessions_[slot], x, t, down);
  }
  [[gnu::always_inline]] bool join(std::uint32_t slot, session& s, T& x, timestamp t, auto down) {
    fold_.add(s.folded, std::as_const(x), t.at);
    if (t.at < s.first) s.first = t.at;
    if (t.at > s.last) s.last = t.at;
    ++s.elements;
    sessions_.note_change(slot);
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
      if (sessions_.end_of(s) <= watermark_) {
        count_out(s);
        return give(s, pane::late, down);
      }
      if (s.said.fired) {  // its end is ahead of the watermark again
        s.said.fired = false;
        sessions_.schedule(slot);
        next_event_ = std::min(next_event_, sessions_.next_due());
      }
    }
    if constexpr (Emission::kind == emission_kind::on_each) return give(s, pane::early, down);
    else return true;
  }

  // The watermark has reached something.
  bool advance(auto down) {
    bool more = true;
    for (std::uint32_t slot = no_slot; (slot = sessions_.first_due(watermark_)) != no_slot;) more = reach(slot, down) && more;
    if constexpr (early) more = tick(down) && more;
    note_next_event();
    return more;
  }
  // A session is due.
  bool reach(std::uint32_t slot, auto down) {
    session& s = sessions_[slot];
    bool more = true;
    if (!s.has_fired()) {
      count_out(s);
      more = give(s, pane::on_time, down);
    }
    if constexpr (Late::updates) {
      if (!std::exchange(s.said.fired, true)) {
        sessions_.note_change(slot);
        sessions_.schedule(slot);
        return more;
      }
    }
    sessions_.remove(slot);
    return more;
  }
  void count_out(session& s) noexcept {
    std::uint64_t const n = s.unsaid();
    counts_->out += n;
    counts_->open -= n;
    if constexpr (several) s.said.waiting = 0;
  }
  // Early results of all that has changed, when the watermark has passed a multiple of the period.
  bool tick(auto down) {
    if (watermark_ < next_tick_) return true;
    bool more = true;
    if (next_tick_ != start_of_time) {
      std::erase_if(changed_, [this](place const& p) {
        session const* const s = sessions_.find_slot(p.slot);
        return !s || s->seq != p.seq || !s->said.changed || s->said.fired;
      });
      std::sort(changed_.begin(), changed_.end(), [this](place const& a, place const& b) {
        return std::tuple(sessions_.end_of(sessions_[a.slot]), a.seq) < std::tuple(sessions_.end_of(sessions_[b.slot]), b.seq);
      });
      for (place const& p : changed_) {
        more = give(sessions_[p.slot], pane::early, down) && more;
        sessions_.note_change(p.slot);
      }
      changed_.clear();
    }
    next_tick_ = later_by(floor_to(watermark_, emission_.every()), emission_.every());
    return more;
  }

  bool give(session& s, pane p, auto down) {
    time_window const now = sessions_.window_of(s);
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
    result out(sessions_.key_of(s), now, fold_.result(std::as_const(s.folded)), revision, p);
    return down.element(out, timestamp{now.end - 1}) && more;
  }
  bool take_back(session const& s, time_window w, pane p, auto down) {
    result out(sessions_.key_of(s), w, fold_.result(state{}), retracting_revision, p);
    return down.element(out, timestamp{w.end - 1});
  }

  void note_next_event() noexcept {
    next_event_ = sessions_.next_due();
    if constexpr (early) next_event_ = std::min(next_event_, next_tick_);
  }

  instant gap_;
  [[no_unique_address]] Key key_;
  [[no_unique_address]] Fold fold_;
  [[no_unique_address]] Late late_;
  [[no_unique_address]] Emission emission_;
  std::string name_;
  std::shared_ptr<tally> counts_;
  instant watermark_ = start_of_time;
  inherited_watermark inherited_;
  instant next_tick_ = start_of_time;  // of early results: the first multiple of the period ahead; `start_of_time`: no watermark yet
  instant next_event_ = early ? start_of_time : end_of_time;
  store sessions_;
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
