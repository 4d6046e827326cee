#pragma once

#include <results/statement.hpp>

#include <weir/task.hpp>

#include <memory>
#include <string>
#include <vector>

namespace results {

/// All or nothing: what was run is undone by the destructor unless `commit` was called. Whoever has one is alone among the programs that
/// write results to this place. Errors: `weir::error` of the database.
class transaction {
public:
  transaction() = default;
  transaction(transaction const&) = delete;
  transaction& operator=(transaction const&) = delete;
  virtual ~transaction() = default;

  /// Runs statements in order and returns what each of them returned.
  virtual weir::task<std::vector<rows>> run(std::vector<statement> all) = 0;
  /// On return, what was run is durable.
  virtual weir::task<> commit() = 0;
};

/// Where a program keeps results: a file of SQLite, or a database of PostgreSQL (tables are made where the user's search_path says, and
/// found along it), behind one face, so that a program has its SQL once.
///
/// One transaction at a time; who begins another one meanwhile waits. Strand only. Errors: `weir::error` of the database, with its name.
class database {
public:
  database() = default;
  database(database const&) = delete;
  database& operator=(database const&) = delete;
  virtual ~database() = default;

  virtual weir::task<std::unique_ptr<transaction>> begin() = 0;
  /// Lists the names of its tables. To be asked before one is made: CREATE TABLE IF NOT EXISTS looks into one schema alone.
  virtual statement list_tables() const = 0;
  /// Whether it is one program's; tables of others are in a shared one too.
  virtual bool is_shared() const noexcept = 0;
  /// As messages call it, without password: a file's name, or "postgres server:port/name as user".
  virtual std::string const& name() const noexcept = 0;
};

}  // namespace results
