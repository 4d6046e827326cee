#include <weir/sqlite/database.hpp>

#include <weir/error.hpp>
#include <weir/sqlite/detail/failure.hpp>

#include <sqlite3.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace weir::sqlite {

struct database::connection {
  explicit connection(std::filesystem::path p) : path(std::move(p)) {}
  connection(connection const&) = delete;
  connection& operator=(connection const&) = delete;
  ~connection() { sqlite3_close_v2(handle); }

  std::filesystem::path path;
  ::sqlite3* handle = nullptr;
};

namespace {

int flags(open_mode mode) {
  int const common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  switch (mode) {
    case open_mode::create: return common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case open_mode::existing: return common | SQLITE_OPEN_READWRITE;
    case open_mode::read_only: return common | SQLITE_OPEN_READONLY;
  }
  return common;
}

// SQLite does not wait for the lock that changing the journal mode takes, so that two processes which make one file at the same
// time would fail.
int use_wal(::sqlite3* db, std::chrono::milliseconds patience) {
  for (auto waited = std::chrono::milliseconds(0);; waited += std::chrono::milliseconds(5)) {
    int const code = sqlite3_exec(db, "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr);
    if ((code & 0xff) != SQLITE_BUSY || waited >= patience) return code;
    sqlite3_sleep(5);
  }
}

}  // namespace

database::database(std::filesystem::path file, open_mode mode, std::chrono::milliseconds busy_timeout)
    : connection_(std::make_unique<connection>(std::move(file))) {
  connection& c = *connection_;
  if (busy_timeout.count() < 0)
    throw error(errc::invalid_option, "sqlite: cannot open the database", "the busy timeout is negative", "give 0 or more")
        .with_detail(c.path.string());
  detail::check_name(c.path);
  // Made absolute, no name can be taken for a URI or one of SQLite's special names.
  std::string const name = c.path == ":memory:" ? ":memory:" : std::filesystem::absolute(c.path).string();
  if (sqlite3_open_v2(name.c_str(), &c.handle, flags(mode), nullptr) != SQLITE_OK) detail::fail_to_open(c.handle, c.path);
  sqlite3_busy_timeout(c.handle, static_cast<int>(std::min<std::int64_t>(busy_timeout.count(), std::numeric_limits<int>::max())));
  if (mode != open_mode::read_only && sqlite3_db_readonly(c.handle, "main") == 1) {  // what SQLite makes of a file it may not write
    throw error(errc::access_denied, "sqlite: cannot open the database for writing", "the file is read-only",
                "make the file and its folder writable")
        .with_detail(c.path.string());
  }
  // The first statement is what reads the file; opening it does not.
  if (sqlite3_exec(c.handle, "PRAGMA schema_version", nullptr, nullptr, nullptr) != SQLITE_OK) detail::fail_to_open(c.handle, c.path);
  if (mode == open_mode::read_only) return;
  if (use_wal(c.handle, busy_timeout) != SQLITE_OK) detail::fail_to_open(c.handle, c.path);
  execute("PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON");
}

database::database(database&&) noexcept = default;
database& database::operator=(database&&) noexcept = default;
database::~database() = default;

void database::execute(std::string_view sql) {
  std::string const text(sql);
  if (sqlite3_exec(native(), text.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    detail::fail(native(), path(), "cannot run \"" + text + '"');
}

statement database::prepare(std::string_view sql) {
  ::sqlite3_stmt* handle = nullptr;
  if (sql.empty()) sql = " ";  // a null pointer is not for SQLite
  char const* rest = nullptr;
  if (sqlite3_prepare_v2(native(), sql.data(), static_cast<int>(sql.size()), &handle, &rest) != SQLITE_OK)
    detail::fail(native(), path(), "cannot prepare \"" + std::string(sql) + '"');
  statement out(handle, path());
  auto const behind = sql.substr(static_cast<std::size_t>(rest - sql.data()));
  if (handle != nullptr && behind.find_first_not_of(" \t\r\n;") == std::string_view::npos) return out;
  throw error(errc::misuse, "sqlite: cannot prepare \"" + std::string(sql) + '"', handle ? "it is more than one statement" : "it is empty",
              "prepare takes exactly one statement")
      .with_detail(path().string());
}

std::int64_t database::number(std::string_view sql) {
  statement query = prepare(sql);
  return query.step() ? query.integer(0) : 0;
}

std::int64_t database::changes() const noexcept { return sqlite3_changes64(native()); }
std::filesystem::path const& database::path() const noexcept { return connection_->path; }
::sqlite3* database::native() const noexcept { return connection_->handle; }

transaction::transaction(database& db) : db_(&db) { db.execute("BEGIN IMMEDIATE"); }

transaction::~transaction() {
  // Some failures have ended the transaction already.
  if (db_ && sqlite3_get_autocommit(db_->native()) == 0) sqlite3_exec(db_->native(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void transaction::commit() {
  if (!db_) throw error(errc::misuse, "sqlite: cannot commit", "the transaction was committed before", "commit once");
  int moved = 0;
  sqlite3_file_control(db_->native(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (moved != 0) {  // SQLite would go on writing to a file which nobody finds any more
    throw error(errc::io, "sqlite: cannot commit", "the file was moved or deleted while it was open", "put it back, or start again")
        .with_detail(db_->path().string());
  }
  db_->execute("COMMIT");
  db_ = nullptr;
}

reading::reading(database& db) : db_(&db) { db.execute("BEGIN"); }
reading::~reading() {
  if (sqlite3_get_autocommit(db_->native()) == 0) sqlite3_exec(db_->native(), "ROLLBACK", nullptr, nullptr, nullptr);
}

}  // namespace weir::sqlite
