#include "transports/lambda/canonical_json.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <vector>

namespace weir::test {
namespace {

using names = std::initializer_list<std::string_view>;

std::string text_of(simdjson::dom::element e, names const& without) {
  std::vector<std::string> parts;
  if (e.is_object()) {
    std::map<std::string, std::string> members;
    for (auto const& [name, value] : e.get_object()) {
      if (std::ranges::find(without, name) != without.end()) continue;
      members[std::string(name)] = text_of(value, without);
      if (name != "SS" && name != "NS" && name != "BS") continue;
      parts.clear();
      for (auto const each : value.get_array()) parts.push_back(text_of(each, without));
      std::ranges::sort(parts);
      parts.erase(std::ranges::unique(parts).begin(), parts.end());
      std::string& set = members[std::string(name)];
      set.clear();
      for (auto const& each : parts) set += each + ',';
    }
    std::string out = "{";
    for (auto const& [name, value] : members) out += name + ':' + value + ' ';
    return out + '}';
  }
  if (e.is_array()) {
    std::string out = "[";
    for (auto const each : e.get_array()) out += text_of(each, without) + ' ';
    return out + ']';
  }
  if (e.is_number()) {
    std::array<char, 40> digits{};
    std::snprintf(digits.data(), digits.size(), "%.17g", e.is_double() ? double(e) : static_cast<double>(std::int64_t(e)));
    return digits.data();
  }
  return simdjson::minify(e);
}

}  // namespace

std::string canonical_json(std::string_view json, names without) {
  simdjson::dom::parser parser;
  return text_of(parser.parse(json.data(), json.size()).value(), without);
}

}  // namespace weir::test
