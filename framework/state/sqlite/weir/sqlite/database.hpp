#pragma once
#include <weir/sqlite/statement.hpp>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;

namespace weir::sqlite {

/// What may be done with the file.
enum class open_mode {
  create,     ///< read and write; made when it does not exist
  existing,   ///< read and write; must exist
  read_only,  ///< must exist
};

/// An open SQLite database file: the thin layer over SQLite that Weir's stores and apps share.
/// ```cpp
/// sqlite::database db("bars.sqlite");
/// db.execute("CREATE TABLE IF NOT EXISTS bars(symbol TEXT PRIMARY KEY, trades INTEGER)");
/// auto insert = db.prepare("INSERT INTO bars VALUES(?, ?)");
/// sqlite::transaction all(db);
/// insert.run("BTC", 17);
/// all.commit();
/// ```
/// Opened for writing, it is in WAL mode with synchronous=FULL (a commit that returned survives a crash of the machine), with foreign
/// keys on. When the database is locked by somebody else, calls wait up to the busy timeout.
///
/// Errors are `weir::error` with SQLite's own text, its code and the path: `corrupt` (no database, or a damaged one), `not_found`,
/// `access_denied`, `no_space`, `busy`, `io`, `rejected` (SQL, constraints), `too_large`, `misuse`. Destructors do not throw.
///
/// Blocks the calling thread. Not thread-safe: one thread at a time, its statements included.
class database {
public:
  /// `file`: a path, or ":memory:". `busy_timeout` >= 0, default 5 s.
  explicit database(std::filesystem::path file, open_mode mode = open_mode::create,
                    std::chrono::milliseconds busy_timeout = std::chrono::seconds(5));
  database(database&&) noexcept;
  database& operator=(database&&) noexcept;
  ~database();

  /// Runs one or more statements and drops what they return.
  void execute(std::string_view sql);
  /// Compiles one statement. It must not outlive the database.
  statement prepare(std::string_view sql);
  /// The one number which a statement returns, for example a PRAGMA; 0 when it returns no row.
  std::int64_t number(std::string_view sql);

  /// Rows changed by the last INSERT, UPDATE or DELETE.
  std::int64_t changes() const noexcept;
  std::filesystem::path const& path() const noexcept;
  /// SQLite's own handle, for what is missing here.
  ::sqlite3* native() const noexcept;

private:
  struct connection;
  std::unique_ptr<connection> connection_;
};

/// From here on all or nothing: what was written is undone by the destructor unless `commit` was called. It takes the write lock when it
/// begins, so that what it reads cannot change before it writes. Transactions do not nest.
class transaction {
public:
  /// Throws `errc::busy` when another connection keeps the lock for longer than the busy timeout.
  explicit transaction(database& db);
  transaction(transaction const&) = delete;
  transaction& operator=(transaction const&) = delete;
  ~transaction();
  /// Makes it durable. When it throws, nothing was written.
  void commit();

private:
  database* db_;
};

/// What is read while it lives is of one moment, whatever others write meanwhile; it holds up nobody.
class reading {
public:
  explicit reading(database& db);
  reading(reading const&) = delete;
  reading& operator=(reading const&) = delete;
  ~reading();

private:
  database* db_;
};

}  // namespace weir::sqlite
