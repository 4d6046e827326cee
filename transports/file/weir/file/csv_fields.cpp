#include <weir/file/csv_fields.hpp>

#include <weir/file/utf8.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace weir::file {

csv_fields::csv_fields(std::span<std::string const> names, std::size_t required, char delimiter)
    : names_(names.begin(), names.end()), required_(required), delimiter_(delimiter) {}

line_fault csv_fields::set_header(std::string_view row) {
  std::size_t const bad = first_invalid_utf8(row);
  if (bad != row.size()) return line_fault(fault_kind::not_utf8, bad);
  std::string const padded = std::string(row) + std::string(padding, '\0');
  std::string_view const text(padded.data(), row.size());
  std::vector<std::string> columns;
  cell c{};
  for (char const* at = text.data();; at = c.next + 1) {
    if (line_fault const f = take_cell(text, at, true, c)) return f;
    std::string name(c.begin, c.end);
    if (c.doubled) name.resize(static_cast<std::size_t>(undouble(c, name.data()) - name.data()));
    columns.push_back(std::move(name));
    if (c.next == text.data() + text.size()) return set_columns(std::move(columns));
  }
}

line_fault csv_fields::set_columns(std::vector<std::string> columns) {
  columns_ = std::move(columns);
  field_of_column_.assign(columns_.size(), none);
  for (std::size_t n = 0; n < names_.size(); ++n) {
    auto const which = static_cast<std::uint32_t>(n);
    auto const found = std::ranges::find(columns_, names_[n]);
    if (found == columns_.end()) {
      if (n < required_) return line_fault(fault_kind::field_missing, 0, which);
      continue;
    }
    if (std::find(found + 1, columns_.end(), names_[n]) != columns_.end()) return line_fault(fault_kind::field_twice, 0, which);
    field_of_column_[static_cast<std::size_t>(found - columns_.begin())] = static_cast<int>(n);
  }
  return {};
}

void csv_fields::index(std::string_view run) {
  line_by_line_ = !is_utf8(run);
  next_quote_ = rare_byte('"', run);
}

line_fault csv_fields::parse(std::string_view row, field_text* fields, field_memory& memory) {
  if (line_by_line_ && !is_utf8(row)) return line_fault(fault_kind::not_utf8, first_invalid_utf8(row));
  char const* const end = row.data() + row.size();
  bool const quotes = next_quote_.is_in(row);
  std::size_t const expected = field_of_column_.size();
  std::size_t column = 0;
  cell c{};
  for (char const* at = row.data();; at = c.next + 1, ++column) {
    if (line_fault const f = take_cell(row, at, quotes, c)) return f;
    int const field = column < expected ? field_of_column_[column] : none;
    if (field != none) {
      if (c.doubled) [[unlikely]] {
        char* const plain = memory.bytes(static_cast<std::size_t>(c.end - c.begin));
        char* const plain_end = undouble(c, plain);
        memory.used(plain_end);
        fields[field] = field_text(field_kind::string, plain, plain_end);
      } else {
        fields[field] = field_text(field_kind::string, c.begin, c.end);
      }
    }
    if (c.next == end) break;
  }
  if (column + 1 != expected) return line_fault(fault_kind::column_count, row.size(), static_cast<std::uint32_t>(column + 1));
  return {};
}

// Eight bytes at a time: a byte of `x` is zero where the delimiter stands.
inline char const* csv_fields::find_delimiter(char const* p, char const* end) const noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101u, high = 0x8080808080808080u;
  std::uint64_t const pattern = ones * static_cast<unsigned char>(delimiter_);
  for (; p < end; p += 8) {
    std::uint64_t x = 0;
    std::memcpy(&x, p, sizeof x);
    if constexpr (std::endian::native == std::endian::big) x = __builtin_bswap64(x);
    x ^= pattern;
    std::uint64_t const zero = (x - ones) & ~x & high;
    if (zero != 0) return std::min(p + std::countr_zero(zero) / 8, end);
  }
  return end;
}

inline line_fault csv_fields::take_cell(std::string_view row, char const* at, bool quotes, cell& c) const noexcept {
  char const* const end = row.data() + row.size();
  if (at != end && *at == '"') return take_quoted(row, at, c);
  char const* const next = find_delimiter(at, end);
  if (quotes) {
    char const* const quote = std::find(at, next, '"');
    if (quote != next) return line_fault(fault_kind::quote_in_field, static_cast<std::size_t>(quote - row.data()));
  }
  c = {.begin = at, .end = next, .next = next, .doubled = false};
  return {};
}

line_fault csv_fields::take_quoted(std::string_view row, char const* at, cell& c) const noexcept {
  char const* const end = row.data() + row.size();
  c = {.begin = at + 1, .end = nullptr, .next = nullptr, .doubled = false};
  for (char const* p = at + 1;; p += 2) {
    p = static_cast<char const*>(std::memchr(p, '"', static_cast<std::size_t>(end - p)));
    if (!p) return line_fault(fault_kind::open_quote, static_cast<std::size_t>(at - row.data()));
    if (p + 1 == end || p[1] == delimiter_) {
      c.end = p;
      c.next = p + 1;
      return {};
    }
    if (p[1] != '"') return line_fault(fault_kind::after_quote, static_cast<std::size_t>(p + 1 - row.data()));
    c.doubled = true;
  }
}

char* csv_fields::undouble(cell const& c, char* out) noexcept {
  for (char const* p = c.begin; p != c.end; ++p) {
    *out++ = *p;
    if (*p == '"') ++p;
  }
  return out;
}

}  // namespace weir::file
