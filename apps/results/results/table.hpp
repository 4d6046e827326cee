#pragma once

#include <weir/error.hpp>
#include <weir/guarantee.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/sqlite/table.hpp>
#include <weir/state_store.hpp>
#include <weir/store_write.hpp>
#ifdef WEIR_HAS_POSTGRES
#include <weir/postgres/table.hpp>
#endif

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace results {

/// A sink for `use_sink`: rows in the database that has the checkpoints, whichever it is, in the transaction of the checkpoint they
/// belong to. Guarantee: exactly once. See `weir::sqlite::table`, `weir::postgres::table`.
template <class Row> class table {
public:
  using row_type = Row;
  static constexpr weir::guarantee promises = weir::guarantee::transactional;

  /// `sql` and `values_of` as there; $1 stands before $2, and so on. The table must exist.
  /// Errors: `errc::invalid_option` when `checkpoints` are in a store that keeps no tables.
  template <class ValuesOf> table(std::shared_ptr<weir::state_store> const& checkpoints, std::string sql, ValuesOf values_of) {
    if (auto file = std::dynamic_pointer_cast<weir::sqlite::state_store>(checkpoints)) {
      use(weir::sqlite::table<Row>(std::move(file), std::move(sql), std::move(values_of)));
      return;
    }
#ifdef WEIR_HAS_POSTGRES
    if (auto server = std::dynamic_pointer_cast<weir::postgres::state_store>(checkpoints)) {
      use(weir::postgres::table<Row>(std::move(server), std::move(sql), std::move(values_of)));
      return;
    }
#endif
    throw weir::error(weir::errc::invalid_option, "results: cannot make a table", "the store of the checkpoints keeps no tables");
  }
  /// In memory.
  explicit table(weir::memory_table<Row> rows) { use(std::move(rows)); }

  std::string_view kind;  ///< "sqlite", "postgresql" or "memory"
  weir::state_store const& store() const noexcept { return *store_; }
  /// Rows of one commit.
  std::shared_ptr<weir::store_write> write(std::vector<Row> rows) const { return write_(std::move(rows)); }

private:
  template <class Sink> void use(Sink sink) {
    kind = Sink::kind;
    store_ = &sink.store();  // kept by the sink
    write_ = [sink = std::move(sink)](std::vector<Row> rows) { return sink.write(std::move(rows)); };
  }

  std::function<std::shared_ptr<weir::store_write>(std::vector<Row>)> write_;
  weir::state_store const* store_ = nullptr;
};

}  // namespace results
