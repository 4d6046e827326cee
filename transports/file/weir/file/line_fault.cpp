#include <weir/file/line_fault.hpp>

#include <fmt/format.h>

namespace weir::file {
namespace {

std::string_view plain_text(fault_kind kind) {
  switch (kind) {
    case fault_kind::not_utf8: return "the text is not UTF-8";
    case fault_kind::control_character: return "a control character stands inside a string or between values";
    case fault_kind::unclosed_string: return "a string is not closed";
    case fault_kind::not_an_object: return "the line is not a JSON object";
    case fault_kind::no_key: return "a key in quotes was expected";
    case fault_kind::no_colon: return "a colon was expected after the key";
    case fault_kind::no_value: return "a value was expected";
    case fault_kind::no_comma: return "a comma or the end of the object or array was expected";
    case fault_kind::unclosed: return "the line ends before the object does";
    case fault_kind::after_object: return "something follows the object";
    case fault_kind::bad_number: return "a number is not of the form JSON allows";
    case fault_kind::bad_literal: return "a value is neither a string, a number, true, false nor null";
    case fault_kind::bad_escape: return "a string has an escape that JSON does not know";
    case fault_kind::too_deep: return "objects and arrays are nested more than 1024 deep";
    case fault_kind::quote_in_field: return "a quote stands inside a field that does not begin with one";
    case fault_kind::after_quote: return "something other than the delimiter follows a closing quote";
    case fault_kind::open_quote: return "a quoted field is not closed on its line (line breaks inside fields are not supported)";
    default: return "the line is broken";
  }
}

}  // namespace

std::string describe(line_fault const& fault, std::span<std::string const> names, std::size_t columns, std::size_t limit) {
  auto const name = [&] { return fault.number < names.size() ? std::string_view(names[fault.number]) : std::string_view("?"); };
  switch (fault.kind) {
    case fault_kind::too_long: return fmt::format("the line is longer than {} bytes", limit);
    case fault_kind::field_missing: return fmt::format("the field \"{}\" is missing", name());
    case fault_kind::field_null: return fmt::format("the field \"{}\" is null", name());
    case fault_kind::field_nested: return fmt::format("the field \"{}\" is an object or an array, not a plain value", name());
    case fault_kind::field_twice: return fmt::format("the field \"{}\" appears twice", name());
    case fault_kind::column_count: return fmt::format("the row has {} columns, the header has {}", fault.number, columns);
    default: return std::string(plain_text(fault.kind));
  }
}

}  // namespace weir::file
