#pragma once

#include <results/database.hpp>
#include <results/sqlite_statements.hpp>

#include <weir/sqlite/database.hpp>

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

  std::string name_;
  weir::sqlite::database file_;
  sqlite_statements statements_{file_};
};

}  // namespace results
