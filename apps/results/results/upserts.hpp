#pragma once

#include <results/database.hpp>
#include <results/own_transaction.hpp>
#include <results/statement.hpp>

#include <weir/guarantee.hpp>
#include <weir/outside_write.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace results {

/// A sink for `use_sink`: rows in a database that does not have the checkpoints, in a transaction of their own before each commit.
///
/// Guarantee: idempotent, where a row that comes again after a crash takes its own place: statements are upserts by identity. `table` is
/// for the database that has the checkpoints.
template <class Row> class upserts {
public:
  using row_type = Row;
  static constexpr weir::guarantee promises = weir::guarantee::idempotent;

  /// `statements_of(rows)`: what writes the rows of one commit, in order; the tables must exist.
  upserts(std::shared_ptr<database> in, std::function<std::vector<statement>(std::vector<Row> const&)> statements_of)
      : kind(in->is_shared() ? "postgresql" : "sqlite"), in_(std::move(in)), statements_of_(std::move(statements_of)) {}

  std::string_view kind;  ///< "sqlite" or "postgresql"
  /// Rows of one commit.
  std::shared_ptr<weir::outside_write> write(std::vector<Row> rows) const { return own_transaction(in_, statements_of_(rows)); }

private:
  std::shared_ptr<database> in_;
  std::function<std::vector<statement>(std::vector<Row> const&)> statements_of_;
};

}  // namespace results
