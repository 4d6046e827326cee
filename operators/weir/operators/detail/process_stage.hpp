#pragma once
#include <weir/codec.hpp>
#include <weir/context.hpp>
#include <weir/heir.hpp>
#include <weir/ledger.hpp>
#include <weir/mark.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/detail/inherited_watermark.hpp>
#include <weir/operators/detail/keyed_states.hpp>
#include <weir/operators/detail/named_operator.hpp>
#include <weir/operators/detail/named_state.hpp>
#include <weir/operators/detail/partition_key.hpp>
#include <weir/operators/detail/schema_sections.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/detail/state_rows.hpp>
#include <weir/operators/detail/timer_list.hpp>
#include <weir/operators/key_counts.hpp>
#include <weir/operators/process_context.hpp>
#include <weir/read_through.hpp>
#include <weir/shape.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::detail {

template <class F, class T, class C>
concept processes_moved = requires(F& f, T& x, typename F::state& s, C& c) { f.element(std::move(x), s, c); };
template <class F, class T, class C>
concept processes = processes_moved<F, T, C> || requires(F& f, T& x, typename F::state& s, C& c) { f.element(x, s, c); };
template <class F, class C>
concept has_event_timer = requires(F& f, instant at, typename F::state& s, C& c) { f.timer(at, s, c); };
template <class F, class C>
concept has_clock_timer = requires(F& f, instant at, typename F::state& s, C& c) { f.processing_timer(at, s, c); };

// `Kept`: how many keys are in memory.
template <class K, class T, class Key, class F, class Expiry, class Kept> class process_stage : public named_state {
  using state = typename F::state;
  using output = typename F::output;
  using call_context = process_context<K, output>;
  static constexpr bool event_timers = has_event_timer<F, call_context>, clock_timers = has_clock_timer<F, call_context>;
  using row = keyed_row<K, state, std::conditional_t<event_timers, timer_list, no_timers<0>>,
                        std::conditional_t<clock_timers, timer_list, no_timers<1>>>;

public:
  process_stage(Key key, F f, Expiry e, std::shared_ptr<key_counts> keys, Kept kept, naming const& n)
      : named_state(n, "process"),
        key_(std::move(key)),
        f_(std::move(f)),
        keys_(std::move(e), std::move(keys), std::move(kept)),
        counts_(n.open_tally("process")) {}

  bool element(T& x, timestamp t, auto down) {
    bool more = true;
    if (keys_.any_clock_timer()) more = fire_clock_timers(down);
    row& r = keys_.touch(std::invoke(key_, std::as_const(x)), t.at, [] { return state(); });
    if (t.at < around_.watermark) [[unlikely]]
      keys_.count_late();
    ++counts_->in;
    ++counts_->out;
    process_call call = about(r, t.at);
    call_context c(around_, r.key, call);
    if constexpr (processes_moved<F, T, call_context>) f_.element(std::move(x), r.state, c);
    else f_.element(x, r.state, c);
    return settle(r, call, down) && more;
  }
  bool mark(weir::mark const& m, auto down) {
    bool more = true;
    // Not at a barrier, whose state is saved already.
    if ((m.kind == mark_kind::watermark || m.kind == mark_kind::idle) && keys_.any_clock_timer()) more = fire_clock_timers(down);
    if (m.kind == mark_kind::watermark && m.time > around_.watermark) {
      around_.watermark = m.time;
      if (keys_.due(m.time)) more = fire_timers(down) && more;
    }
    return down.mark(m) && more;
  }
  bool finish(auto down) { return down.finish(); }
  std::size_t memory() { return keys_.memory(); }
  void enter(context& c) noexcept { around_.clock = &c.clock(); }

  tally const& counted() const noexcept { return *counts_; }
  std::string state_schema() const {
    return "process" + key_section<K>() + value_section_at(schema_of<state>(), keyed_states<K, row, Expiry, Kept>::state_at);
  }
  void save(state_writer to)
    requires(!Kept::reads_through)
  {
    save_head(to);
    keys_.save_rows(to);
  }
  void save(state_writer to, read_through const& stored)
    requires(Kept::reads_through)
  {
    save_head(to);
    keys_.save_rows(to, stored);
  }
  void restore(std::span<state_entry const> from, read_through const& stored)
    requires(Kept::reads_through)
  {
    keys_.read_from(stored);
    restore(from);
  }
  void handed_over() noexcept { *counts_ = tally(); }
  void inherit(std::span<state_entry const> from, heir const& by)
    requires(!Kept::reads_through && routable_key<Key, K>)
  {
    std::span<std::byte const> head = take_head("process", from);
    around_.watermark = inherited_.with(decode_part<instant>(head));
    *counts_ += inherited_counts(decode_counts("process", head), 0, by);
    keys_.inherit("process", head, from, inherited_by(by, key_), by);
    if (!head.empty()) throw_state_left_over();
  }
  void restore(std::span<state_entry const> from) {
    std::span<std::byte const> head = take_head("process", from);
    around_.watermark = decode_part<instant>(head);
    *counts_ = decode_counts("process", head);
    keys_.restore("process", head, from);
    if (!head.empty()) throw_state_left_over();
  }

private:
  void save_head(state_writer& to) const {
    std::vector<std::byte> head;
    encode_state(around_.watermark, head);
    encode_state(*counts_, head);
    keys_.save_head(head);
    to.put("", std::move(head));
  }
  process_call about(row& r, instant time) noexcept {
    process_call call{time};
    if constexpr (event_timers) call.timers = &r.timers;
    if constexpr (clock_timers) call.clock_timers = &r.clock_timers;
    return call;
  }
  // What a call has left behind.
  [[gnu::always_inline]] bool settle(row& r, process_call const& call, auto down) {
    if (call.forgotten) keys_.forget(r);
    else {
      if constexpr (event_timers)
        if (call.timers_changed) keys_.reschedule(r);
      if constexpr (clock_timers)
        if (call.clock_timers_changed) keys_.reschedule_clock(r);
    }
    bool more = around_.results.empty() || hand_on(down);
    if (!call.of_timer && keys_.due(around_.watermark)) [[unlikely]]
      more = fire_timers(down) && more;
    return more;
  }
  bool hand_on(auto down) {
    bool more = true;
    for (emitted<output>& e : around_.results) more = down.element(e.value, timestamp{e.at}) && more;
    around_.results.clear();
    return more;
  }

  // Everything up to the watermark, in the order of time.
  bool fire_timers(auto down) {
    bool more = true;
    while (row* const r = keys_.next_timer(around_.watermark)) {
      if constexpr (event_timers) {
        instant const at = r->timers.first();
        r->timers.drop_first();
        keys_.touch(*r, at);
        process_call call = about(*r, at);
        call.timer = at;
        call.of_timer = true;
        call_context c(around_, r->key, call);
        f_.timer(at, r->state, c);
        more = settle(*r, call, down) && more;
      }
    }
    return more;
  }
  bool fire_clock_timers(auto down) {
    bool more = true;
    if constexpr (clock_timers) {
      instant const now = around_.clock->now();
      while (row* const r = keys_.next_clock_timer(now)) {
        instant const at = r->clock_timers.first();
        r->clock_timers.drop_first();
        keys_.note_change(*r);
        process_call call = about(*r, std::max(around_.watermark, r->touched));
        call.clock_timers_changed = true;
        call_context c(around_, r->key, call);
        f_.processing_timer(at, r->state, c);
        more = settle(*r, call, down) && more;
      }
    }
    return more;
  }

  [[no_unique_address]] Key key_;
  [[no_unique_address]] F f_;
  keyed_states<K, row, Expiry, Kept> keys_;
  process_surroundings<output> around_;
  inherited_watermark inherited_;
  std::shared_ptr<tally> counts_;
};

}  // namespace weir::detail
