#pragma once
#include <weir/operators/accumulators/detail/extreme.hpp>

#include <functional>
#include <utility>

namespace weir {

/// The greatest of what `projection` says about the elements, as a `std::optional`: `maximum(&tick::price)`, and `maximum()` for the
/// elements themselves. Null for no elements.
///
/// Values are compared with `<`, and copied; a view of text is kept as a `std::string`. Of equal ones the first to come is kept, when
/// states are merged that of the first; but for this, the order plays no part. A floating-point NaN counts as no value.
/// An accumulator. State: a value and whether there is one; its type must be `encodable`.
/// Errors: none of its own.   Source: SQL's MAX; IEEE 754-2019, 9.6, maximumNumber.
template <class Projection = std::identity> class maximum : public detail::extreme<Projection, detail::is_greater> {
public:
  /// `projection` takes the element by const reference, or is a pointer to a member.
  explicit maximum(Projection projection = Projection()) : detail::extreme<Projection, detail::is_greater>(std::move(projection)) {}
};

}  // namespace weir
