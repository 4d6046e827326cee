#pragma once
#include <weir/file/csv_fields.hpp>
#include <weir/file/json_fields.hpp>
#include <weir/file/options.hpp>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace weir::file {

/// The format of a file as one thing: plain lines, JSON objects or CSV rows. Performs no I/O.
class line_parser {
public:
  /// `o` has been checked.
  explicit line_parser(options const& o);

  std::size_t field_count() const noexcept { return names_.size(); }
  /// Whether the next line that is not blank is a header.
  bool wants_header() const noexcept;
  line_fault set_header(std::string_view row);
  /// Whether a line has nothing in it and is passed over.
  bool passes_over(std::string_view line) const noexcept;

  /// See `json_fields`.
  void index(std::string_view run);
  line_fault parse(std::string_view line, field_text* fields, field_memory& memory);

  /// A fault of `parse` or `set_header` in words.
  std::string describe(line_fault const& f) const;

private:
  std::vector<std::string> names_;
  std::variant<std::monostate, json_fields, csv_fields> format_;
  std::size_t max_line_;
};

}  // namespace weir::file
