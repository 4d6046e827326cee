#include <weir/postgres/result.hpp>

#include <weir/error.hpp>

#include <libpq-fe.h>

#include <charconv>
#include <string>

namespace weir::postgres {

void result::clear::operator()(::pg_result* r) const noexcept { PQclear(r); }

int result::rows() const noexcept { return PQntuples(rows_.get()); }
int result::columns() const noexcept { return PQnfields(rows_.get()); }
std::string_view result::command() const noexcept { return rows_ ? PQcmdStatus(rows_.get()) : ""; }

// libpq answers null for what is not there, and says so on standard error.
void result::check(int row, int column) const {
  if (row >= 0 && row < rows() && column >= 0 && column < columns()) return;
  throw error(errc::misuse, "postgres: cannot read a result",
              "there is no row " + std::to_string(row) + " with a column " + std::to_string(column) + ": it has " + std::to_string(rows()) +
                  " rows and " + std::to_string(columns()) + " columns");
}

bool result::is_null(int row, int column) const {
  check(row, column);
  return PQgetisnull(rows_.get(), row, column) == 1;
}

std::string_view result::text(int row, int column) const {
  check(row, column);
  return {PQgetvalue(rows_.get(), row, column), static_cast<std::size_t>(PQgetlength(rows_.get(), row, column))};
}

std::int64_t result::integer(int row, int column) const {
  std::string_view const value = text(row, column);
  bool const null = PQgetisnull(rows_.get(), row, column) == 1;
  if (!null && PQfformat(rows_.get(), column) == 1) {
    std::uint64_t bits = 0;
    for (char const c : value) bits = bits << 8 | static_cast<std::uint8_t>(c);
    if (value.size() == 8) return static_cast<std::int64_t>(bits);
    if (value.size() == 4) return static_cast<std::int32_t>(bits);
    if (value.size() == 2) return static_cast<std::int16_t>(bits);
  } else if (!null) {
    std::int64_t out = 0;
    auto const [end, code] = std::from_chars(value.data(), value.data() + value.size(), out);
    if (code == std::errc() && end == value.data() + value.size()) return out;
  }
  throw error(errc::malformed, "postgres: cannot read column \"" + std::string(PQfname(rows_.get(), column)) + '"',
              null ? "it is null" : "it is not an integer");
}

std::int64_t result::affected() const {
  std::string_view const count = rows_ ? PQcmdTuples(rows_.get()) : "";
  std::int64_t out = 0;
  std::from_chars(count.data(), count.data() + count.size(), out);
  return out;
}

}  // namespace weir::postgres
