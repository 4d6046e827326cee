#pragma once
#include <weir/codec.hpp>
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/element_call.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/keyed_scan_stage.hpp>
#include <weir/operators/detail/named_state.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/key_counts.hpp>
#include <weir/operators/keyed_value.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

template <class A, class F> class scan_stage : public forwards_marks, public named_state {
public:
  scan_stage(A init, F f, naming const& n) : named_state(n, "scan"), acc_(std::move(init)), f_(std::move(f)) {}
  template <class T, class Time> bool element(T& x, Time t, auto down) {
    fold_in(f_, acc_, x);
    A out(acc_);
    return down.element(out, t);
  }

  std::string state_schema() const { return "scan; value " + schema_of<A>(); }
  void save(std::vector<std::byte>& to) const { encode_state(acc_, to); }
  void restore(std::span<std::byte const> from) { acc_ = decode_state<A>(from); }

private:
  A acc_;
  [[no_unique_address]] F f_;
};

template <class A, class F> class scan_description : public named_operator<scan_description<A, F>> {
public:
  using operator_tag = void;
  scan_description(A init, F f) : init_(std::move(init)), f_(std::move(f)) {}
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    static_assert(!shape::has_key,
                  "weir: scan behind key_by keeps one accumulator per key; say for how long: scan(init, f, expire_after(10min)), or "
                  "scan(init, f, never_expires()); a scan over all keys stands before key_by");
    static_assert(folds<F, A, typename shape::element>, "weir: scan's function must be callable as f(accumulator&, element)");
    if constexpr (shape::has_key || !folds<F, A, typename shape::element>) return rejected();
    else return std::forward<Chain>(c).with(same_time<shape, A>(), scan_stage<A, F>(std::move(init_), std::move(f_), this->naming_));
  }

private:
  A init_;
  F f_;
};

template <class A, class F, class Expiry> class keyed_scan_description : public named_operator<keyed_scan_description<A, F, Expiry>> {
public:
  using operator_tag = void;
  keyed_scan_description(A init, F f, Expiry e) : init_(std::move(init)), f_(std::move(f)), expiry_(std::move(e)) {}
  /// Keeps the books of its keys in `counts`, from zero.
  keyed_scan_description&& keys_counted_in(std::shared_ptr<key_counts> counts) && {
    counts_ = std::move(counts);
    return std::move(*this);
  }

  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    static_assert(shape::has_key, "weir: a scan whose accumulators expire has one per key; put key_by(...) before it");
    static_assert(shape::has_time || !Expiry::expires,
                  "weir: a scan's accumulators expire by event time; put event_time(...) before key_by, or say never_expires()");
    static_assert(folds<F, A, typename shape::element>, "weir: scan's function must be callable as f(accumulator&, element)");
    if constexpr (!shape::has_key || (Expiry::expires && !shape::has_time) || !folds<F, A, typename shape::element>) return rejected();
    else return bind(std::forward<Chain>(c));
  }

private:
  template <class Chain> auto bind(Chain&& c) {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    auto key = c.shape().key;
    using Key = decltype(key);
    using K = owned_key<Key, typename shape::element>;
    constexpr bool kept = std::movable<K> && std::copy_constructible<K> && encodable<K>;
    static_assert(kept, "weir: a key of scan is part of results and checkpoints: it must be copyable and have a codec");
    if constexpr (!kept) return rejected();
    else
      return std::forward<Chain>(c).with(same_time<shape, keyed_value<K, A>>(),
                                         keyed_scan_stage<K, Key, A, F, Expiry>(std::move(key), std::move(init_), std::move(f_),
                                                                                std::move(expiry_), std::move(counts_), this->naming_));
  }
  A init_;
  F f_;
  Expiry expiry_;
  std::shared_ptr<key_counts> counts_;
};

template <class A> constexpr bool check_accumulator() {
  static_assert(encodable<A>,
                "weir: scan's accumulator is part of checkpoints and needs a codec: make it trivially copyable, a standard container of "
                "such, or specialise weir::codec for it; pointers and views have none");
  return encodable<A>;
}

}  // namespace detail

/// Folds the elements into an accumulator that starts as `init`, and hands on a copy of it after each.
///
/// `f(accumulator&, element)` changes the accumulator in place, or returns its next value. It takes the element as `map`'s function does.
/// The copy has the element's event time. A stage. Behind `key_by`, use the form with an expiry.
/// - Emits when: an element came.   Backpressures when: downstream does.
/// - Completes when: upstream completes.   Fails when: upstream or `f` fails; what came before is delivered first, and the element `f`
///   failed for stays unacknowledged.   Cancelled: at the next chunk.
/// State: the accumulator, checkpointed as `scan` or `.named(id)`, so a restarted pipeline goes on from it; its type must be `encodable`.
/// Errors: `errc::corrupt` when restored from something else, `errc::incompatible` from an accumulator of another schema (`schema_of`), or,
/// per key, from other keys.   Source: Haskell's `scanl'` without the initial value.
template <std::copy_constructible A, class F> auto scan(A init, F f) {
  if constexpr (detail::check_accumulator<A>()) return detail::scan_description<A, F>(std::move(init), std::move(f));
  else return detail::rejected_description();
}

/// The same with one accumulator per key, behind `key_by`: hands on `keyed_value{key, accumulator}` after each element.
///
/// `expiry` says how long a key's accumulator is kept: `expire_after(10min)` of event time since its last element, on a timed stream, or
/// `never_expires()`. A key that comes back starts from `init` again. Late elements are folded like any other.
/// `.keys_counted_in(std::make_shared<key_counts>())` keeps the books.
/// - Emits, backpressures, completes, fails, cancelled: as `scan(init, f)`; also fails when the key does.
/// State per key: the key, the accumulator and 30 to 43 bytes, 28 more where it can expire; checkpointed.   Errors: as above.
template <std::copy_constructible A, class F, detail::expiry Expiry> auto scan(A init, F f, Expiry expiry) {
  if constexpr (detail::check_accumulator<A>())
    return detail::keyed_scan_description<A, F, Expiry>(std::move(init), std::move(f), std::move(expiry));
  else return detail::rejected_description();
}

}  // namespace weir
