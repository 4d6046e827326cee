#pragma once
#include <weir/codec.hpp>
#include <weir/mark.hpp>
#include <weir/operator_state.hpp>
#include <weir/operators/detail/element_call.hpp>
#include <weir/operators/detail/inherited_watermark.hpp>
#include <weir/operators/detail/keyed_states.hpp>
#include <weir/operators/detail/named_state.hpp>
#include <weir/operators/detail/partition_key.hpp>
#include <weir/operators/detail/schema_sections.hpp>
#include <weir/operators/detail/state_rows.hpp>
#include <weir/operators/key_counts.hpp>
#include <weir/operators/keyed_value.hpp>
#include <weir/shape.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::detail {

template <class F, class A, class T>
concept folds_moved = std::invocable<F&, A&, T&&>;
template <class F, class A, class T>
concept folds = folds_moved<F, A, T> || std::invocable<F&, A&, T&>;

// Folds `x` into `acc` in place, or by what `f` returns.
template <class F, class A, class T> void fold_in(F& f, A& acc, T& x) {
  auto add = [&](auto&& e) {
    using E = decltype(e);
    if constexpr (std::is_void_v<std::invoke_result_t<F&, A&, E>>) std::invoke(f, acc, std::forward<E>(e));
    else acc = std::invoke(f, acc, std::forward<E>(e));
  };
  if constexpr (folds_moved<F, A, T>) add(std::move(x));
  else add(x);
}

// One accumulator per key.
template <class K, class Key, class A, class F, class Expiry> class keyed_scan_stage : public named_state {
public:
  keyed_scan_stage(Key key, A init, F f, Expiry e, std::shared_ptr<key_counts> counts, naming const& n)
      : named_state(n, "scan"), key_(std::move(key)), init_(std::move(init)), f_(std::move(f)), keys_(std::move(e), std::move(counts)) {}

  template <class T, class Time> bool element(T& x, Time t, auto down) {
    auto& r = keys_.touch(std::invoke(key_, std::as_const(x)), time_of(t), [this]() -> A const& { return init_; });
    fold_in(f_, r.state, x);
    keyed_value<K, A> out(r.key, r.state);
    bool const more = down.element(out, t);
    if constexpr (Expiry::expires) {
      if (t.at < watermark_) [[unlikely]] {
        keys_.count_late();
        keys_.next_timer(watermark_);  // it may have come too late to live
      }
    }
    return more;
  }
  bool mark(weir::mark const& m, auto down) {
    if (m.kind == mark_kind::watermark && m.time > watermark_) {
      watermark_ = m.time;
      keys_.next_timer(watermark_);  // there are none, but what expires before goes
    }
    return down.mark(m);
  }
  bool finish(auto down) { return down.finish(); }
  std::size_t memory() { return keys_.memory(); }

  std::string state_schema() const {
    return "scan" + key_section<K>() + value_section_at(schema_of<A>(), keyed_states<K, keyed_row<K, A>, Expiry>::state_at);
  }
  void save(state_writer to) {
    std::vector<std::byte> head;
    encode_state(watermark_, head);
    keys_.save_head(head);
    to.put("", std::move(head));
    keys_.save_rows(to);
  }
  void inherit(std::span<state_entry const> from, heir const& by)
    requires routable_key<Key, K>
  {
    std::span<std::byte const> head = take_head("scan", from);
    watermark_ = inherited_.with(decode_part<instant>(head));
    keys_.inherit("scan", head, from, inherited_by(by, key_), by);
    if (!head.empty()) throw_state_left_over();
  }
  void restore(std::span<state_entry const> from) {
    std::span<std::byte const> head = take_head("scan", from);
    watermark_ = decode_part<instant>(head);
    keys_.restore("scan", head, from);
    if (!head.empty()) throw_state_left_over();
  }

private:
  static constexpr instant time_of(timestamp t) noexcept { return t.at; }
  static constexpr instant time_of(untimed) noexcept { return start_of_time; }

  [[no_unique_address]] Key key_;
  A init_;
  [[no_unique_address]] F f_;
  keyed_states<K, keyed_row<K, A>, Expiry> keys_;
  instant watermark_ = start_of_time;
  inherited_watermark inherited_;
};

}  // namespace weir::detail
