#pragma once
#include <weir/codec.hpp>
#include <weir/ledger.hpp>
#include <weir/mark.hpp>
#include <weir/operators/detail/join_inputs.hpp>
#include <weir/operators/detail/join_rows.hpp>
#include <weir/operators/detail/named_state.hpp>
#include <weir/operators/detail/schema_sections.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/joined.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/time_window.hpp>
#include <weir/shape.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace weir::detail {

// An element on the left at t belongs to those on the right in [t + lower, t + upper]. It is kept until the watermark has passed the last
// of them, so whoever is not late meets all partners.
template <class K, class L, class R, class KeyL, class KeyR, class Late> class interval_join_stage : public named_state {
  using rows = join_rows<K, L, R>;
  using row = typename rows::row;
  using result = joined<K, L, R>;

public:
  interval_join_stage(KeyL l, KeyR r, std::chrono::nanoseconds lower, std::chrono::nanoseconds upper, join_kind kind, Late late,
                      naming const& n)
      : named_state(n, "interval_join"),
        key_left_(std::move(l)),
        key_right_(std::move(r)),
        lower_(lower.count()),
        upper_(upper.count()),
        kind_(kind),
        late_(std::move(late)),
        counts_(n.open_tally("interval_join")) {}

  bool element(either<L, R>& x, timestamp t, auto down) {
    if (!placeable(t.at)) [[unlikely]]
      throw_not_placeable(t.at);
    if (t.at < watermark_) [[unlikely]]
      return too_late(x, t.at);
    if (L* const left = std::get_if<0>(&x)) {
      std::uint32_t const slot = rows_.at(std::invoke(key_left_, std::as_const(*left)));
      row& r = rows_[slot];
      auto& mine = r.left.insert(t.at, std::move(*left));
      enter(slot, left_goes(t.at));
      return meet(
          mine, r.right.between(t.at + lower_, t.at + upper_), [&](auto& other) { return result(r.key, mine.value, other.value); }, down);
    }
    R& right = *std::get_if<1>(&x);
    std::uint32_t const slot = rows_.at(std::invoke(key_right_, std::as_const(right)));
    row& r = rows_[slot];
    auto& mine = r.right.insert(t.at, std::move(right));
    enter(slot, right_goes(t.at));
    return meet(
        mine, r.left.between(t.at - upper_, t.at - lower_), [&](auto& other) { return result(r.key, other.value, mine.value); }, down);
  }
  bool mark(weir::mark const& m, auto down) {
    if (m.kind != mark_kind::watermark) return down.mark(m);
    if (m.time <= watermark_) return true;  // says nothing that was not said
    watermark_ = m.time;
    bool more = true;
    rows_.reach(watermark_, [&](std::uint32_t slot, instant time) { more = expire(slot, time, down) && more; });
    return down.mark(weir::mark::watermark(watermark_behind(m.time))) && more;
  }
  bool finish(auto down) { return down.finish(); }
  std::size_t memory() const noexcept { return rows_.memory(); }

  tally const& counted() const noexcept { return *counts_; }
  std::string state_schema() const {
    return "interval_join, " + span_text(std::chrono::nanoseconds(lower_)) + " to " + span_text(std::chrono::nanoseconds(upper_)) +
           key_section<K>() + "; left " + schema_of<L>() + "; right " + schema_of<R>();
  }
  void save(std::vector<std::byte>& to) const {
    encode_state(lower_, to);
    encode_state(upper_, to);
    encode_state(watermark_, to);
    encode_state(*counts_, to);
    rows_.save(to);
  }
  void restore(std::span<std::byte const> from) {
    auto const lower = decode_part<instant>(from), upper = decode_part<instant>(from);
    if (lower != lower_ || upper != upper_) throw_foreign_state("interval_join", "it is of a join with another interval");
    watermark_ = decode_part<instant>(from);
    auto const counts = decode_counts("interval_join", from);
    auto const elements = rows_.restore("interval_join", from, [this](std::uint32_t slot) {
      instant const due = next_of(rows_[slot]);
      if (due <= watermark_) throw_damaged_state("interval_join", "it has an element that the watermark has passed");
      rows_.due_at(slot, due);
    });
    check_restored("interval_join", from, counts, elements);
    *counts_ = counts;
  }

private:
  // The watermark at which the last partner has come.
  instant left_goes(instant t) const noexcept { return std::max(t, t + upper_) + 1; }
  instant right_goes(instant t) const noexcept { return std::max(t, t - lower_) + 1; }
  // ... of the first that goes.
  instant next_of(row& r) const noexcept {
    return std::min(r.left.empty() ? end_of_time : left_goes(r.left.front().time),
                    r.right.empty() ? end_of_time : right_goes(r.right.front().time));
  }

  [[gnu::noinline]] bool too_late(either<L, R>& x, instant t) {
    auto const partners = x.index() == 0 ? time_window(t + lower_, t + upper_ + 1) : time_window(t - upper_, t - lower_ + 1);
    late_.take(x, lateness(t, partners, watermark_));
    ++counts_->in;
    ++counts_->late;
    return true;
  }
  void enter(std::uint32_t slot, instant goes) {
    rows_.due_by(slot, goes);
    ++counts_->in;
    ++counts_->open;
  }
  template <class Mine, class Others> bool meet(Mine& mine, Others others, auto pair_with, auto down) {
    bool more = true;
    for (auto& other : others) {
      mine.matched = other.matched = true;
      result out = pair_with(other);
      more = down.element(out, timestamp{std::max(mine.time, other.time)}) && more;
    }
    return more;
  }
  bool expire(std::uint32_t slot, instant time, auto down) {
    row& r = rows_[slot];
    bool more = true;
    for (; !r.left.empty() && left_goes(r.left.front().time) <= time; r.left.pop_front()) {
      auto& e = r.left.front();
      gone();
      if (e.matched || kind_ == join_kind::inner) continue;
      result out(r.key, std::move(e.value), std::nullopt);
      more = down.element(out, timestamp{e.time}) && more;
    }
    for (; !r.right.empty() && right_goes(r.right.front().time) <= time; r.right.pop_front()) {
      auto& e = r.right.front();
      gone();
      if (e.matched || kind_ != join_kind::full) continue;
      result out(r.key, std::nullopt, std::move(e.value));
      more = down.element(out, timestamp{e.time}) && more;
    }
    if (r.empty()) rows_.forget(slot);
    else rows_.due_at(slot, next_of(r));
    return more;
  }
  void gone() noexcept {
    --counts_->open;
    ++counts_->out;
  }
  // Elements without a partner leave behind the watermark, with their own time, so it goes on by that much later.
  instant watermark_behind(instant w) const noexcept {
    if (kind_ == join_kind::inner || w == end_of_time) return w;
    instant const longest = std::max({upper_, kind_ == join_kind::full ? -lower_ : 0, instant(0)});
    return w < start_of_time + longest ? start_of_time : w - longest;
  }

  [[no_unique_address]] KeyL key_left_;
  [[no_unique_address]] KeyR key_right_;
  instant lower_, upper_;
  join_kind kind_;
  [[no_unique_address]] Late late_;
  std::shared_ptr<tally> counts_;
  instant watermark_ = start_of_time;
  rows rows_;
};

}  // namespace weir::detail
