#pragma once
#include <weir/codec.hpp>
#include <weir/explanation.hpp>
#include <weir/heir.hpp>
#include <weir/ledger.hpp>
#include <weir/mark.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/accumulator.hpp>
#include <weir/operators/detail/inherited_tables.hpp>
#include <weir/operators/detail/keyed_table.hpp>
#include <weir/operators/detail/named_operator.hpp>
#include <weir/operators/detail/named_state.hpp>
#include <weir/operators/detail/partition_key.hpp>
#include <weir/operators/detail/schema_sections.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/state_rows.hpp>
#include <weir/operators/detail/tables_by_start.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/detail/window_grid.hpp>
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
#include <utility>
#include <vector>

namespace weir::detail {

// Overlapping windows that fire once, made of slices: an element is folded into one slice, and a window that fires is merged from its
// slices. A slice goes with the last window it is in.
template <class K, class T, class Key, class Fold, class Late> class sliced_window_stage : public named_state {
  using state = accumulator_state<Fold, T>;
  using result = window_result<K, accumulator_result<Fold, T>>;
  struct row {
    explicit row(K k) : key(std::move(k)) {}
    K key;
    state folded{};
  };
  using table = keyed_table<K, row>;
  using slices = tables_by_start<K, row>;
  using slice = typename slices::table;
  using inherited = inherited_tables<slices>;

public:
  sliced_window_stage(window_grid grid, Key key, Fold fold, Late late, naming const& n)
      : named_state(n, "window"),
        grid_(grid),
        width_(grid.slice_width()),
        key_(std::move(key)),
        fold_(std::move(fold)),
        late_(std::move(late)),
        name_(n.id()),
        counts_(n.open_tally("window")),
        merged_(std::make_unique<table>()) {}

  bool element(T& x, timestamp t, auto) {
    if (static_cast<std::uint64_t>(t.at) - static_cast<std::uint64_t>(current_start_) >= static_cast<std::uint64_t>(width_) || !current_)
        [[unlikely]] {
      if (!turn_to(x, t)) return true;
    }
    row& r = current_->keys[std::invoke(key_, std::as_const(x))];
    fold_.add(r.folded, std::as_const(x), t.at);
    current_->changed.set(current_->keys.place_of(r));
    ++current_->elements;
    counts_->in += current_open_;
    counts_->open += current_open_;
    if (current_missed_ != 0) [[unlikely]]
      miss(x, t);
    return true;
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
    if (m.time >= next_end_) [[unlikely]]
      more = advance(down);
    return down.mark(m) && more;
  }
  bool finish(auto down) { return down.finish(); }
  std::size_t memory() { return slices_.memory() + merged_->memory(); }

  void explain(explanation& e) const {
    if (slices_.empty()) return;
    for (instant end = next_end_; end - grid_.size() <= slices_.back().start; end += grid_.slide()) {
      open_window w;
      w.operator_name = name_;
      w.start = end - grid_.size();
      w.end = w.closes = end;
      w.watermark = watermark_;
      for (auto const& s : slices_) {
        if (s->start < w.start) continue;
        if (s->start >= w.end) break;
        w.elements += s->elements;
        w.keys = std::max(w.keys, s->keys.size());
      }
      if (w.elements != 0) e.windows.push_back(std::move(w));
    }
  }

  tally const& counted() const noexcept { return *counts_; }
  std::string state_schema() const {
    return grid_.schema(window_state::slices) + key_section<K>() + value_section_at(schema_of_accumulator<Fold, T>(fold_), slices::row_at);
  }
  void save(state_writer to) {
    std::vector<std::byte> head;
    grid_.save(window_state::slices, head);
    encode_state(watermark_, head);
    encode_state(*counts_, head);
    slices_.save_head(head);
    to.put("", std::move(head));
    slices_.save_rows(to);
  }
  void restore(std::span<state_entry const> from) {
    inherited_.clear();
    std::tie(watermark_, *counts_) = read(from, slices_);
    went_on();
  }
  void handed_over() noexcept { *counts_ = tally(); }
  void inherit(std::span<state_entry const> from, heir const& by)
    requires routable_key<Key, K>
  {
    slices old, own;
    auto const [reached, counts] = read(from, old);
    std::uint64_t open_elements = 0;
    for (auto const& s : old) open_elements += own.take_over(*s, inherited_by(by, key_)) * open_windows(s->start, reached);
    inherited_.add(typename inherited::part(reached, std::move(own), inherited_counts(counts, open_elements, by)));
  }

private:
  std::pair<instant, tally> read(std::span<state_entry const> from, slices& into) const {
    std::span<std::byte const> head = take_head("window", from);
    grid_.check_saved(window_state::slices, head);
    auto const reached = decode_part<instant>(head);
    tally const counts = decode_counts("window", head);
    std::uint64_t waiting = 0;
    into.restore(head, from, [&](slice const& s) {
      std::uint64_t const open = open_windows(s.start, reached);
      if (!grid_.could_start(s.start) || slice_start(s.start) != s.start || !into.sound(s) || open == 0)
        throw_damaged_state("window", "it has an impossible slice");
      waiting += s.elements * open;
      return true;
    });
    check_restored("window", head, counts, waiting);
    return {reached, counts};
  }
  // Slices are there that did not come by elements.
  void went_on() noexcept {
    current_ = nullptr;
    next_end_ = slices_.empty() ? end_of_time : first_open_end(slices_.front().start);
  }
  void take_in_first() {
    inherited_.take_in_first(slices_, watermark_, *counts_, [this] { went_on(); });
  }
  // The first mark behind the restore.
  bool catch_up(weir::mark const& m, auto down) {
    auto const advance_to = [this, &down] { return advance(down); };
    bool more = inherited_.take_in_others(slices_, watermark_, *counts_, advance_to, [this] { went_on(); });
    if (m.kind == mark_kind::watermark && m.time > watermark_) {
      watermark_ = m.time;
      more = advance(down) && more;
    }
    return down.mark(m) && more;
  }
  instant slice_start(instant t) const noexcept { return grid_.last_multiple(t, width_); }
  // Of the windows that t is in: how many have not closed, and where the first of these ends.
  std::uint64_t open_windows(instant t) const noexcept { return open_windows(t, watermark_); }
  std::uint64_t open_windows(instant t, instant watermark) const noexcept {
    instant const first = grid_.first_start(t) + grid_.size(), last = grid_.last_start(t) + grid_.size();
    return last <= watermark ? 0 : static_cast<std::uint64_t>((last - std::max(first, watermark + 1)) / grid_.slide()) + 1;
  }
  instant first_open_end(instant t) const noexcept {
    return grid_.last_start(t) + grid_.size() - static_cast<instant>(open_windows(t) - 1) * grid_.slide();
  }

  // Makes the slice of t the current one. False: all its windows have closed.
  bool turn_to(T& x, timestamp t) {
    if (!placeable(t.at)) [[unlikely]]
      throw_not_placeable(t.at);
    current_ = nullptr;
    current_open_ = open_windows(t.at);
    current_missed_ = static_cast<std::uint64_t>((grid_.last_start(t.at) - grid_.first_start(t.at)) / grid_.slide()) + 1 - current_open_;
    if (current_open_ == 0) {
      miss(x, t);
      return false;
    }
    instant const start = slice_start(t.at);
    auto const [s, made] = slices_.at(start);
    if (made) next_end_ = std::min(next_end_, first_open_end(t.at));
    current_ = s;
    current_start_ = start;
    return true;
  }
  // Some windows of the current slice have closed: the element is late for those. It may be in others too, hence const.
  void miss(T const& x, timestamp t) {
    instant start = grid_.first_start(t.at);
    for (std::uint64_t missed = current_missed_; missed != 0; --missed, start += grid_.slide()) {
      late_.take(x, lateness(t.at, grid_.window(start), watermark_));
      ++counts_->in;
      ++counts_->late;
    }
  }

  bool advance(auto down) {
    bool more = true;
    current_ = nullptr;  // which of its windows are open has changed
    while (next_end_ <= watermark_ && !slices_.empty()) {
      time_window const w(next_end_ - grid_.size(), next_end_);
      std::uint64_t elements = 0;
      for (auto const& s : slices_) {
        if (s->start < w.start) continue;
        if (s->start >= w.end) break;
        elements += s->elements;
        for (row const& r : s->keys) fold_.merge((*merged_)[r.key].folded, r.folded);
      }
      for (row const& r : *merged_) {
        result out(r.key, w, fold_.result(r.folded));
        more = down.element(out, timestamp{w.end - 1}) && more;
      }
      merged_->clear();
      counts_->out += elements;
      counts_->open -= elements;
      instant const next_start = w.start + grid_.slide();
      std::size_t gone = 0;
      while (gone != slices_.size() && slices_[gone].start < next_start) ++gone;
      slices_.drop_front(gone);
      // Windows without elements are skipped.
      if (slices_.empty()) next_end_ = end_of_time;
      else next_end_ = std::max(next_end_ + grid_.slide(), grid_.first_start(slices_.front().start) + grid_.size());
    }
    return more;
  }

  window_grid grid_;
  instant width_;
  [[no_unique_address]] Key key_;
  [[no_unique_address]] Fold fold_;
  [[no_unique_address]] Late late_;
  std::string name_;
  std::shared_ptr<tally> counts_;
  instant watermark_ = start_of_time, next_end_ = end_of_time, current_start_ = start_of_time;
  slice* current_ = nullptr;
  std::uint64_t current_open_ = 0, current_missed_ = 0;  // windows of an element in the current slice
  slices slices_;
  inherited inherited_;
  std::unique_ptr<table> merged_;
};

}  // namespace weir::detail
