#pragma once
#include <weir/clock.hpp>
#include <weir/codec.hpp>
#include <weir/context.hpp>
#include <weir/explanation.hpp>
#include <weir/heir.hpp>
#include <weir/ledger.hpp>
#include <weir/mark.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/detail/named_state.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/time_fault.hpp>
#include <weir/operators/watermark_strategy.hpp>
#include <weir/shape.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::detail {

struct event_time_rules {
  std::string partition;
  std::chrono::nanoseconds idle_after = std::chrono::seconds(10), max_ahead = std::chrono::hours(24), max_step = std::chrono::hours(24);
  quiet_time when_quiet = quiet_time::passes;
};

[[noreturn]] void throw_bad_time(time_fault fault, instant at, event_time_rules const& rules, instant now);

// Which event time it is, as far as the elements and the quiet times tell.
class event_clock {
public:
  explicit event_clock(event_time_rules rules) : rules_(std::move(rules)) {}
  event_time_rules const& rules() const noexcept { return rules_; }
  void enter(context& c) noexcept;
  instant now() const noexcept { return clock_ ? clock_->now() : 0; }

  // The common case in one look; it can only err towards asking plausible().
  bool surely_plausible(instant at) const noexcept { return at <= ceiling_ && at >= earliest_event; }
  bool plausible(instant at) noexcept;
  // The highest event time, of elements or of quiet times; of elements only.
  instant highest() const noexcept { return highest_; }
  instant newest() const noexcept { return newest_; }
  void seen_element(instant at) noexcept {
    if (noted_) [[unlikely]]
      forget_notes(at);
  }
  // An element above the newest one. False: event time stays, as it is not believed yet or quiet times have got further.
  bool raise(instant at) noexcept {
    if (at > next_step_) [[unlikely]]
      return leap(at);
    return believe(at);
  }
  // Not further than the largest step from what is known.
  bool within_step(instant at) const noexcept { return at <= later_by(highest_, rules_.max_step); }
  // The source has been quiet for so long. True: event time has passed.
  bool quiet_for(std::chrono::nanoseconds quiet) noexcept;
  bool idle() const noexcept { return quiet_ && *quiet_ >= rules_.idle_after; }

  void explain(explanation& e, instant watermark) const;
  void save(std::vector<std::byte>& to) const;
  void restore(std::span<std::byte const>& from);
  // It is as far as both.
  void join(event_clock const& o) noexcept;

private:
  bool leap(instant at) noexcept;
  void forget_notes(instant at) noexcept;
  bool believe(instant at) noexcept {
    newest_ = at;
    if (at <= highest_) [[unlikely]]
      return false;
    highest_ = at;
    next_step_ = later_by(at, rules_.max_step);
    return true;
  }

  event_time_rules rules_;
  clock* clock_ = nullptr;
  instant ceiling_ = start_of_time, highest_ = start_of_time, newest_ = start_of_time, next_step_ = end_of_time;
  bool noted_ = false;            // there may be an ahead_ or a quiet_, which the next element changes
  std::optional<instant> ahead_;  // a time that the next element has to confirm
  std::optional<std::chrono::nanoseconds> quiet_;
  instant quiet_since_ = start_of_time;
};

// What becomes of an element that cannot be placed.
class refuse_bad_times {
public:
  static constexpr bool fails = true;
};
template <class F> class give_bad_times {
public:
  static constexpr bool fails = false;
  explicit give_bad_times(F f) : f_(std::move(f)) {}
  template <class T> void operator()(T& x, time_fault fault) {
    constexpr bool with_fault = std::invocable<F&, T&, time_fault>;
    static_assert(with_fault || std::invocable<F&, T&>,
                  "weir: bad_times_to's function is called with the element, or the element and a "
                  "weir::time_fault");
    if constexpr (with_fault) std::invoke(f_, x, fault);
    else if constexpr (std::invocable<F&, T&>) std::invoke(f_, x);
  }

private:
  [[no_unique_address]] F f_;
};

template <class R> inline constexpr bool is_time = std::same_as<R, instant>;
template <class D> inline constexpr bool is_time<std::chrono::sys_time<D>> = true;
template <class R> inline constexpr bool is_maybe_time = is_time<R>;
template <class R> inline constexpr bool is_maybe_time<std::optional<R>> = is_time<R>;
template <class F, class T>
concept gives_time = std::invocable<F&, T const&> && is_maybe_time<std::remove_cvref_t<std::invoke_result_t<F&, T const&>>>;

inline instant as_instant(instant t) noexcept { return t; }
template <class D> instant as_instant(std::chrono::sys_time<D> t) noexcept {
  if constexpr (std::floating_point<typename D::rep>) {  // NaN is no time, and what is far away cannot be converted
    using exact = std::chrono::duration<long double, std::nano>;
    auto const n = exact(t.time_since_epoch()).count();
    if (!(n >= static_cast<long double>(earliest_event))) return start_of_time;
    if (n > static_cast<long double>(latest_event)) return end_of_time;
  }
  return to_instant(t);
}

template <class Extract, class Strategy, class BadTimes> class event_time_stage : public named_state {
public:
  static constexpr bool hands_on_as_is = true;
  event_time_stage(Extract e, Strategy s, BadTimes b, event_time_rules rules, naming const& n)
      : named_state(n, "event_time"),
        extract_(std::move(e)),
        strategy_(std::move(s)),
        bad_times_(std::move(b)),
        clock_(std::move(rules)),
        counts_(n.open_tally("event_time")) {}

  template <class T, class Time> bool element(T& x, Time, auto down) {
    auto const said = std::invoke(extract_, std::as_const(x));
    instant at;
    if constexpr (is_time<std::remove_cvref_t<decltype(said)>>) {
      at = as_instant(said);
    } else {
      if (!said) [[unlikely]]
        return set_aside(x, time_fault::missing, start_of_time);
      at = as_instant(*said);
    }
    if (!clock_.surely_plausible(at) && !clock_.plausible(at)) [[unlikely]]
      return set_aside(x, at < earliest_event || at > latest_event ? time_fault::out_of_range : time_fault::too_far_ahead, at);
    clock_.seen_element(at);
    if constexpr (is_punctuated<Strategy>) {
      std::optional<instant> const said_watermark = strategy_.watermark_behind(std::as_const(x));
      bool const more = down.element(x, timestamp{at});
      if (at > clock_.newest()) clock_.raise(at);
      return said_watermark && clock_.within_step(*said_watermark) ? advance(*said_watermark, down) && more : more;
    } else {
      bool const more = down.element(x, timestamp{at});
      if (at <= clock_.newest() || !clock_.raise(at)) return more;
      return advance(strategy_.watermark(clock_.highest()), down) && more;
    }
  }
  bool mark(weir::mark const& m, auto down) {
    if (m.kind == mark_kind::watermark) return true;  // the new time has its own
    bool more = true;
    if (m.kind == mark_kind::restore && inherited_ != start_of_time) {
      more = down.mark(m);
      return advance(std::exchange(inherited_, start_of_time), down) && more;
    }
    if (m.kind != mark_kind::idle) return down.mark(m);
    bool const passed = clock_.quiet_for(std::chrono::nanoseconds(m.time));
    if constexpr (!is_punctuated<Strategy>)
      if (passed) more = advance(strategy_.watermark(clock_.highest()), down);
    return clock_.idle() ? down.mark(m) && more : more;
  }
  bool finish(auto down) {
    bool const more = advance(end_of_time, down);
    return down.finish() && more;
  }

  void enter(context& c) noexcept { clock_.enter(c); }
  void explain(explanation& e) const { clock_.explain(e, watermark_); }
  tally const& counted() const noexcept { return *counts_; }
  std::string state_schema() const { return "event_time"; }
  void save(std::vector<std::byte>& to) const {
    clock_.save(to);
    encode_state(watermark_, to);
    encode_state(*counts_, to);
  }
  void restore(std::span<std::byte const> from) {
    clock_.restore(from);
    watermark_ = decode_part<instant>(from);
    *counts_ = decode_counts("event_time", from);
    if (!from.empty()) throw_state_left_over();
  }
  void handed_over() noexcept { *counts_ = tally(); }
  // What comes, comes behind all that came there: time is as far as it was in the furthest of them.
  void inherit(std::span<state_entry const> entries, heir const& by) {
    std::span<std::byte const> from = whole_state(entries);
    event_clock there = clock_;
    there.restore(from);
    clock_.join(there);
    inherited_ = std::max(inherited_, decode_part<instant>(from));
    *counts_ += inherited_counts(decode_counts("event_time", from), 0, by);
    if (!from.empty()) throw_state_left_over();
  }

private:
  bool advance(instant to, auto down) {
    if (to <= watermark_) return true;
    watermark_ = to;
    return down.mark(weir::mark::watermark(to));
  }
  template <class T> bool set_aside(T& x, time_fault fault, instant at) {
    if constexpr (BadTimes::fails) {
      throw_bad_time(fault, at, clock_.rules(), clock_.now());
    } else {
      bad_times_(x, fault);
      ++counts_->in;
      ++counts_->dead;
      return true;
    }
  }

  [[no_unique_address]] Extract extract_;
  [[no_unique_address]] Strategy strategy_;
  [[no_unique_address]] BadTimes bad_times_;
  event_clock clock_;
  instant watermark_ = start_of_time;
  instant inherited_ = start_of_time;  // the greatest watermark of partitions that went before; behind the restore it is here, too
  std::shared_ptr<tally> counts_;
};

}  // namespace weir::detail
