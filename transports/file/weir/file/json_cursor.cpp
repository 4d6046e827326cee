#include <weir/file/json_cursor.hpp>

#include <weir/file/json_escapes.hpp>

#include <bitset>

namespace weir::file {
namespace {
constexpr std::size_t most_depth = 1024;
}

line_fault json_cursor::take_text(bool escapes) noexcept {
  std::string_view const s = take_string();
  if (!escapes || check_json_escapes(s.data(), s.data() + s.size())) return {};
  return fault_at(fault_kind::bad_escape, s.data() - 1);
}

line_fault json_cursor::take_nested(std::string_view& text, bool escapes) noexcept {
  std::bitset<most_depth> object;  // for each level, whether it is an object
  std::size_t depth = 0;
  char const* const first = where();
  bool fresh = false;  // right behind an opening bracket, where a closing one may come at once
  while (true) {
    // A value, or, in an object, a key and its value; or the end of an empty object or array.
    char c = peek();
    bool const closing = fresh && c == (object[depth - 1] ? '}' : ']');
    if (!closing && depth > 0 && object[depth - 1]) {
      if (c != '"') return fault(fault_kind::no_key);
      if (line_fault const f = take_text(escapes)) return f;
      if (peek() != ':') return fault(fault_kind::no_colon);
      advance();
      c = peek();
    }
    fresh = !closing && (c == '{' || c == '[');
    if (fresh) {
      if (depth == most_depth) return fault(fault_kind::too_deep);
      object[depth++] = c == '{';
      advance();
      continue;
    }
    if (!closing) {
      if (at_end()) return fault(fault_kind::no_value);
      char const* const value_at = where();
      if (c == '"') {
        if (line_fault const f = take_text(escapes)) return f;
      } else {
        std::string_view scalar;
        if (fault_kind const k = take_scalar(scalar); k != fault_kind::none) return fault_at(k, value_at);
      }
    }
    // What may follow it: closing brackets, then a comma.
    while (peek() == (object[depth - 1] ? '}' : ']')) {
      char const* const last = where();
      advance();
      if (--depth == 0) {
        text = std::string_view(first, static_cast<std::size_t>(last + 1 - first));
        return {};
      }
    }
    if (peek() != ',') return fault(fault_kind::no_comma);
    advance();
  }
}

}  // namespace weir::file
