#include <weir/sqlite/statement.hpp>

#include <weir/error.hpp>
#include <weir/sqlite/detail/failure.hpp>

#include <sqlite3.h>

#include <limits>
#include <utility>

namespace weir::sqlite {

statement::statement(statement&& o) noexcept : handle_(std::exchange(o.handle_, nullptr)), path_(o.path_) {}

statement& statement::operator=(statement&& o) noexcept {
  statement old(std::move(*this));
  handle_ = std::exchange(o.handle_, nullptr);
  path_ = o.path_;
  return *this;
}

statement::~statement() { sqlite3_finalize(handle_); }

void statement::check(int code, char const* what) const {
  if (code != SQLITE_OK) detail::fail(sqlite3_db_handle(handle_), *path_, what);
}

void statement::bind(int parameter, std::int64_t value) { check(sqlite3_bind_int64(handle_, parameter, value), "cannot bind an integer"); }
void statement::bind(int parameter, double value) { check(sqlite3_bind_double(handle_, parameter, value), "cannot bind a number"); }
void statement::bind(int parameter, std::nullptr_t) { check(sqlite3_bind_null(handle_, parameter), "cannot bind a null"); }

// A null pointer would bind NULL, which is something else than an empty text or blob.
void statement::bind(int parameter, std::string_view text) {
  check(sqlite3_bind_text64(handle_, parameter, text.empty() ? "" : text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8),
        "cannot bind a text");
}
void statement::bind(int parameter, std::span<std::byte const> blob) {
  void const* const at = blob.empty() ? static_cast<void const*>("") : blob.data();
  check(sqlite3_bind_blob64(handle_, parameter, at, blob.size(), SQLITE_TRANSIENT), "cannot bind a blob");
}

void statement::check_range(int parameter, std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return;
  throw error(errc::out_of_range, "sqlite: cannot bind parameter " + std::to_string(parameter),
              std::to_string(value) + " is beyond SQLite's integers", "store it as text");
}

bool statement::step() {
  int const code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(handle_);
    return false;
  }
  try {
    detail::fail(sqlite3_db_handle(handle_), *path_, std::string("cannot run \"") + sqlite3_sql(handle_) + '"');
  } catch (...) {
    reset();
    throw;
  }
}

void statement::reset() noexcept { sqlite3_reset(handle_); }

std::int64_t statement::integer(int column) const noexcept { return sqlite3_column_int64(handle_, column); }
double statement::real(int column) const noexcept { return sqlite3_column_double(handle_, column); }
bool statement::is_null(int column) const noexcept { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }

std::string_view statement::text(int column) const {
  auto const* const at = reinterpret_cast<char const*>(sqlite3_column_text(handle_, column));
  if (at == nullptr) return {};
  return {at, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

std::span<std::byte const> statement::blob(int column) const {
  auto const* const at = static_cast<std::byte const*>(sqlite3_column_blob(handle_, column));
  if (at == nullptr) return {};
  return {at, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

}  // namespace weir::sqlite
