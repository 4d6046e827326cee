#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/accumulators/detail/projection.hpp>
#include <weir/operators/accumulators/detail/total.hpp>

#include <functional>
#include <string>
#include <utility>

namespace weir {

/// The sum of what `projection` says about the elements: `sum(&order::amount)`, and `sum()` for elements that are numbers themselves.
///
/// | values                  | kept as and given out as                                                                      |
/// |-------------------------|-----------------------------------------------------------------------------------------------|
/// | integers, `bool`        | `std::int64_t`, `std::uint64_t` if unsigned; exact                                            |
/// | floating point          | `double` (`long double` if they are), compensated: exact but for a rounding or two at the end |
/// | `std::chrono` durations | as their number of ticks, in the same unit                                                    |
/// | anything else           | the type itself, by `+=`, from a value-initialised one, which has to be zero                  |
///
/// For no elements it is zero. The order plays no part, but for those roundings, for values whose `+=` does not commute, and for an integer
/// total that is out of range only on the way: that is an error all the same.
/// An accumulator. State: 8 bytes for integers, 16 for `double`, else the type's.
/// Errors: `errc::out_of_range` when an integer total does not fit, instead of the sum wrapping; then the state is as it was. What a type
/// of yours does on overflow is its own affair. An infinite sum is infinite, NaN stays NaN.
/// Source: Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM 54 (1974), with Knuth's two-sum.
template <class Projection = std::identity> class sum {
public:
  /// What is kept of elements `T`.
  template <class T>
    requires detail::projects<Projection, T> && detail::has_total<detail::projected<Projection, T>>
  using state_for = detail::total_of<detail::projected<Projection, T>>;

  /// `projection` takes the element by const reference, or is a pointer to a member.
  explicit sum(Projection projection = Projection()) : projection_(std::move(projection)) {}

  /// What is in checkpoints, see `accumulator`.
  template <class T> std::string state_schema() const {
    return "sum<" + schema_of<detail::total_value<detail::projected<Projection, T>>>() + ">";
  }
  template <class T> void add(state_for<T>& s, T const& x, instant) const { s.add(std::invoke(projection_, x)); }
  template <class State> void merge(State& s, State const& other) const { s.merge(other); }
  template <class State> auto result(State const& s) const { return s.value(); }

private:
  [[no_unique_address]] Projection projection_;
};

}  // namespace weir
