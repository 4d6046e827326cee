#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/filter.hpp>
#include <weir/stage.hpp>

#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

// Has no state to checkpoint: no barrier passes once it is over, so the element that ended it comes again.
template <class F> class take_while_stage {
public:
  explicit take_while_stage(F f) : f_(std::move(f)) {}
  template <class T, class Time> bool element(T& x, Time t, auto down) {
    if (over_) return false;
    if (look_at(f_, x)) return down.element(x, t);
    over_ = true;
    down.finish();  // downstream sees an ordinary end of the data
    return false;
  }
  bool mark(weir::mark const& m, auto down) { return over_ ? false : down.mark(m); }
  bool finish(auto down) { return down.finish(); }
  bool over() const noexcept { return over_; }

private:
  [[no_unique_address]] F f_;
  bool over_ = false;
};

template <class F> class take_while_description {
public:
  using operator_tag = void;
  explicit take_while_description(F f) : f_(std::move(f)) {}
  template <class Chain> auto append(Chain&& c) && {
    using element = typename std::remove_cvref_t<Chain>::element_type;
    static_assert(decides<F, element>, "weir: take_while's predicate must take this element, by const reference, and return bool");
    if constexpr (!decides<F, element>) return rejected();
    else return std::forward<Chain>(c).then(take_while_stage<F>(std::move(f_)));
  }

private:
  F f_;
};

}  // namespace detail

/// Hands on elements up to the first for which `predicate(element)` is false, and then ends the stream as if its data had ended.
///
/// `predicate` is called as `filter`'s is. The element that ends the stream is dropped and not acknowledged: a restart sees it again, and
/// ends again. Event time and key are kept. A stage.
/// - Emits when: the predicate has been true so far.   Backpressures when: downstream does.
/// - Completes when: the predicate is false, or upstream completes.   Fails when: upstream or the predicate fails; what came before is
///   delivered first.   Cancelled: at the next chunk.
/// State: none.   Errors: none of its own.   Source: `std::views::take_while`, [range.take.while].
template <class F> auto take_while(F predicate) { return detail::take_while_description<F>(std::move(predicate)); }

}  // namespace weir
