#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

struct sqlite3_stmt;

namespace weir::sqlite {

/// A compiled SQL statement, from `database::prepare`. Parameters are numbered from 1, columns from 0.
/// ```cpp
/// auto select = db.prepare("SELECT symbol, trades FROM bars WHERE trades > ?");
/// select.bind(1, 100);
/// while (select.step()) use(select.text(0), select.integer(1));
/// ```
/// Errors: `weir::error` as of `database`. Not thread-safe, like the database it belongs to, which must outlive it.
class statement {
public:
  statement(statement&& o) noexcept;
  statement& operator=(statement&& o) noexcept;
  ~statement();

  /// Values are copied. Binding is for a statement that was not stepped yet, or was reset.
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);
  void bind(int parameter, std::string_view text);
  void bind(int parameter, std::span<std::byte const> blob);
  void bind(int parameter, std::nullptr_t);
  void bind(int parameter, char const* text) { bind(parameter, std::string_view(text)); }
  /// Any other integer. Throws `errc::out_of_range` when SQLite's 64 bits with a sign cannot hold it.
  template <std::integral Integer>
    requires(!std::same_as<Integer, std::int64_t>)
  void bind(int parameter, Integer value) {
    if constexpr (std::is_unsigned_v<Integer> && sizeof(Integer) == sizeof(std::int64_t)) check_range(parameter, value);
    bind(parameter, static_cast<std::int64_t>(value));
  }

  /// Goes to the next row: false when there is none (any more); then it is reset and may be run again.
  bool step();
  /// Ends it half-way; parameters keep their values.
  void reset() noexcept;
  /// Binds `values` to the parameters 1, 2, ... and runs it to its end; rows are dropped.
  template <class... Values> void run(Values const&... values) {
    reset();
    int parameter = 0;
    (bind(++parameter, values), ...);
    while (step()) {}
  }

  /// Of the current row. Views are valid until the next `step`, `reset` or other getter of the same column; SQLite converts between types.
  std::int64_t integer(int column) const noexcept;
  double real(int column) const noexcept;
  std::string_view text(int column) const;
  std::span<std::byte const> blob(int column) const;
  bool is_null(int column) const noexcept;

  /// SQLite's own handle, for what is missing here.
  ::sqlite3_stmt* native() const noexcept { return handle_; }

private:
  friend class database;
  statement(::sqlite3_stmt* handle, std::filesystem::path const& path) noexcept : handle_(handle), path_(&path) {}
  static void check_range(int parameter, std::uint64_t value);
  void check(int code, char const* what) const;

  ::sqlite3_stmt* handle_;
  std::filesystem::path const* path_;  // the database's
};

}  // namespace weir::sqlite
