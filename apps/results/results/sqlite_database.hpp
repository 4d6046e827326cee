#pragma once

#include <results/database.hpp>

#include <weir/sqlite/database.hpp>
#include <weir/sqlite/statement.hpp>

#include <map>
#include <string>

namespace results {

/// Results in a file of SQLite. Blocks its strand while the disk writes.
class sqlite_database final : public database {
public:
  /// Opens or makes `file`. Errors: those of `weir::sqlite::database`.
  explicit sqlite_database(std::string file);

  weir::task<std::unique_ptr<transaction>> begin() override;
  statement list_tables() const override;
  bool is_shared() const noexcept override { return false; }
  std::string const& name() const noexcept override { return name_; }

private:
  class work;
  rows run(statement const& s);

  std::string name_;
  weir::sqlite::database file_;
  std::map<std::string, weir::sqlite::statement> prepared_;  // by their text
};

}  // namespace results
