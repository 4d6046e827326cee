#pragma once
#include <weir/postgres/connection_options.hpp>
#include <weir/postgres/result.hpp>
#include <weir/postgres/statement.hpp>
#include <weir/task.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace weir::postgres {

/// One connection to a PostgreSQL server (14 or later): the thin layer over libpq that Weir's stores and sinks share. It waits without
/// blocking the strand.
/// ```cpp
/// postgres::connection db("host=/run/postgresql dbname=bars");
/// co_await db.open();
/// postgres::parameters values;
/// values.text("BTC");
/// postgres::statement select("SELECT trades FROM bars WHERE symbol = $1", values);
/// auto const found = co_await db.query(std::move(select));
/// ```
/// It is opened by `open` and, once closed or lost, by `open` again; nothing is repeated by itself. Timeouts are in real time, under a
/// virtual clock too.
///
/// Errors are `weir::error` with the server's own text, the SQLSTATE and the server's name: `unavailable` (refused, lost, starting),
/// `timed_out`, `access_denied` (login, rights, a read-only server), `not_found` (no such database), `busy` (locks, serialization),
/// `no_space`, `io`, `corrupt`, `too_large`, `rejected` (SQL, constraints), `misuse` (not open).
///
/// A statement that failed leaves the connection open. Lost, out of time, or cancelled while it waits, it is closed, and what the server
/// then does with the statement is not known. Thread-safety: one call at a time; between calls it may move to another strand.
class connection {
public:
  /// Throws `errc::invalid_option`. Does not connect.
  explicit connection(connection_options options);
  connection(connection&&) noexcept;
  connection& operator=(connection&&) noexcept;
  ~connection();

  /// Connects, unless it is open.
  task<> open();
  bool is_open() const noexcept;
  void close() noexcept;

  /// Runs one statement.
  task<result> query(statement s);
  /// Runs several in one round trip and returns their results in order. When one fails, those behind it are not run, and its failure is
  /// thrown; outside of a transaction those before it are undone as well.
  task<std::vector<result>> query_all(std::vector<statement> all);
  /// Runs one statement and hands over its rows as they arrive, so that they need not fit into memory at the same time.
  task<> each_row(statement s, std::function<void(result const&, int row)> take);
  /// Runs commands without parameters, separated by semicolons, as one transaction unless they say otherwise; drops what they return.
  task<> execute(std::string sql);

  /// Whether a transaction is open on it.
  bool in_transaction() const noexcept;
  /// As messages name it: "db.example:5432/bars as weir".
  std::string const& server() const noexcept;

private:
  struct link;
  std::unique_ptr<link> link_;
};

}  // namespace weir::postgres
