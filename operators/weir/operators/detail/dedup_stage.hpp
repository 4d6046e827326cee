#pragma once
#include <weir/codec.hpp>
#include <weir/heir.hpp>
#include <weir/ledger.hpp>
#include <weir/mark.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/detail/id_generation.hpp>
#include <weir/operators/detail/inherited_watermark.hpp>
#include <weir/operators/detail/kept_generations.hpp>
#include <weir/operators/detail/look_ahead.hpp>
#include <weir/operators/detail/named_state.hpp>
#include <weir/operators/detail/schema_sections.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/state_rows.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/read_through.hpp>
#include <weir/shape.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir::detail {

// Where elements go that are taken out of the stream.
struct nowhere {
  template <class T> void operator()(T&) const noexcept {}
};

// Ids lie in generations one horizon wide, by the event time of their element, and go with their generation: none is ever erased by
// itself.
// `Kept`: how much of the ids is in memory.
template <class Id, class T, class IdOf, class Duplicates, class Unjudged, class Kept> class dedup_stage : public named_state {
  using generations = kept_generations<Id, Kept>;
  using generation = typename generations::generation;
  using generation_ptr = std::unique_ptr<generation>;

public:
  dedup_stage(IdOf id, std::chrono::nanoseconds horizon, Duplicates d, Unjudged u, Kept kept, naming const& n)
      : named_state(n, "dedup"),
        id_(std::move(id)),
        duplicates_(std::move(d)),
        unjudged_(std::move(u)),
        horizon_(horizon.count()),
        kept_(std::move(kept)),
        counts_(n.open_tally("dedup")) {}

  bool element(T& x, timestamp t, auto down) {
    if (!current_ || static_cast<std::uint64_t>(t.at) - static_cast<std::uint64_t>(current_->start()) >=
                         static_cast<std::uint64_t>(horizon_)) [[unlikely]] {
      if (!turn_to(t.at)) return cannot_judge(x, t, down);
    }
    decltype(auto) id = std::invoke(id_, std::as_const(x));
    if (known(id)) {
      ++counts_->in;
      ++counts_->duplicate;
      duplicates_(x);
      return true;
    }
    return down.element(x, t);
  }
  bool looks_ahead() const noexcept
    requires(generation::can_fetch && callable_ahead<IdOf, T>)
  {
    return current_ && current_->size() >= beyond_caches;
  }
  [[gnu::always_inline]] void foresee(T const& x) const {
    if (!current_) return;
    auto const id = std::invoke(id_, x);
    current_->fetch(id);
    if (before_) before_->fetch(id);
    if (after_) after_->fetch(id);
  }
  [[gnu::always_inline]] void foresee_soon(T const&) const noexcept {}
  bool mark(weir::mark const& m, auto down) {
    if (m.kind == mark_kind::watermark) {
      watermark_ = m.time;
      if (m.time >= next_expiry_) [[unlikely]]
        expire();
    }
    return down.mark(m);
  }
  bool finish(auto down) { return down.finish(); }
  std::size_t memory() const noexcept {
    std::size_t all = kept_.memory();
    for (generation_ptr const& g : live_) all += g->memory();
    return all;
  }

  tally const& counted() const noexcept { return *counts_; }
  std::string state_schema() const {
    return "dedup, " + span_text(std::chrono::nanoseconds(horizon_)) + "; value " + schema_of<Id>() + " repeated";
  }
  // One entry without a key for all but the ids.
  void save(state_writer to)
    requires(!Kept::reads_through)
  {
    save_head(to);
    for (generation_ptr const& g : live_) g->save(to, logged_);
    logged_ = true;
  }
  void save(state_writer to, read_through const& stored)
    requires(Kept::reads_through)
  {
    state_writer blocks = to.read_through();
    for (instant const start : dropped_) blocks.erase_prefix(generation_prefix(start));
    save_head(to);
    kept_.save(to, stored, live_, logged_);
    logged_ = true;
  }
  void restore(std::span<state_entry const> from, read_through const& stored)
    requires(Kept::reads_through)
  {
    kept_.read_from(stored);
    restore(from);
  }
  void handed_over() noexcept { *counts_ = tally(); }
  // All ids go to each of the heirs: an id does not tell in which partition it would come again.
  void inherit(std::span<state_entry const> from, heir const& by)
    requires(!Kept::reads_through)
  {
    std::span<std::byte const> head = take_head("dedup", from);
    watermark_ = inherited_.with(decode_part<instant>(head));
    *counts_ += inherited_counts(decode_state<tally>(head), 0, by);
    for (state_entry const& e : from) {
      auto const [start, part, mark] = parse_generation_entry(e.key);
      (*place_of(start))->take_over(mark, e.value);
    }
    expire();
  }
  void restore(std::span<state_entry const> from) {
    live_.clear();
    std::span<std::byte const> head = take_head("dedup", from);
    watermark_ = decode_part<instant>(head);
    *counts_ = decode_state<tally>(head);
    for (state_entry const& e : from) {
      auto const [start, part, mark] = parse_generation_entry(e.key);
      if (live_.empty() || live_.back()->start() != start) live_.push_back(kept_.open(start));
      live_.back()->restore(part, mark, e.value);
    }
    logged_ = true;
    expire();
  }

private:
  void save_head(state_writer& to) {
    std::vector<std::byte> head;
    encode_state(watermark_, head);
    encode_state(*counts_, head);
    to.put("", std::move(head));
    for (instant const start : dropped_) to.erase_prefix(generation_prefix(start));
    dropped_.clear();
  }
  template <class Q> bool known(Q const& id) { return neighbours_know(id) || !current_->insert(id, logged_); }
  template <class Q> bool neighbours_know(Q const& id) const {
    return (before_ && before_->contains(id)) || (after_ && after_->contains(id));
  }
  auto place_of(instant start) {
    auto const it = std::lower_bound(live_.begin(), live_.end(), start, [](generation_ptr const& g, instant s) { return g->start() < s; });
    return it != live_.end() && (*it)->start() == start ? it : live_.insert(it, kept_.open(start));
  }
  // Makes the generation of t the current one. False: it is gone, so whether t's element came before is not known any more.
  bool turn_to(instant t) {
    instant const start = floor_to(t, std::chrono::nanoseconds(horizon_));
    if (gone(start)) return false;
    auto const it = place_of(start);
    current_ = it->get();
    before_ = it != live_.begin() && (*std::prev(it))->start() == start - horizon_ ? std::prev(it)->get() : nullptr;
    after_ = std::next(it) != live_.end() && (*std::next(it))->start() == start + horizon_ ? std::next(it)->get() : nullptr;
    next_expiry_ = live_.front()->start() + 2 * horizon_;
    return true;
  }
  // The watermark has passed all times at most one horizon behind those in it.
  bool gone(instant start) const noexcept { return start + 2 * horizon_ <= watermark_; }
  void expire() {
    auto const live = std::find_if(live_.begin(), live_.end(), [this](generation_ptr const& g) { return !gone(g->start()); });
    for (auto g = live_.begin(); g != live; ++g)
      if ((*g)->saved()) dropped_.push_back((*g)->start());
    live_.erase(live_.begin(), live);
    current_ = before_ = after_ = nullptr;
    next_expiry_ = live_.empty() ? end_of_time : live_.front()->start() + 2 * horizon_;
  }
  bool cannot_judge(T& x, timestamp t, auto down) {
    if constexpr (std::same_as<Unjudged, nowhere>) {
      return down.element(x, t);
    } else {
      ++counts_->in;
      ++counts_->late;
      unjudged_(x);
      return true;
    }
  }

  [[no_unique_address]] IdOf id_;
  [[no_unique_address]] Duplicates duplicates_;
  [[no_unique_address]] Unjudged unjudged_;
  instant horizon_, watermark_ = start_of_time, next_expiry_ = end_of_time;
  inherited_watermark inherited_;
  generation *current_ = nullptr, *before_ = nullptr, *after_ = nullptr;
  [[no_unique_address]] generations kept_;
  std::vector<generation_ptr> live_;  // by start
  std::vector<instant> dropped_;      // generations that checkpoints still have
  bool logged_ = false;               // there was a barrier or a restore: the next barrier wants what is new
  std::shared_ptr<tally> counts_;
};

}  // namespace weir::detail
