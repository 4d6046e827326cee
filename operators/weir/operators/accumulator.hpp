#pragma once
#include <weir/instant.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace weir {

namespace detail {
template <class A, class T> struct state_of_accumulator {};
template <class A, class T>
  requires requires { typename A::state; }
struct state_of_accumulator<A, T> {
  using type = typename A::state;
};
template <class A, class T>
  requires requires { typename A::template state_for<T>; }
struct state_of_accumulator<A, T> {
  using type = typename A::template state_for<T>;
};
}  // namespace detail

/// What `A` keeps of elements `T` while it folds them: `A::state`, or `A::state_for<T>` where it depends on the element.
template <class A, class T> using accumulator_state = typename detail::state_of_accumulator<A, T>::type;

/// A fold that can be cut into parts and put together again, which is what windows, slices and restarts need.
///
/// A value-initialised state is that of no elements. `add(state, element, event time)` folds one in, `merge(state, other)` the elements of
/// another state, and `result(state)` reads it. Merging must be associative and commutative, and must equal adding: for all ways to
/// split elements into states, merging them gives the result of adding them one by one (as far as the accumulator's documentation says that
/// order plays no part).
/// ```cpp
/// struct longest {                                        // of strings
///   using state = std::size_t;
///   void add(state& s, std::string const& x, weir::instant) const { s = std::max(s, x.size()); }
///   void merge(state& s, state const& other) const { s = std::max(s, other); }
///   std::size_t result(state const& s) const { return s; }
/// };
/// ```
/// The state is part of checkpoints and must be `encodable`. They are refused when its schema (`schema_of`) has changed; where that does
/// not tell all, `template <class T> std::string state_schema() const` says more: that it is the smallest, and not the largest; an option
/// without which the state cannot be read. Functions are const: settings live in the accumulator, what is counted in the
/// state.
template <class A, class T>
concept accumulator = std::default_initializable<accumulator_state<A, T>> &&
                      requires(A const& a, accumulator_state<A, T>& s, accumulator_state<A, T> const& other, T const& x, instant t) {
                        a.add(s, x, t);
                        a.merge(s, other);
                        a.result(other);
                      };

/// What `A` says about elements `T`.
template <class A, class T>
using accumulator_result = std::decay_t<decltype(std::declval<A const&>().result(std::declval<accumulator_state<A, T> const&>()))>;

}  // namespace weir
