#pragma once
#include <weir/file/json_number.hpp>
#include <weir/file/line_fault.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace weir::file {

/// Walks over the tokens of one line and checks what stands between them. Every `take_` function starts at a token and ends at the one
/// behind what it took. Small and copied, so that its members stay in registers.
class json_cursor {
public:
  json_cursor(char const* base, std::uint32_t const* token, std::string_view line) noexcept
      : base_(base), token_(token), begin_(line.data()), limit_(static_cast<std::uint32_t>(line.data() + line.size() - base)) {
    auto const first = static_cast<std::uint32_t>(begin_ - base);
    while (*token_ < first) ++token_;
  }

  bool at_end() const noexcept { return *token_ >= limit_; }
  /// The first character of the token, or NUL at the end of the line.
  char peek() const noexcept { return at_end() ? '\0' : base_[*token_]; }
  void advance() noexcept { ++token_; }
  std::uint32_t const* token() const noexcept { return token_; }
  char const* where() const noexcept { return base_ + *token_; }

  /// A fault at this place; at the end of the line it is that the line has ended.
  line_fault fault(fault_kind kind) const noexcept {
    return at_end() ? line_fault(fault_kind::unclosed, static_cast<std::size_t>(base_ + limit_ - begin_)) : fault_at(kind, where());
  }
  line_fault fault_at(fault_kind kind, char const* p) const noexcept { return line_fault(kind, static_cast<std::size_t>(p - begin_)); }

  /// A token without the white space behind it; moves to the next one.
  std::string_view take_token() noexcept {
    char const* const first = where();
    ++token_;
    char const* last = base_ + (at_end() ? limit_ : *token_);
    while (is_space(last[-1])) [[unlikely]]
      --last;
    return std::string_view(first, static_cast<std::size_t>(last - first));
  }
  /// A string between its quotes, escapes and all. Stands at a quote.
  std::string_view take_string() noexcept {
    std::string_view const s = take_token();  // another token would begin right behind the closing quote, so it is the last character
    return std::string_view(s.data() + 1, s.size() - 2);
  }
  /// A number, true, false or null, or what is wrong with it. Does not stand at the end.
  fault_kind take_scalar(std::string_view& text) noexcept {
    char const first = *where();
    if (first == '}' || first == ']' || first == ',' || first == ':') return fault_kind::no_value;
    text = take_token();
    if (first == '-' || detail::is_digit(first)) {
      return is_json_number(text.data(), text.data() + text.size()) ? fault_kind::none : fault_kind::bad_number;
    }
    return is_literal(text) ? fault_kind::none : fault_kind::bad_literal;
  }
  /// An object or an array, whatever is in it. Stands at its opening bracket; `text` is all of it. `escapes`: the line has some.
  line_fault take_nested(std::string_view& text, bool escapes) noexcept;

private:
  static bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  static bool is_literal(std::string_view t) noexcept {
    if (t.size() == 4) return std::memcmp(t.data(), "true", 4) == 0 || std::memcmp(t.data(), "null", 4) == 0;
    return t.size() == 5 && std::memcmp(t.data(), "false", 5) == 0;
  }
  line_fault take_text(bool escapes) noexcept;

  char const* base_;
  std::uint32_t const* token_;
  char const* begin_;
  std::uint32_t limit_;
};

}  // namespace weir::file
