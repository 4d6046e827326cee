#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/element_call.hpp>
#include <weir/stage.hpp>

#include <ranges>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class F, class T>
concept gives_range = requires {
  requires consumes<F, T>;
  requires std::ranges::input_range<consumed<F, T>>;
};

template <class F> class flat_map_stage : public forwards_marks {
public:
  explicit flat_map_stage(F f) : f_(std::move(f)) {}
  template <class T, class Time> bool element(T& x, Time t, auto down) {
    using result = consumed<F, T>;
    using reference = std::ranges::range_reference_t<result>;
    // A container that is returned is ours, elements and all. What a view or a returned reference leads to is somebody else's.
    constexpr bool ours = !std::is_lvalue_reference_v<result> && !std::ranges::view<std::remove_cvref_t<result>>;
    constexpr bool as_is = ours && std::is_lvalue_reference_v<reference> && !std::is_const_v<std::remove_reference_t<reference>>;
    bool more = true;
    for (auto&& y : consume(f_, x)) {  // to its end even if downstream is full: one input is never cut in two
      if constexpr (as_is) {
        more = down.element(y, t);
      } else {
        std::ranges::range_value_t<result> own(std::forward<decltype(y)>(y));
        more = down.element(own, t);
      }
    }
    return more;
  }

private:
  [[no_unique_address]] F f_;
};

template <class F> class flat_map_description {
public:
  using operator_tag = void;
  explicit flat_map_description(F f) : f_(std::move(f)) {}
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    using element = typename shape::element;
    static_assert(gives_range<F, element>, "weir: flat_map's function must take this element and return a range (a container or a view)");
    if constexpr (!gives_range<F, element>) return rejected();
    else {
      using result = std::ranges::range_value_t<consumed<F, element>>;
      return std::forward<Chain>(c).with(same_time<shape, result>(), flat_map_stage<F>(std::move(f_)));
    }
  }

private:
  F f_;
};

}  // namespace detail

/// Replaces each element by the elements of the range `f(element)`, in order: none, one or many.
///
/// `f` takes the element as `map`'s does and returns a container (its elements are moved on), a view or a reference (they are copied),
/// or is a pointer to a member that is one. The range must end, and one element's range is kept in memory until the consumer has taken it.
/// Each keeps the event time of the element it came from; the key is dropped. A stage.
/// - Emits when: the range has elements.   Backpressures when: downstream does, between two input elements.
/// - Completes when: upstream completes.   Fails when: upstream or `f` fails; what came before is delivered first, and the
///   element `f` failed for stays unacknowledged.   Cancelled: at the next chunk.
/// State: none.   Errors: none of its own.   Source: the list monad's bind; `std::views::join` of `transform`, [range.join].
template <class F> auto flat_map(F f) { return detail::flat_map_description<F>(std::move(f)); }

}  // namespace weir
