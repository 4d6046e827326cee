#pragma once
#include <weir/guarantee.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/sqlite/state_store.hpp>
#include <weir/sqlite/write.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace weir::sqlite {

/// A sink: rows in the file that has the checkpoints, written in the transaction of the checkpoint they belong to. Whoever
/// reads the table sees the effect of each input once, and a crash at any moment leaves table and checkpoint at the same input.
/// ```cpp
/// auto const store = std::make_shared<sqlite::state_store>("bars.sqlite");
/// store->in_transaction([](sqlite::database& db) {
///   db.execute("CREATE TABLE IF NOT EXISTS bars(symbol, start, close, PRIMARY KEY(symbol, start))");
/// });
/// sqlite::table<bar> const bars(store, "INSERT OR REPLACE INTO bars VALUES(?, ?, ?)",
///                               [](bar const& b) { return std::tuple(b.symbol, b.start, b.close); });
/// ```
/// What operators give at the end of the data (windows which were open then) is written with the last commit, and again when the finished
/// pipeline is run again, perhaps with more data: give such tables a key, so that the row is replaced.
///
/// Guarantee: exactly once.   A copy is the same sink. Thread-safety: as a value. A row that SQLite refuses fails the commit, which says
/// why.
template <class Row> class table {
public:
  using row_type = Row;
  static constexpr std::string_view kind = "sqlite";
  static constexpr guarantee promises = guarantee::transactional;
  /// `sql`: one statement, with a parameter for each value of the `std::tuple` that `values_of(row)` returns: integers, double,
  /// texts, spans of bytes, nullptr.
  template <class ValuesOf> table(std::shared_ptr<state_store> store, std::string sql, ValuesOf values_of) {
    auto run = [values_of = std::move(values_of)](statement& s, Row const& row) {
      std::apply([&s](auto const&... value) { s.run(value...); }, values_of(row));
    };
    parts_ = std::make_shared<parts>(std::move(store), std::move(sql), std::move(run));
  }

  state_store const& store() const noexcept { return *parts_->store; }
  /// Rows of one commit.
  std::shared_ptr<store_write> write(std::vector<Row> rows) const { return std::make_shared<rows_write>(parts_, std::move(rows)); }

private:
  struct parts {
    parts(std::shared_ptr<state_store> s, std::string text, std::function<void(statement&, Row const&)> r)
        : store(std::move(s)), sql(std::move(text)), run(std::move(r)) {}
    std::shared_ptr<state_store> store;
    std::string sql;
    std::function<void(statement&, Row const&)> run;
  };
  class rows_write final : public sqlite::write {
  public:
    rows_write(std::shared_ptr<parts const> of, std::vector<Row> rows)
        : sqlite::write(*of->store), parts_(std::move(of)), rows_(std::move(rows)) {}
    void apply(database& file) const override {
      statement s = file.prepare(parts_->sql);
      for (Row const& row : rows_) parts_->run(s, row);
    }

  private:
    std::shared_ptr<parts const> parts_;
    std::vector<Row> rows_;
  };

  std::shared_ptr<parts const> parts_;
};

}  // namespace weir::sqlite
