#pragma once
#include <weir/file/field_memory.hpp>
#include <weir/file/field_text.hpp>
#include <weir/file/line_fault.hpp>
#include <weir/file/rare_byte.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::file {

/// Reads selected columns of CSV rows (RFC 4180), in one pass, and checks the row on the way: quotes, number of columns, UTF-8. Performs
/// no I/O and never throws but `std::bad_alloc`.
///
/// A row is a line: a line break inside a quoted field is a fault, so that a quote which is missing spoils one row and not the rest
/// of the file, and a row can be found by its offset. A quote in a field that does not begin with one is a fault (RFC 4180 section
/// 2.5). Blanks belong to fields. Text is not copied; fields with doubled quotes are written to `field_memory` with single ones.
class csv_fields {
public:
  /// Bytes behind each text that must be readable.
  static constexpr std::size_t padding = 64;

  /// Selects `names`, of which the first `required` must be columns. `delimiter`: one ASCII character, neither a quote nor a line break.
  csv_fields(std::span<std::string const> names, std::size_t required, char delimiter);

  /// Names the columns: a row as it stands in the file. The fault is that of a row, or `field_missing`, or `field_twice`.
  line_fault set_header(std::string_view row);
  line_fault set_columns(std::vector<std::string> columns);
  /// Empty before one of the two above.
  std::vector<std::string> const& columns() const noexcept { return columns_; }

  /// Shows a run of whole lines, as `json_fields` does: it is checked to be UTF-8 in one go.
  void index(std::string_view run);
  /// Reads a row of the run into `fields`, as many as were selected.
  line_fault parse(std::string_view row, field_text* fields, field_memory& memory);

private:
  static constexpr int none = -1;
  struct cell {
    char const *begin, *end;  // between the quotes, if there are any
    char const* next;         // the delimiter behind it, or the end of the row
    bool doubled;             // has doubled quotes
  };
  line_fault take_cell(std::string_view row, char const* at, bool quotes, cell& c) const noexcept;
  line_fault take_quoted(std::string_view row, char const* at, cell& c) const noexcept;
  char const* find_delimiter(char const* p, char const* end) const noexcept;
  static char* undouble(cell const& c, char* out) noexcept;

  std::vector<std::string> names_, columns_;
  std::vector<int> field_of_column_;
  std::size_t required_;
  char delimiter_;
  rare_byte next_quote_;
  bool line_by_line_ = false;
};

}  // namespace weir::file
