#include <weir/aws/detail/xml_text.hpp>

#include <array>
#include <tuple>
#include <utility>

namespace weir::aws::detail {

std::optional<std::string> xml_text(std::string_view xml, std::string_view name) {
  std::string const open = '<' + std::string(name) + '>';
  std::size_t const at = xml.find(open);
  if (at == xml.npos) return std::nullopt;
  std::string_view text = xml.substr(at + open.size());
  std::size_t const end = text.find('<');
  if (end == text.npos || !text.substr(end).starts_with("</")) return std::nullopt;
  text = text.substr(0, end);
  static constexpr std::array<std::pair<std::string_view, char>, 5> entities{
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string out;
  while (!text.empty()) {
    std::size_t length = 1;
    char c = text.front();
    for (auto const& [entity, meant] : entities)
      if (text.starts_with(entity)) std::tie(length, c) = std::pair(entity.size(), meant);
    out += c;
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace weir::aws::detail
