#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weblog {

/// The rows of a result, in the order of their keys. Holds them all: a result is complete when the data is, and sorted over all of it.
template <class Row> class result_table {
  template <class... T> static std::tuple<std::decay_t<T>...> owned(std::tuple<T...> const& key) { return key; }

public:
  /// A row's key as a value of its own.
  using key_type = decltype(owned(std::declval<Row const&>().key()));

  /// Adds the row, or puts it in the place of the one with its key: a correction.
  void put(Row row) {
    key_type key = owned(row.key());
    rows_.insert_or_assign(std::move(key), std::move(row));
  }
  /// Takes a row out, where there is one: a session that has become a part of another.
  void remove(key_type const& key) { rows_.erase(key); }

  std::size_t size() const noexcept { return rows_.size(); }
  std::map<key_type, Row> const& rows() const noexcept { return rows_; }

  /// The names of the columns and the rows, each with a line's end.
  std::string csv() const {
    std::string out = Row::columns;
    out += '\n';
    for (auto const& [key, row] : rows_) (out += row.text()) += '\n';
    return out;
  }

private:
  std::map<key_type, Row> rows_;
};

}  // namespace weblog
