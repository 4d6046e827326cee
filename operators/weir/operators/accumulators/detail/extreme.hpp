#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/accumulators/detail/optional_state.hpp>
#include <weir/operators/accumulators/detail/projection.hpp>

#include <cmath>
#include <concepts>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

namespace weir::detail {

struct is_smaller {
  static constexpr char const* kept = "minimum";
  bool operator()(auto const& a, auto const& b) const { return a < b; }
};
struct is_greater {
  static constexpr char const* kept = "maximum";
  bool operator()(auto const& a, auto const& b) const { return b < a; }
};

// The first value that no other is `Better` than.
template <class Projection, class Better> class extreme {
public:
  template <class T>
    requires projects<Projection, T> && has_order<projected<Projection, T>>
  using state_for = optional_state<projected<Projection, T>>;

  explicit extreme(Projection projection) : projection_(std::move(projection)) {}

  template <class T> std::string state_schema() const { return Better::kept + ("<" + schema_of<projected<Projection, T>>()) + ">"; }
  template <class T> void add(state_for<T>& s, T const& x, instant) const { take(s, std::invoke(projection_, x)); }
  template <class State> void merge(State& s, State const& other) const {
    if (other.value) take(s, *other.value);
  }
  template <class State> auto result(State const& s) const { return s.value; }

private:
  template <class State, class V> static void take(State& s, V&& v) {
    if constexpr (std::floating_point<std::decay_t<V>>) {
      if (std::isnan(v)) return;
    }
    if (!s.value) s.value.emplace(std::forward<V>(v));
    else if (Better()(v, *s.value)) *s.value = std::forward<V>(v);
  }

  [[no_unique_address]] Projection projection_;
};

}  // namespace weir::detail
