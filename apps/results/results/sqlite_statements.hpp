#pragma once

#include <results/statement.hpp>

#include <weir/sqlite/database.hpp>
#include <weir/sqlite/statement.hpp>

#include <map>
#include <string>

namespace results {

/// Runs statements on one connection to a file of SQLite, each text prepared once. Errors: those of `weir::sqlite::statement`.
class sqlite_statements {
public:
  /// Refers to `file`.
  explicit sqlite_statements(weir::sqlite::database& file) noexcept : file_(file) {}
  rows run(statement const& s);

private:
  weir::sqlite::database& file_;
  std::map<std::string, weir::sqlite::statement> prepared_;  // by their text
};

}  // namespace results
