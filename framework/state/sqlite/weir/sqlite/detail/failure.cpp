#include <weir/sqlite/detail/failure.hpp>

#include <weir/error.hpp>

#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

namespace weir::sqlite::detail {
namespace {

struct verdict {
  errc code;
  std::string_view advice;
};

verdict judge(int code, int system_error) {
  if (system_error == ENOSPC || system_error == EDQUOT) code = SQLITE_FULL;
  switch (code & 0xff) {  // the rest are SQLite's finer distinctions
    case SQLITE_FULL: return {errc::no_space, "make room on the disk; what was committed before is intact"};
    case SQLITE_NOTADB: return {errc::corrupt, "name another file; nothing was written to this one"};
    case SQLITE_CORRUPT: return {errc::corrupt, "restore the file from a backup, or salvage it with the sqlite3 shell's .recover"};
    case SQLITE_READONLY: return {errc::access_denied, "make the file and its folder writable"};
    case SQLITE_PERM:
    case SQLITE_AUTH: return {errc::access_denied, "look at the permissions of the file and its folder"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return {errc::busy, "another connection or process holds the lock; end it, or try again"};
    case SQLITE_CANTOPEN: return {errc::io, "look at the path and the permissions of its folder"};
    case SQLITE_IOERR: return {errc::io, "look at the disk and the system's log"};
    case SQLITE_TOOBIG: return {errc::too_large, "a text or blob is beyond SQLite's limit, 1 GB by default"};
    case SQLITE_RANGE:
    case SQLITE_MISUSE: return {errc::misuse, "this is a mistake in the program"};
    case SQLITE_NOMEM: return {errc::unavailable, "memory is short"};
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH: return {errc::rejected, "what was to be written does not fit the table"};
    case SQLITE_ERROR:
    case SQLITE_SCHEMA: return {errc::rejected, "look at the SQL and at the tables of the file"};
    default: return {errc::io, ""};
  }
}

std::string in_words(::sqlite3* db, int code, int system_error) {
  std::string out = db ? sqlite3_errmsg(db) : sqlite3_errstr(code);
  bool const tells_system = system_error != 0 && ((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN);
  if (tells_system) out += ": " + std::generic_category().message(system_error);
  return out + " (SQLite error " + std::to_string(code) + ")";
}

[[noreturn]] void refuse(errc code, std::filesystem::path const& path, std::string why, std::string advice) {
  throw error(code, "sqlite: cannot open the database", std::move(why), std::move(advice)).with_detail(path.string());
}

}  // namespace

void fail(::sqlite3* db, std::filesystem::path const& path, std::string failed) {
  int const code = db ? sqlite3_extended_errcode(db) : SQLITE_NOMEM;
  int const system_error = db ? sqlite3_system_errno(db) : 0;
  bool const of_system = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;  // else errno is of some earlier call
  auto const [what, advice] = judge(code, of_system ? system_error : 0);
  throw error(what, "sqlite: " + std::move(failed), in_words(db, code, system_error), std::string(advice)).with_detail(path.string());
}

void fail_to_open(::sqlite3* db, std::filesystem::path const& path) {
  if (db && (sqlite3_errcode(db) & 0xff) == SQLITE_CANTOPEN) {
    int reason = sqlite3_system_errno(db);
    std::error_code ignored;
    auto const folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    if (!std::filesystem::is_directory(folder, ignored))
      refuse(errc::not_found, path, "the folder " + folder.string() + " does not exist", "make it, or name another file");
    if (reason == ENOENT && !std::filesystem::exists(path, ignored)) {
      // SQLite tells why the last thing it tried failed, which was to open for reading what it could not make.
      if (::access(folder.c_str(), W_OK | X_OK) == 0) refuse(errc::not_found, path, "the file does not exist", "look at its name");
      reason = errno;
    }
    if (reason == EACCES || reason == EPERM || reason == EROFS)
      refuse(errc::access_denied, path, std::generic_category().message(reason), "look at the permissions of the file and its folder");
  }
  fail(db, path, "cannot open the database");
}

void check_name(std::filesystem::path const& path) {
  if (path.empty()) throw error(errc::invalid_option, "sqlite: cannot open the database", "no file is named", "name one");
  if (path == ":memory:") return;
  std::error_code ignored;
  auto const status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) refuse(errc::io, path, "it is a folder", "name a file in it");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    refuse(errc::io, path, "it is not a regular file", "name another file");
}

}  // namespace weir::sqlite::detail
