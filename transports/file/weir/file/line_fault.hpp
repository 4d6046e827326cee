#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weir::file {

/// Why a line is no record.
enum class fault_kind : std::uint8_t {
  none,
  too_long,
  not_utf8,
  control_character,
  unclosed_string,
  not_an_object,
  no_key,
  no_colon,
  no_value,
  no_comma,
  unclosed,
  after_object,
  bad_number,
  bad_literal,
  bad_escape,
  too_deep,
  field_missing,
  field_null,
  field_nested,
  field_twice,
  quote_in_field,
  after_quote,
  open_quote,
  column_count,
};

/// What the line machines return in place of an exception: nothing, or what is wrong, at which byte of the line, and with which of the
/// selected fields (or, for `column_count`, with how many columns).
struct line_fault {
  fault_kind kind = fault_kind::none;
  std::uint32_t number = 0;
  std::size_t at = 0;

  line_fault() noexcept = default;
  explicit line_fault(fault_kind k, std::size_t where = 0, std::uint32_t n = 0) noexcept : kind(k), number(n), at(where) {}
  explicit operator bool() const noexcept { return kind != fault_kind::none; }
};

/// The fault in words, without file and line. `names`: the selected fields; `columns`: how many a CSV row should have; `limit`: `max_line`.
std::string describe(line_fault const& fault, std::span<std::string const> names, std::size_t columns, std::size_t limit);

}  // namespace weir::file
