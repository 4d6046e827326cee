#pragma once
#include <weir/codec.hpp>
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/element_call.hpp>
#include <weir/stage.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

template <class F, class A, class T>
concept folds_moved = std::invocable<F&, A&, T&&>;
template <class F, class A, class T>
concept folds = folds_moved<F, A, T> || std::invocable<F&, A&, T&>;

template <class A, class F> class scan_stage : public forwards_marks {
public:
  scan_stage(A init, F f) : acc_(std::move(init)), f_(std::move(f)) {}
  template <class T, class Time> bool element(T& x, Time t, auto down) {
    if constexpr (folds_moved<F, A, T>) add(std::move(x));
    else add(x);
    A out(acc_);
    return down.element(out, t);
  }

  void save(std::vector<std::byte>& to) const { encode_state(acc_, to); }
  void restore(std::span<std::byte const> from) { acc_ = decode_state<A>(from); }

private:
  template <class X> void add(X&& x) {
    if constexpr (std::is_void_v<std::invoke_result_t<F&, A&, X>>) std::invoke(f_, acc_, std::forward<X>(x));
    else acc_ = std::invoke(f_, acc_, std::forward<X>(x));
  }
  A acc_;
  [[no_unique_address]] F f_;
};

template <class A, class F> class scan_description {
public:
  using operator_tag = void;
  scan_description(A init, F f) : init_(std::move(init)), f_(std::move(f)) {}
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    static_assert(folds<F, A, typename shape::element>, "weir: scan's function must be callable as f(accumulator&, element)");
    if constexpr (!folds<F, A, typename shape::element>) return rejected();
    else return std::forward<Chain>(c).with(same_time<shape, A>(), scan_stage<A, F>(std::move(init_), std::move(f_)));
  }

private:
  A init_;
  F f_;
};

}  // namespace detail

/// Folds the elements into an accumulator that starts as `init`, and hands on a copy of it after each.
///
/// `f(accumulator&, element)` changes the accumulator in place, or returns its next value. It takes the element as `map`'s function does.
/// The copy has the element's event time. A stage.
/// - Emits when: an element came.   Backpressures when: downstream does.
/// - Completes when: upstream completes.   Fails when: upstream or `f` fails; what came before is delivered first, and the element `f`
///   failed for stays unacknowledged.   Cancelled: at the next chunk.
/// State: the accumulator, checkpointed, so a restarted pipeline goes on from it; its type must be `encodable`.
/// Errors: `errc::corrupt` when restored from something else.   Source: Haskell's `scanl'` without the initial value.
template <std::copy_constructible A, class F> auto scan(A init, F f) {
  static_assert(encodable<A>,
                "weir: scan's accumulator is part of checkpoints and needs a codec: make it trivially copyable, a standard container of "
                "such, or specialise weir::codec for it; pointers and views have none");
  if constexpr (encodable<A>) return detail::scan_description<A, F>(std::move(init), std::move(f));
  else return detail::rejected_description();
}

}  // namespace weir
