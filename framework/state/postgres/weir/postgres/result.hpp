#pragma once
#include <cstdint>
#include <memory>
#include <string_view>

struct pg_result;

namespace weir::postgres {

/// What a statement returned: rows (none for most commands), and how many rows it changed. Rows and columns are numbered from 0.
///
/// Views live as long as the result. Errors: `errc::misuse` for a row or column that is not there, `errc::malformed` for a value which is
/// not of the kind that is asked for. Thread-safety: as a value.
class result {
public:
  result() = default;  ///< nothing: no rows, no columns
  explicit result(::pg_result* taken) noexcept : rows_(taken) {}

  int rows() const noexcept;
  int columns() const noexcept;
  bool is_null(int row, int column) const;
  /// As the server wrote it, in the format that the statement asked for; empty for null.
  std::string_view text(int row, int column) const;
  /// The same under the name it has for a binary bytea.
  std::string_view bytes(int row, int column) const { return text(row, column); }
  /// Of any integer type, in either format. Null is `errc::malformed`.
  std::int64_t integer(int row, int column) const;
  /// Rows that INSERT, UPDATE or DELETE touched; 0 for other commands.
  std::int64_t affected() const;
  /// What was done: "INSERT 0 1", "COMMIT".
  std::string_view command() const noexcept;

private:
  struct clear {
    void operator()(::pg_result* r) const noexcept;
  };
  void check(int row, int column) const;
  std::unique_ptr<::pg_result, clear> rows_;
};

}  // namespace weir::postgres
