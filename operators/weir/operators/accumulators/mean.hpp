#pragma once
#include <weir/instant.hpp>
#include <weir/operators/accumulators/detail/compensated_sum.hpp>
#include <weir/operators/accumulators/detail/projection.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace weir {
namespace detail {

template <class V>
concept has_double = requires(V const& v) { static_cast<double>(v); };

struct mean_state {
  std::uint64_t count = 0;
  compensated_sum<double> sum;
};

}  // namespace detail

/// The arithmetic mean of what `projection` says about the elements, a `std::optional<double>`: `mean(&request::seconds)`, and `mean()` for
/// elements that are numbers themselves. Null for no elements.
///
/// Values are turned into `double` by `static_cast`, so integers beyond 2^53 are rounded. The sum is compensated as that of `sum`: the
/// order plays no part, but for a rounding or two at the end. An accumulator. State: 24 bytes. Errors: none; values whose sum is
/// beyond 1.8e308 have an infinite mean, and with a NaN it is NaN.   Source: as for `sum`.
template <class Projection = std::identity> class mean {
public:
  /// What is kept of elements `T`.
  template <class T>
    requires detail::projects<Projection, T> && detail::has_double<detail::projected<Projection, T>>
  using state_for = detail::mean_state;

  /// `projection` takes the element by const reference, or is a pointer to a member.
  explicit mean(Projection projection = Projection()) : projection_(std::move(projection)) {}

  /// What is in checkpoints, see `accumulator`.
  template <class T> std::string state_schema() const { return "mean"; }
  template <class T> void add(detail::mean_state& s, T const& x, instant) const {
    s.sum.add(static_cast<double>(std::invoke(projection_, x)));
    ++s.count;
  }
  void merge(detail::mean_state& s, detail::mean_state const& other) const noexcept {
    s.sum.merge(other.sum);
    s.count += other.count;
  }
  std::optional<double> result(detail::mean_state const& s) const noexcept {
    if (s.count == 0) return std::nullopt;
    return s.sum.value() / static_cast<double>(s.count);
  }

private:
  [[no_unique_address]] Projection projection_;
};

}  // namespace weir
