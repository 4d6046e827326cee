#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/accumulators/detail/projection.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// The elements themselves, or what `projection` says about them, as a `std::vector` in the order of their event times: `collect()`,
/// `collect(&tick::price)`.
///
/// Of equal event times the first to come is first, and when states are merged what the first argument has; but for that, the order of
/// adding and merging plays no part. Values are copied; a view of text is kept as a `std::string`. An accumulator. State: every value with
/// its event time, in the order in which they came, so it grows with the number of elements in the window: 8 bytes and the value for each,
/// up to twice that while it grows. They are put in order, unless they are, for each result. The type of the values must be `encodable`.
/// Errors: none of its own.   Source: SQL's ARRAY_AGG with ORDER BY.
template <class Projection = std::identity> class collect {
  template <class V> using timed_values = std::vector<std::pair<instant, V>>;

public:
  /// What is kept of elements `T`.
  template <class T>
    requires detail::projects<Projection, T> && std::copyable<detail::projected<Projection, T>>
  using state_for = timed_values<detail::projected<Projection, T>>;

  /// `projection` takes the element by const reference, or is a pointer to a member.
  explicit collect(Projection projection = Projection()) : projection_(std::move(projection)) {}

  /// What is in checkpoints, see `accumulator`.
  template <class T> std::string state_schema() const { return "collect<" + schema_of<detail::projected<Projection, T>>() + ">"; }
  template <class T> void add(state_for<T>& s, T const& x, instant t) const { s.emplace_back(t, std::invoke(projection_, x)); }
  template <class V> void merge(timed_values<V>& s, timed_values<V> const& other) const { s.insert(s.end(), other.begin(), other.end()); }
  template <class V> std::vector<V> result(timed_values<V> const& s) const {
    std::vector<V> out;
    out.reserve(s.size());
    auto const earlier = [](auto const& a, auto const& b) { return a.first < b.first; };
    if (std::is_sorted(s.begin(), s.end(), earlier)) {
      for (auto const& [t, value] : s) out.push_back(value);
      return out;
    }
    std::vector<std::pair<instant, std::size_t>> order;
    order.reserve(s.size());
    for (std::size_t i = 0; i != s.size(); ++i) order.emplace_back(s[i].first, i);
    std::sort(order.begin(), order.end());
    for (auto const& [t, i] : order) out.push_back(s[i].second);
    return out;
  }

private:
  [[no_unique_address]] Projection projection_;
};

}  // namespace weir
