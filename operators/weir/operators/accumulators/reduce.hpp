#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/accumulators/detail/optional_state.hpp>

#include <concepts>
#include <functional>
#include <string>
#include <utility>

namespace weir {
namespace detail {

template <class F, class T>
concept reduces = std::copyable<T> && std::invocable<F const&, T const&, T const&> &&
                  std::convertible_to<std::invoke_result_t<F const&, T const&, T const&>, T>;

}  // namespace detail

/// Combines elements two by two into one of the same type: `reducing(std::plus<>())`, `reducing([](order const& a, order const& b) { ...
/// })`.
///
/// `f(T const&, T const&)` gives a `T` and must be associative. The first argument is what came before, when states are merged that of the
/// first; the order plays no part only if `f` commutes too, and a window's elements do not come in the order of their event times.
/// The result is a `std::optional<T>`, null for no elements, as for `minimum`: so it is defined for every state, and a window, which is
/// never empty, may be read with `*`. An accumulator. State: a `T` and whether there is one; `T` must be `encodable`. Errors: those of `f`,
/// then the state is as it was.   Source: Haskell's `foldl1'`; `std::reduce`, [reduce].
template <class F> class reducing {
public:
  /// What is kept of elements `T`.
  template <class T>
    requires detail::reduces<F, T>
  using state_for = detail::optional_state<T>;

  explicit reducing(F f) : f_(std::move(f)) {}

  /// What is in checkpoints, see `accumulator`.
  template <class T> std::string state_schema() const { return "reducing<" + schema_of<T>() + ">"; }
  template <class T> void add(detail::optional_state<T>& s, T const& x, instant) const {
    if (!s.value) s.value.emplace(x);
    else s.value = T(std::invoke(f_, std::as_const(*s.value), x));
  }
  template <class T> void merge(detail::optional_state<T>& s, detail::optional_state<T> const& other) const {
    if (other.value) add(s, *other.value, instant());
  }
  template <class T> std::optional<T> result(detail::optional_state<T> const& s) const { return s.value; }

private:
  [[no_unique_address]] F f_;
};

}  // namespace weir
