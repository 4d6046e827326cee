#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/element_call.hpp>
#include <weir/stage.hpp>

#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class F> class map_stage : public forwards_marks {
public:
  explicit map_stage(F f) : f_(std::move(f)) {}
  template <class T, class Time> bool element(T& x, Time t, auto down) {
    auto y = consume(f_, x);
    return down.element(y, t);
  }

private:
  [[no_unique_address]] F f_;
};

template <class F> class map_description {
public:
  using operator_tag = void;
  explicit map_description(F f) : f_(std::move(f)) {}
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    using element = typename shape::element;
    static_assert(consumes<F, element>, "weir: map's function cannot be called with this element");
    if constexpr (!consumes<F, element>) {
      return rejected();
    } else {
      using result = consumed<F, element>;
      constexpr bool usable = !std::is_void_v<result> && !must_be_awaited<result>;
      static_assert(!std::is_void_v<result>, "weir: map's function returns nothing; inspect looks at elements, for_each ends the stream");
      static_assert(!must_be_awaited<result>, "weir: map cannot wait for a task; use map_concurrent");
      if constexpr (!usable) return rejected();
      else return std::forward<Chain>(c).with(same_time<shape, std::decay_t<result>>(), map_stage<F>(std::move(f_)));
    }
  }

private:
  F f_;
};

}  // namespace detail

/// Replaces each element by `f(element)`.
///
/// `f` may take the element as a value, by reference or const reference, or be a pointer to a member; the element is its to move from.
/// It keeps the element's event time; the key, which belongs to the old element, is dropped. A stage: it runs inside the loop of its chain.
/// - Emits when: an element came.   Backpressures when: downstream does.
/// - Completes when: upstream completes.   Fails when: upstream or `f` fails; what came before is delivered first, and the
///   element `f` failed for stays unacknowledged.   Cancelled: at the next chunk.
/// State: none; what `f` keeps for itself is not checkpointed (`scan` is).   Errors: none of its own.
/// Source: the functor map; `std::views::transform`, [range.transform].
template <class F> auto map(F f) { return detail::map_description<F>(std::move(f)); }

}  // namespace weir
