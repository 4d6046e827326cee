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

// An element on the left at t waits until the watermark has passed t, so that all of the right up to t are here, and takes the last of
// them. Of the right, what is behind the watermark is kept only as far as it may still be the last for somebody.
template <class K, class L, class R, class KeyL, class KeyR, class Late> class as_of_join_stage : public named_state {
  using rows = join_rows<K, L, R>;
  using row = typename rows::row;
  using result = joined<K, L, R>;

public:
  as_of_join_stage(KeyL l, KeyR r, std::chrono::nanoseconds tolerance, join_kind kind, Late late, naming const& n)
      : named_state(n, "as_of_join"),
        key_left_(std::move(l)),
        key_right_(std::move(r)),
        tolerance_(tolerance.count()),
        kind_(kind),
        late_(std::move(late)),
        counts_(n.open_tally("as_of_join")) {}

  bool element(either<L, R>& x, timestamp t, auto) {
    if (!placeable(t.at)) [[unlikely]]
      throw_not_placeable(t.at);
    if (t.at < watermark_) [[unlikely]]
      return too_late(x, t.at);
    if (L* const left = std::get_if<0>(&x)) {
      std::uint32_t const slot = rows_.at(std::invoke(key_left_, std::as_const(*left)));
      rows_[slot].left.insert(t.at, std::move(*left));
      rows_.due_by(slot, t.at + 1);
    } else {
      R& right = *std::get_if<1>(&x);
      std::uint32_t const slot = rows_.at(std::invoke(key_right_, std::as_const(right)));
      row& r = rows_[slot];
      r.right.insert(t.at, std::move(right));
      trim(r);
      rows_.due_by(slot, right_goes(r));
    }
    ++counts_->in;
    ++counts_->open;
    return true;
  }
  bool mark(weir::mark const& m, auto down) {
    if (m.kind != mark_kind::watermark) return down.mark(m);
    if (m.time <= watermark_) return true;  // says nothing that was not said
    watermark_ = m.time;
    bool more = true;
    rows_.reach(watermark_, [&](std::uint32_t slot, instant time) { more = pass(slot, time, down) && more; });
    return down.mark(m) && more;
  }
  bool finish(auto down) { return down.finish(); }
  std::size_t memory() const noexcept { return rows_.memory(); }

  tally const& counted() const noexcept { return *counts_; }
  std::string state_schema() const {
    return "as_of_join, " + span_text(std::chrono::nanoseconds(tolerance_)) + key_section<K>() + "; left " + schema_of<L>() + "; right " +
           schema_of<R>();
  }
  void save(std::vector<std::byte>& to) const {
    encode_state(tolerance_, to);
    encode_state(watermark_, to);
    encode_state(*counts_, to);
    rows_.save(to);
  }
  void restore(std::span<std::byte const> from) {
    if (decode_part<instant>(from) != tolerance_) throw_foreign_state("as_of_join", "it is of a join with another tolerance");
    watermark_ = decode_part<instant>(from);
    auto const counts = decode_counts("as_of_join", from);
    auto const elements = rows_.restore("as_of_join", from, [this](std::uint32_t slot) {
      row& r = rows_[slot];
      if (!r.left.empty() && r.left.front().time < watermark_)
        throw_damaged_state("as_of_join", "it has an element that the watermark has passed");
      rows_.due_at(slot, next_of(r));
    });
    check_restored("as_of_join", from, counts, elements);
    *counts_ = counts;
  }

private:
  [[gnu::noinline]] bool too_late(either<L, R>& x, instant t) {
    late_.take(x, lateness(t, time_window(t, t + 1), watermark_));
    ++counts_->in;
    ++counts_->late;
    return true;
  }
  // The watermark has reached the time for which a row was listed.
  bool pass(std::uint32_t slot, instant time, auto down) {
    row& r = rows_[slot];
    bool more = true;
    while (!r.left.empty() && r.left.front().time < time) more = give(r, down) && more;
    trim(r);
    if (r.empty()) rows_.forget(slot);
    else rows_.due_at(slot, next_of(r));
    return more;
  }
  bool give(row& r, auto down) {
    auto& e = r.left.front();
    instant const at = e.time;
    auto const upto = r.right.between(at - tolerance_, at);
    bool more = true;
    if (!upto.empty()) {
      result out(r.key, std::move(e.value), upto.back().value);
      more = down.element(out, timestamp{at});
    } else if (kind_ == join_kind::left) {
      result out(r.key, std::move(e.value), std::nullopt);
      more = down.element(out, timestamp{at});
    }
    r.left.pop_front();
    gone();
    return more;
  }
  // Whoever comes is not behind the watermark, so of what is there only the last can be wanted, unless somebody on the left still waits.
  void trim(row& r) {
    instant const earliest = r.left.empty() ? watermark_ : std::min(watermark_, r.left.front().time);
    for (auto all = r.right.all(); !all.empty(); all = r.right.all()) {
      bool const replaced = all.size() > 1 && all[1].time <= earliest, too_old = all[0].time + tolerance_ < earliest;
      if (!replaced && !too_old) break;
      r.right.pop_front();
      gone();
    }
  }
  // When half of a row's right can go, so that each pays for one look at most, and no more are kept in vain than are needed.
  instant right_goes(row& r) const noexcept {
    auto const all = r.right.all();
    instant const too_old = all[(all.size() - 1) / 2].time + tolerance_ + 1;
    return all.size() == 1 ? too_old : std::min(too_old, all[all.size() / 2].time);
  }
  instant next_of(row& r) const noexcept {
    return std::min(r.left.empty() ? end_of_time : r.left.front().time + 1, r.right.empty() ? end_of_time : right_goes(r));
  }
  void gone() noexcept {
    --counts_->open;
    ++counts_->out;
  }

  [[no_unique_address]] KeyL key_left_;
  [[no_unique_address]] KeyR key_right_;
  instant tolerance_;
  join_kind kind_;
  [[no_unique_address]] Late late_;
  std::shared_ptr<tally> counts_;
  instant watermark_ = start_of_time;
  rows rows_;
};

}  // namespace weir::detail
