#pragma once
#include <weir/guarantee.hpp>
#include <weir/postgres/parameters.hpp>
#include <weir/postgres/state_store.hpp>
#include <weir/postgres/statement.hpp>
#include <weir/postgres/write.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace weir::postgres {
namespace detail {

template <class V> void append_value(parameters& to, V const& value) {
  if constexpr (std::same_as<V, std::nullptr_t>) to.null();
  else if constexpr (std::integral<V>) to.integer(static_cast<std::int64_t>(value));
  else if constexpr (std::floating_point<V>) to.real(static_cast<double>(value));
  else if constexpr (std::convertible_to<V const&, std::string_view>) to.text(value);
  else to.bytes(std::span<std::byte const>(value));
}

}  // namespace detail

/// A sink: rows in the database that has the checkpoints, written in the transaction of the checkpoint they belong to.
/// ```cpp
/// postgres::table<bar> const bars(store, "INSERT INTO bars VALUES($1, $2, $3) ON CONFLICT (symbol, start) DO UPDATE SET close = $3",
///                                 [](bar const& b) { return std::tuple(b.symbol, b.start, b.close); });
/// ```
/// Whoever reads the table sees the effect of each input once, and a crash at any moment leaves table and checkpoint at the same input. The
/// table must exist. What operators give at the end of the data (windows which were open then) is written with the last commit, and again
/// when the finished pipeline is run again, perhaps with more data: give such tables a key, so that the row is replaced.
///
/// Guarantee: exactly once.   The rows of a commit take one round trip. A copy is the same sink. Thread-safety: as a value. A row that the
/// server refuses fails the commit, which says why.
template <class Row> class table {
public:
  using row_type = Row;
  static constexpr std::string_view kind = "postgresql";
  static constexpr guarantee promises = guarantee::transactional;
  /// `sql`: one statement, with $1, $2, ... for the values of the `std::tuple` that `values_of(row)` returns: integers, double, texts,
  /// spans of bytes, nullptr.
  template <class ValuesOf> table(std::shared_ptr<state_store> store, std::string sql, ValuesOf values_of) {
    auto parameters_of = [values_of = std::move(values_of)](Row const& row) {
      parameters all;
      std::apply([&all](auto const&... value) { (detail::append_value(all, value), ...); }, values_of(row));
      return all;
    };
    parts_ = std::make_shared<parts>(std::move(store), std::move(sql), std::move(parameters_of));
  }

  state_store const& store() const noexcept { return *parts_->store; }
  /// Rows of one commit.
  std::shared_ptr<store_write> write(std::vector<Row> rows) const { return std::make_shared<rows_write>(parts_, std::move(rows)); }

private:
  struct parts {
    parts(std::shared_ptr<state_store> s, std::string text, std::function<parameters(Row const&)> p)
        : store(std::move(s)), sql(std::move(text)), parameters_of(std::move(p)) {}
    std::shared_ptr<state_store> store;
    std::string sql;
    std::function<parameters(Row const&)> parameters_of;
  };
  class rows_write final : public postgres::write {
  public:
    rows_write(std::shared_ptr<parts const> of, std::vector<Row> rows)
        : postgres::write(*of->store), parts_(std::move(of)), rows_(std::move(rows)) {}
    std::vector<statement> statements() const override {
      std::vector<statement> all;
      all.reserve(rows_.size());
      for (Row const& row : rows_) all.emplace_back(parts_->sql, parts_->parameters_of(row));
      return all;
    }

  private:
    std::shared_ptr<parts const> parts_;
    std::vector<Row> rows_;
  };

  std::shared_ptr<parts const> parts_;
};

}  // namespace weir::postgres
