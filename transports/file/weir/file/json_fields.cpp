#include <weir/file/json_fields.hpp>

#include <weir/file/json_cursor.hpp>
#include <weir/file/json_escapes.hpp>

#include <bit>
#include <cstring>

namespace weir::file {
namespace {

std::uint64_t load(char const* p) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, p, sizeof word);
  return word;
}

// Compares by words, and may read 7 bytes behind the key: `known` has zeros there, the key has padding.
bool same_key(std::string_view key, char const* known, std::uint32_t size) noexcept {
  if (key.size() != size) return false;
  char const* p = key.data();
  for (; size > 8; p += 8, known += 8, size -= 8)
    if (load(p) != load(known)) return false;
  if constexpr (std::endian::native == std::endian::big) return std::memcmp(p, known, size) == 0;
  return size == 0 || ((load(p) ^ load(known)) << (64 - 8 * size)) == 0;
}

}  // namespace

json_fields::json_fields(std::span<std::string const> names, std::size_t required)
    : names_(names.begin(), names.end()), required_(required >= most ? ~std::uint64_t(0) : (std::uint64_t(1) << required) - 1) {}

void json_fields::index(std::string_view run) {
  line_by_line_ = static_cast<bool>(structure_.index(run));
  base_ = run.data();
  token_ = structure_.tokens();
  next_escape_ = rare_byte('\\', run);
  // Where there is no SIMD, simdjson does not look at a character behind a backslash: it might be the line break.
  if (next_escape_.any() && run.find("\\\n") != std::string_view::npos) line_by_line_ = true;
}

line_fault json_fields::parse(std::string_view line, field_text* fields, field_memory& memory) {
  if (line_by_line_) {
    base_ = line.data();
    if (line_fault const f = structure_.index(line)) return f;
    token_ = structure_.tokens();
  }
  bool const escapes = next_escape_.is_in(line);
  json_cursor c(base_, token_, line);
  if (c.at_end()) return line_fault(fault_kind::not_an_object);
  if (c.peek() != '{') return c.fault(fault_kind::not_an_object);
  c.advance();
  std::uint64_t seen = 0;
  bool open = c.peek() != '}';
  if (!open) c.advance();
  for (std::size_t place = 0; open; ++place) {
    if (c.peek() != '"') return c.fault(fault_kind::no_key);
    char const* const key_at = c.where();
    std::string_view const key = c.take_string();
    if (c.peek() != ':') return c.fault(fault_kind::no_colon);
    c.advance();
    int const field = find(key, place, escapes, memory);
    if (field == bad_key) return c.fault_at(fault_kind::bad_escape, key_at);

    field_kind kind = field_kind::string;
    std::string_view text;
    char const first = c.peek();
    if (first == '"') {
      text = c.take_string();
      if (escapes && !unescape(text, memory)) return c.fault_at(fault_kind::bad_escape, text.data() - 1);
    } else if (first == '{' || first == '[') {
      kind = field_kind::nested;
      json_cursor inner = c;
      if (line_fault const f = inner.take_nested(text, escapes)) return f;
      c = inner;
    } else {
      if (c.at_end()) return c.fault(fault_kind::no_value);
      char const* const value_at = c.where();
      if (fault_kind const k = c.take_scalar(text); k != fault_kind::none) return c.fault_at(k, value_at);
      kind = first == 'n' ? field_kind::null : first == 't' || first == 'f' ? field_kind::boolean : field_kind::number;
    }
    if (field != none) {
      if (fault_kind const k = check(field, kind, seen); k != fault_kind::none) {
        return line_fault(k, static_cast<std::size_t>(key_at - line.data()), static_cast<std::uint32_t>(field));
      }
      fields[field] = field_text(kind, text.data(), text.data() + text.size());
    }
    char const separator = c.peek();
    if (separator != ',' && separator != '}') return c.fault(fault_kind::no_comma);
    c.advance();
    open = separator == ',';
  }
  if (!c.at_end()) return c.fault(fault_kind::after_object);
  token_ = c.token();
  std::uint64_t const absent = required_ & ~seen;
  if (absent == 0) [[likely]]
    return {};
  return line_fault(fault_kind::field_missing, 0, static_cast<std::uint32_t>(std::countr_zero(absent)));
}

inline fault_kind json_fields::check(int field, field_kind kind, std::uint64_t& seen) const noexcept {
  std::uint64_t const bit = std::uint64_t(1) << field;
  if ((seen & bit) != 0) return fault_kind::field_twice;
  seen |= bit;
  if ((required_ & bit) == 0) return fault_kind::none;
  return kind == field_kind::null ? fault_kind::field_null : kind == field_kind::nested ? fault_kind::field_nested : fault_kind::none;
}

bool json_fields::unescape(std::string_view& text, field_memory& memory) {
  if (text.find('\\') == std::string_view::npos) return true;
  char* const plain = memory.bytes(text.size());
  char* const end = unescape_json(text.data(), text.data() + text.size(), plain);
  if (!end) return false;
  memory.used(end);
  text = std::string_view(plain, static_cast<std::size_t>(end - plain));
  return true;
}

inline int json_fields::find(std::string_view key, std::size_t place, bool escapes, field_memory& memory) {
  if (place < known_.size() && same_key(key, known_[place].text.data(), known_[place].size)) [[likely]]
    return known_[place].field;
  return find_unknown(key, place, escapes, memory);
}

int json_fields::find_unknown(std::string_view key, std::size_t place, bool escapes, field_memory& memory) {
  if (escapes && key.find('\\') != std::string_view::npos) return unescape(key, memory) ? look_up(key) : bad_key;
  int const field = look_up(key);
  if (place < known_.size() && key.size() <= known_[place].text.size()) {
    known_key& known = known_[place];
    known.text.fill('\0');
    std::memcpy(known.text.data(), key.data(), key.size());
    known.size = static_cast<std::uint32_t>(key.size());
    known.field = field;
  }
  return field;
}

int json_fields::look_up(std::string_view key) const noexcept {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (names_[i] == key) return static_cast<int>(i);
  return none;
}

}  // namespace weir::file
