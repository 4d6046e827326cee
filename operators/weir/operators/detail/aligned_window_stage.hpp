#pragma once
#include <weir/codec.hpp>
#include <weir/explanation.hpp>
#include <weir/heir.hpp>
#include <weir/ledger.hpp>
#include <weir/mark.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/accumulator.hpp>
#include <weir/operators/detail/inherited_tables.hpp>
#include <weir/operators/detail/look_ahead.hpp>
#include <weir/operators/detail/named_operator.hpp>
#include <weir/operators/detail/named_state.hpp>
#include <weir/operators/detail/partition_key.hpp>
#include <weir/operators/detail/schema_sections.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/state_rows.hpp>
#include <weir/operators/detail/tables_by_start.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/detail/window_grid.hpp>
#include <weir/operators/emit.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/time_window.hpp>
#include <weir/shape.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::detail {

// How often a key's window has given a result, and whether it has changed since. Kept only where it may give several.
struct pane_count {
  std::uint32_t next = 0;
  bool changed = false;
};
struct no_pane_count {};

// Aligned windows, one table of keys per window; the list of windows is also the list of timers. An element is folded into each
// window it is in. The sliced stage does with less where windows overlap and fire once.
template <class K, class T, class Key, class Fold, class Late, class Emission> class aligned_window_stage : public named_state {
  using state = accumulator_state<Fold, T>;
  using result = window_result<K, accumulator_result<Fold, T>>;
  static constexpr bool several = Late::updates || Emission::kind != emission_kind::final;
  static constexpr window_state kept = several ? window_state::several_results : window_state::one_result;
  using panes = std::conditional_t<several, pane_count, no_pane_count>;
  struct row {
    explicit row(K k) : key(std::move(k)) {}
    K key;
    state folded{};
    [[no_unique_address]] panes count;
  };
  using windows = tables_by_start<K, row>;
  using open = typename windows::table;
  using inherited = inherited_tables<windows>;

public:
  aligned_window_stage(window_grid grid, Key key, Fold fold, Late late, Emission emission, naming const& n)
      : named_state(n, "window"),
        grid_(grid),
        key_(std::move(key)),
        fold_(std::move(fold)),
        late_(std::move(late)),
        emission_(std::move(emission)),
        name_(n.id()),
        counts_(n.open_tally("window")) {}

  [[gnu::always_inline]] bool element(T& x, timestamp t, auto down) {
    open* w = current_;
    if (static_cast<std::uint64_t>(t.at) - static_cast<std::uint64_t>(current_start_) >= static_cast<std::uint64_t>(grid_.slide()) || !w)
        [[unlikely]] {
      if (!grid_.tumbles()) return place(x, t, down);
      w = find(t.at);
      if (!w) return too_late(x, t, grid_.last_start(t.at));
    }
    return add(*w, x, t, down);
  }
  bool looks_ahead() const noexcept
    requires callable_ahead<Key, T>
  {
    return current_ && current_->keys.size() >= beyond_caches;
  }
  [[gnu::always_inline]] void foresee(T const& x) const {
    if (current_) current_->keys.fetch_index(std::invoke(key_, x));
  }
  [[gnu::always_inline]] void foresee_soon(T const& x) const {
    if (current_) current_->keys.fetch_row(std::invoke(key_, x));
  }
  bool mark(weir::mark const& m, auto down) {
    if (!inherited_.empty()) [[unlikely]] {
      if (m.kind == mark_kind::restore) take_in_first();
      else return catch_up(m, down);
    }
    if (m.kind != mark_kind::watermark) return down.mark(m);
    if (m.time <= watermark_) return true;  // says nothing that was not said
    watermark_ = m.time;
    bool more = true;
    if (m.time >= next_event_) [[unlikely]]
      more = advance(down);
    return down.mark(m) && more;
  }
  bool finish(auto down) { return down.finish(); }
  std::size_t memory() { return windows_.memory(); }

  void explain(explanation& e) const {
    for (auto const& w : windows_) {
      open_window o;
      o.operator_name = name_;
      o.start = w->start;
      o.end = w->start + grid_.size();
      o.keys = w->keys.size();
      o.elements = w->elements;
      o.watermark = watermark_;
      o.fired = w->fired;
      o.closes = o.end + late_.allowed().count();
      e.windows.push_back(std::move(o));
    }
  }

  tally const& counted() const noexcept { return *counts_; }
  std::string state_schema() const {
    return grid_.schema(kept) + key_section<K>() + value_section_at(schema_of_accumulator<Fold, T>(fold_), windows::row_at);
  }
  void save(state_writer to) {
    std::vector<std::byte> head;
    grid_.save(kept, head);
    encode_state(watermark_, head);
    encode_state(*counts_, head);
    windows_.save_head(head);
    to.put("", std::move(head));
    windows_.save_rows(to);
  }
  void restore(std::span<state_entry const> from) {
    inherited_.clear();
    std::tie(watermark_, *counts_) = read(from, windows_);
    went_on();
  }
  void handed_over() noexcept { *counts_ = tally(); }
  void inherit(std::span<state_entry const> from, heir const& by)
    requires routable_key<Key, K>
  {
    windows old, own;
    auto const [reached, counts] = read(from, old);
    std::uint64_t open_elements = 0;
    for (auto const& w : old) {
      std::uint64_t const n = own.take_over(*w, inherited_by(by, key_));
      if (!w->fired) open_elements += n;
    }
    inherited_.add(typename inherited::part(reached, std::move(own), inherited_counts(counts, open_elements, by)));
  }

private:
  // A state, without what was kept for a larger lateness.
  std::pair<instant, tally> read(std::span<state_entry const> from, windows& into) const {
    std::span<std::byte const> head = take_head("window", from);
    grid_.check_saved(kept, head);
    auto const reached = decode_part<instant>(head);
    tally const counts = decode_counts("window", head);
    std::uint64_t waiting = 0;
    into.restore(head, from, [&](open& w) {
      if (!grid_.is_start(w.start) || !into.sound(w)) throw_damaged_state("window", "it has an impossible window");
      w.fired = w.start + grid_.size() <= reached;
      if (!w.fired) waiting += w.elements;
      return w.start + grid_.size() + late_.allowed().count() > reached;
    });
    check_restored("window", head, counts, waiting);
    return {reached, counts};
  }
  // Windows are there that did not come by elements.
  void went_on() {
    current_ = nullptr;
    for (auto const& w : windows_) w->fired = w->start + grid_.size() <= watermark_;
    if constexpr (Emission::kind == emission_kind::early) note_early();
    next_event_ = find_next_event();
  }
  void take_in_first() {
    inherited_.take_in_first(windows_, watermark_, *counts_, [this] { went_on(); });
  }
  // The first mark behind the restore.
  bool catch_up(weir::mark const& m, auto down) {
    auto const advance_to = [this, &down] { return advance(down); };
    bool more = inherited_.take_in_others(windows_, watermark_, *counts_, advance_to, [this] { went_on(); });
    if (m.kind == mark_kind::watermark && m.time > watermark_) {
      watermark_ = m.time;
      more = advance(down) && more;
    }
    return down.mark(m) && more;
  }
  // The window of an element that is not in the one of that before, if it is still there.
  [[gnu::noinline]] open* find(instant t) {
    if (!placeable(t)) [[unlikely]]
      throw_not_placeable(t);
    current_start_ = grid_.last_start(t);
    return current_ = closed(current_start_) ? nullptr : &at(current_start_);
  }
  // An element where windows overlap.
  [[gnu::noinline]] bool place(T& x, timestamp t, auto down) {
    if (!placeable(t.at)) [[unlikely]]
      throw_not_placeable(t.at);
    bool more = true;
    for (instant start = grid_.first_start(t.at); start <= t.at; start += grid_.slide())
      more = (closed(start) ? too_late(std::as_const(x), t, start) : add(at(start), x, t, down)) && more;
    return more;
  }
  bool closed(instant start) const noexcept { return start + grid_.size() + late_.allowed().count() <= watermark_; }
  // A const x is in other windows too.
  template <class X> [[gnu::noinline]] bool too_late(X& x, timestamp t, instant start) {
    late_.take(x, lateness(t.at, grid_.window(start), watermark_));
    ++counts_->in;
    ++counts_->late;
    return true;
  }
  [[gnu::always_inline]] bool add(open& w, T& x, timestamp t, auto down) {
    row& r = w.keys[std::invoke(key_, std::as_const(x))];
    fold_.add(r.folded, std::as_const(x), t.at);
    w.changed.set(w.keys.place_of(r));
    ++counts_->in;
    ++w.elements;
    if constexpr (several) r.count.changed = true;
    if constexpr (Late::updates) {
      if (w.fired) {
        ++counts_->out;
        return give(w, r, pane::late, down);
      }
    }
    ++counts_->open;
    if constexpr (Emission::kind == emission_kind::on_each) return give(w, r, pane::early, down);
    else return true;
  }
  open& at(instant start) {
    auto const [w, made] = windows_.at(start);
    if (made) {
      if constexpr (Emission::kind == emission_kind::early) {
        if (windows_.size() == 1) {
          note_early();
          next_event_ = next_early();
        }
      }
      // Behind its end, yet within the allowed lateness: it fires with its first element.
      w->fired = start + grid_.size() <= watermark_;
      next_event_ = std::min(next_event_, next_of(*w));
    }
    return *w;
  }

  // The watermark has reached something.
  bool advance(auto down) {
    bool more = true;
    for (auto const& w : windows_) {
      if (w->start + grid_.size() > watermark_) break;
      if (!w->fired) more = fire(*w, down) && more;
    }
    std::size_t gone = 0;
    while (gone != windows_.size() && closed(windows_[gone].start)) ++gone;
    if (gone != 0) {
      current_ = nullptr;
      windows_.drop_front(gone);
    }
    if constexpr (Emission::kind == emission_kind::early) more = fire_early(down) && more;
    next_event_ = find_next_event();
    return more;
  }
  bool fire(open& w, auto down) {
    bool more = true;
    for (row& r : w.keys) more = give(w, r, pane::on_time, down) && more;
    w.fired = true;
    counts_->out += w.elements;
    counts_->open -= w.elements;
    return more;
  }
  bool fire_early(auto down) {
    bool more = true;
    if (early_from_ != start_of_time && watermark_ >= next_early()) {
      for (auto const& w : windows_)
        if (!w->fired)
          for (row& r : w->keys)
            if (r.count.changed) more = give(*w, r, pane::early, down) && more;
    }
    note_early();
    return more;
  }
  void note_early() noexcept {
    early_from_ =
        watermark_ == start_of_time ? start_of_time : grid_.last_multiple(std::max(watermark_, before_events), emission_.every().count());
  }
  // The first watermark of all passes no multiple.
  instant next_early() const noexcept { return early_from_ == start_of_time ? watermark_ : later_by(early_from_, emission_.every()); }
  bool give(open& w, row& r, pane p, auto down) {
    std::uint32_t revision = 0;
    if constexpr (several) {
      w.changed.set(w.keys.place_of(r));
      revision = r.count.next++;
      r.count.changed = false;
    }
    time_window const window = grid_.window(w.start);
    result out(r.key, window, fold_.result(std::as_const(r.folded)), revision, p);
    return down.element(out, timestamp{window.end - 1});
  }

  // The watermark at which something happens to a window; to any.
  instant next_of(open const& w) const noexcept {
    instant const end = w.start + grid_.size();
    return w.fired ? end + late_.allowed().count() : end;
  }
  instant find_next_event() const noexcept {
    instant next = end_of_time;
    for (auto const& w : windows_) next = std::min(next, next_of(*w));
    if constexpr (Emission::kind == emission_kind::early)
      if (!windows_.empty()) next = std::min(next, next_early());
    return next;
  }

  window_grid grid_;
  [[no_unique_address]] Key key_;
  [[no_unique_address]] Fold fold_;
  [[no_unique_address]] Late late_;
  [[no_unique_address]] Emission emission_;
  std::string name_;
  std::shared_ptr<tally> counts_;
  instant watermark_ = start_of_time, next_event_ = end_of_time, current_start_ = start_of_time;
  instant early_from_ = start_of_time;  // the last multiple of the early period that the watermark has passed
  open* current_ = nullptr;
  windows windows_;
  inherited inherited_;
};

}  // namespace weir::detail
