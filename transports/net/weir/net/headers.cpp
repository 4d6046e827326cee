#include <weir/net/headers.hpp>

#include <weir/error.hpp>

#include <algorithm>

namespace weir::net {
namespace {

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

void check(std::string const& name, std::string const& value) {
  if (!is_token(name))
    throw error(errc::invalid_option, "http: cannot use a header", "\"" + name + "\" is no name of one", "letters, digits and - are");
  if (value.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos)
    throw error(errc::invalid_option, "http: cannot use a header", "the value of " + name + " has a line break or a zero in it");
}

}  // namespace

bool is_token(std::string_view text) noexcept {
  static constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || others.find(c) != std::string_view::npos;
  });
}

bool same_name(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), lower);
  return out;
}

headers& headers::add(std::string name, std::string value) {
  check(name, value);
  fields_.emplace_back(std::move(name), std::move(value));
  return *this;
}

headers& headers::set(std::string name, std::string value) {
  check(name, value);
  erase(name);
  fields_.emplace_back(std::move(name), std::move(value));
  return *this;
}

headers& headers::erase(std::string_view name) noexcept {
  std::erase_if(fields_, [name](field const& f) { return same_name(f.first, name); });
  return *this;
}

std::optional<std::string_view> headers::find(std::string_view name) const noexcept {
  for (field const& f : fields_)
    if (same_name(f.first, name)) return f.second;
  return std::nullopt;
}

}  // namespace weir::net
