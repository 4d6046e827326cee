#include <weir/detail/value_section.hpp>

#include <charconv>

namespace weir::detail {
namespace {

// Takes `what` off the front.
bool take(std::string_view& from, std::string_view what) {
  if (!from.starts_with(what)) return false;
  from.remove_prefix(what.size());
  return true;
}

// What stands behind the value's schema, to the end of the section.
std::optional<value_section> parse_place(std::string_view text) {
  value_section s;
  if (text.empty()) return s;
  if (text == " repeated") {
    s.kept = value_section::where::row_repeated;
    return s;
  }
  if (!take(text, " at ")) return std::nullopt;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), s.at);
  if (failed != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.empty() && text != " behind the key") return std::nullopt;
  s.kept = text.empty() ? value_section::where::row : value_section::where::row_behind_key;
  return s;
}

}  // namespace

std::optional<value_section> find_value_section(std::string_view schema, std::string_view value) {
  std::string const wanted = "; value " + std::string(value);
  for (std::size_t at = schema.find(wanted); at != std::string_view::npos; at = schema.find(wanted, at + 1)) {
    std::size_t const behind = at + wanted.size();
    std::size_t const end = std::min(schema.find("; ", behind), schema.size());
    std::optional<value_section> found = parse_place(schema.substr(behind, end - behind));
    if (!found) continue;  // another type's schema begins like this one
    found->begin = behind - value.size();
    found->size = value.size();
    return found;
  }
  return std::nullopt;
}

}  // namespace weir::detail
