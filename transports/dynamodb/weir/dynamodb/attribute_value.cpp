#include <weir/dynamodb/attribute_value.hpp>

#include <charconv>

namespace weir::dynamodb {

std::optional<std::uint64_t> attribute_value::as_unsigned() const noexcept {
  std::string const* const digits = as_number();
  if (!digits) return std::nullopt;
  std::uint64_t out = 0;
  auto const [end, failed] = std::from_chars(digits->data(), digits->data() + digits->size(), out);
  if (failed != std::errc() || end != digits->data() + digits->size()) return std::nullopt;
  return out;
}

bool operator==(attribute_value const& a, attribute_value const& b) { return a.content_ == b.content_; }

attribute_value const* find(item const& in, std::string const& name) noexcept {
  auto const found = in.find(name);
  return found == in.end() ? nullptr : &found->second;
}

}  // namespace weir::dynamodb
