#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/accumulators/detail/projection.hpp>
#include <weir/operators/accumulators/detail/total.hpp>
#include <weir/operators/accumulators/detail/weights.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {

/// A value and what it weighs.
template <class V, class Weight> struct ranked {
  V value;
  Weight weight;

  friend bool operator==(ranked const&, ranked const&) = default;
};

namespace detail {

void check_top_n(std::size_t n);

struct weighs_one {
  template <class T> constexpr std::uint64_t operator()(T const&) const noexcept { return 1; }
};
template <class V>
concept rankable = hashable_key<V> && std::copyable<V> && has_order<V>;

// A NaN ranks first, where it is seen.
template <class W> bool outweighs(W const& a, W const& b) {
  if constexpr (std::floating_point<W>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && !std::isnan(b);
  }
  return b < a;
}

}  // namespace detail

/// The `n` values of `what` that are most frequent, or whose `weight`s have the greatest sum, as a `std::vector` of
/// `ranked{value, weight}`, the greatest first: `top_n(3, &request::client)`, `top_n(3, &request::client, &request::bytes)`.
///
/// Exact. Of equal weights the smaller value comes first; there are fewer than `n` where there are fewer values. Without `weight` a value
/// weighs the number of its elements, a `std::uint64_t`; with it, the sum as `sum` keeps it, and negative ones may be among them.
/// Values need `==`, `<` and `std::hash` (or Boost's `hash_value`); a view of text is kept as a `std::string`. No NaN among them; a
/// NaN for a weight ranks first.
/// The order plays no part, but for roundings of a floating-point weight.
/// An accumulator. State: every distinct value with its weight, so it grows with the number of distinct values in the window, not with `n`:
/// 1.2 to 2.4 times the size of a value and its weight (8 bytes for integers), and what values allocate.   `n` >= 1.
/// Errors: `errc::invalid_option` when built; `errc::out_of_range` when an integer weight does not fit.   Source: SQL's GROUP BY with
/// LIMIT.
template <class What, class Weight = detail::weighs_one> class top_n {
public:
  /// What is kept of elements `T`.
  template <class T>
    requires detail::projects<What, T> && detail::rankable<detail::projected<What, T>> && detail::projects<Weight, T> &&
                 detail::has_total<detail::projected<Weight, T>> && detail::has_order<detail::total_value<detail::projected<Weight, T>>>
  using state_for = detail::weights<detail::projected<What, T>, detail::total_of<detail::projected<Weight, T>>>;

  /// `what` and `weight` take the element by const reference, or are pointers to members.
  top_n(std::size_t n, What what, Weight weight = Weight()) : n_(n), what_(std::move(what)), weight_(std::move(weight)) {
    detail::check_top_n(n);
  }

  /// What is in checkpoints, see `accumulator`.
  template <class T> std::string state_schema() const {
    return "top_n<" + schema_of<detail::projected<What, T>>() + ", " + schema_of<detail::total_value<detail::projected<Weight, T>>>() + ">";
  }
  template <class T> void add(state_for<T>& s, T const& x, instant) const { s[std::invoke(what_, x)].add(std::invoke(weight_, x)); }
  template <class State> void merge(State& s, State const& other) const { s.merge(other); }
  template <class V, class Total> auto result(detail::weights<V, Total> const& s) const {
    using place = ranked<V, std::decay_t<decltype(std::declval<Total const&>().value())>>;
    std::vector<std::pair<V const, Total> const*> order;
    order.reserve(s.size());
    for (auto const& entry : s) order.push_back(&entry);
    auto const end = order.begin() + static_cast<std::ptrdiff_t>(std::min(n_, order.size()));
    std::partial_sort(order.begin(), end, order.end(), [](auto const* a, auto const* b) {
      auto const& weight = a->second.value();
      auto const& other = b->second.value();
      if (detail::outweighs(weight, other)) return true;
      return !detail::outweighs(other, weight) && a->first < b->first;
    });
    std::vector<place> out;
    out.reserve(std::min(n_, order.size()));
    for (auto it = order.begin(); it != end; ++it) out.push_back(place{(*it)->first, (*it)->second.value()});
    return out;
  }

private:
  std::size_t n_;
  [[no_unique_address]] What what_;
  [[no_unique_address]] Weight weight_;
};

}  // namespace weir
