#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/element_call.hpp>
#include <weir/stage.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class F, class T>
concept decides = requires(F& f, T& x) {
  requires looks_at<F, T>;
  { look_at(f, x) } -> std::convertible_to<bool>;
};

template <class F> class filter_stage : public forwards_marks {
public:
  explicit filter_stage(F f) : f_(std::move(f)) {}
  template <class T, class Time> bool element(T& x, Time t, auto down) { return look_at(f_, x) ? down.element(x, t) : true; }

private:
  [[no_unique_address]] F f_;
};

template <class F> class filter_description {
public:
  using operator_tag = void;
  explicit filter_description(F f) : f_(std::move(f)) {}
  template <class Chain> auto append(Chain&& c) && {
    using element = typename std::remove_cvref_t<Chain>::element_type;
    static_assert(decides<F, element>, "weir: filter's predicate must take this element, by const reference, and return bool");
    if constexpr (!decides<F, element>) return rejected();
    else {
      return std::forward<Chain>(c).then(filter_stage<F>(std::move(f_)));
    }
  }

private:
  F f_;
};

}  // namespace detail

/// Hands on the elements for which `predicate(element)` is true, unchanged.
///
/// `predicate` takes the element by const reference (or a copy), or is a pointer to a member. Event time and key are kept. A stage.
/// - Emits when: the predicate is true.   Backpressures when: downstream does.
/// - Completes when: upstream completes.   Fails when: upstream or the predicate fails; what came before is delivered first, and the
///   element it failed for stays unacknowledged.   Cancelled: at the next chunk.
/// An element that is filtered out is done.   State: none.   Errors: none of its own.
/// Source: `std::views::filter`, [range.filter].
template <class F> auto filter(F predicate) { return detail::filter_description<F>(std::move(predicate)); }

}  // namespace weir
