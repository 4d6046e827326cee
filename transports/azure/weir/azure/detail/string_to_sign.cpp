#include <weir/azure/detail/string_to_sign.hpp>

#include <weir/net/percent.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace weir::azure::detail {
namespace {

// As a receiver has it. Blanks within stay, though the documentation would have them folded: the service's own clients leave them.
std::string_view trimmed(std::string_view value) noexcept {
  std::size_t const first = value.find_first_not_of(" \t");
  if (first == value.npos) return {};
  return value.substr(first, value.find_last_not_of(" \t") + 1 - first);
}

std::string canonical_headers(net::headers const& all) {
  std::map<std::string, std::string_view> ours;
  for (auto const& [name, value] : all) {
    std::string lower = net::lower_case(name);
    if (lower.starts_with("x-ms-")) ours.insert_or_assign(std::move(lower), trimmed(value));
  }
  std::string out;
  for (auto const& [name, value] : ours) out.append(name).append(":").append(value).append("\n");
  return out;
}

std::string canonical_resource(std::string_view account, std::string_view target) {
  std::string_view const path = target.substr(0, target.find('?'));
  std::string_view query = target.substr(path.size());
  std::map<std::string, std::vector<std::string>> all;
  for (query.remove_prefix(query.empty() ? 0 : 1); !query.empty();) {
    std::string_view const one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
    std::string_view const name = one.substr(0, one.find('='));
    if (name.empty()) continue;
    std::string_view const value = one.substr(std::min(name.size() + 1, one.size()));
    all[net::lower_case(net::percent_decoded(name))].push_back(net::percent_decoded(value));
  }
  std::string out = "/";
  out.append(account).append(path);
  for (auto& [name, values] : all) {
    std::ranges::sort(values);
    out.append("\n").append(name);
    for (std::size_t i = 0; i != values.size(); ++i) out.append(i == 0 ? ":" : ",").append(values[i]);
  }
  return out;
}

}  // namespace

std::string string_to_sign(net::request const& r, std::string_view account, std::string_view target) {
  static constexpr std::array<std::string_view, 2> before_length{"Content-Encoding", "Content-Language"};
  static constexpr std::array<std::string_view, 8> behind_length{
      "Content-MD5", "Content-Type", "Date", "If-Modified-Since", "If-Match", "If-None-Match", "If-Unmodified-Since", "Range"};
  std::string out = r.method + '\n';
  auto const append = [&](std::string_view header) { out.append(trimmed(r.headers.find(header).value_or(""))).append("\n"); };
  for (std::string_view const header : before_length) append(header);
  out.append(r.body.empty() ? "" : std::to_string(r.body.size())).append("\n");
  for (std::string_view const header : behind_length) append(header);
  return out + canonical_headers(r.headers) + canonical_resource(account, target);
}

}  // namespace weir::azure::detail
