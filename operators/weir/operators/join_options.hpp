#pragma once
#include <weir/operators/detail/named_operator.hpp>

namespace weir {

/// What a join is called and where it counts:
/// `interval_join(trades, quotes, interval(-5s, 0s), late::drop(), join_kind::left, join_options().named("priced").counted_in(books,
/// "priced"))`.
///
/// `.counted_in(books, account)` counts the elements of both sides: as open while they are kept, then as out, with or without a partner.
class join_options : public detail::named_operator<join_options> {
public:
  join_options() = default;
  /// For operators.
  detail::naming const& naming() const noexcept { return naming_; }
};

}  // namespace weir
