#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::postgres {
namespace detail {
class exchange;
}

/// The values of a statement's $1, $2, ..., in order. They travel beside the SQL, never within it.
/// ```cpp
/// postgres::parameters values;
/// values.text("BTC").integer(17).bytes(image);
/// ```
/// Numbers and bytes go in binary and have a type; a text takes the type which the server expects there ("2024-08-08" may be a date).
/// Values are copied. Thread-safety: as a value.
class parameters {
public:
  parameters() = default;
  parameters& null();
  parameters& integer(std::int64_t value);  ///< int8
  parameters& real(double value);           ///< float8
  /// UTF-8. Throws `errc::malformed` when it has a zero byte, which PostgreSQL's texts cannot have.
  parameters& text(std::string_view value);
  /// bytea.
  parameters& bytes(std::span<std::byte const> value);
  parameters& bytes(std::string_view value);
  /// int8[] and bytea[], for `unnest($1, $2)`: many rows in one statement. They throw `errc::too_large` beyond 1 GB, PostgreSQL's limit.
  parameters& integers(std::span<std::int64_t const> values);
  parameters& byte_strings(std::span<std::string_view const> values);

  std::size_t size() const noexcept { return values_.size(); }

private:
  friend class detail::exchange;
  struct value {
    std::uint32_t type;  // as in pg_type; 0: as the server expects
    bool null, binary;
    std::size_t begin, length;  // in bytes_
  };
  void begin(std::uint32_t type, bool binary);
  template <class Number> void append(Number n);
  void append(std::string_view bytes);
  void begin_array(std::uint32_t type, std::uint32_t of_type, std::size_t count);
  void check_size() const;

  std::vector<value> values_;
  std::string bytes_;  // of all values, each followed by a zero byte
};

}  // namespace weir::postgres
