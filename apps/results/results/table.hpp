#pragma once

#include <results/commit_statements.hpp>
#include <results/statement.hpp>

#include <weir/guarantee.hpp>
#include <weir/memory_table.hpp>
#include <weir/state_store.hpp>
#include <weir/store_write.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace results {

/// A sink for `use_sink`: rows in the database that has the checkpoints, whichever it is, in the transaction of the checkpoint they
/// belong to. Guarantee: exactly once. As `weir::sqlite::table` and `weir::postgres::table`, with statements for both.
template <class Row> class table {
public:
  using row_type = Row;
  static constexpr weir::guarantee promises = weir::guarantee::transactional;

  /// `statements_of(rows)`: what writes the rows of one commit, in order; the tables must exist.
  /// Errors: `errc::invalid_option` when `checkpoints` are in a store that keeps no tables.
  table(std::shared_ptr<weir::state_store> checkpoints, std::function<std::vector<statement>(std::vector<Row> const&)> statements_of)
      : kind(kind_of_tables(*checkpoints)), store_(checkpoints.get()) {
    write_ = [in = std::move(checkpoints), of = std::move(statements_of)](std::vector<Row> rows) {
      return commit_statements(*in, of(rows));
    };
  }
  /// In memory.
  explicit table(weir::memory_table<Row> rows) : kind(rows.kind), store_(&rows.store()) {
    write_ = [rows = std::move(rows)](std::vector<Row> all) { return rows.write(std::move(all)); };
  }

  std::string_view kind;  ///< "sqlite", "postgresql" or "memory"
  weir::state_store const& store() const noexcept { return *store_; }
  /// Rows of one commit.
  std::shared_ptr<weir::store_write> write(std::vector<Row> rows) const { return write_(std::move(rows)); }

private:
  weir::state_store const* store_;  // kept by the function
  std::function<std::shared_ptr<weir::store_write>(std::vector<Row>)> write_;
};

}  // namespace results
