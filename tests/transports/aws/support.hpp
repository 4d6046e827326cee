#pragma once
#include <weir/aws/variables.hpp>

#include <map>
#include <string>
#include <utility>

namespace weir::test {

/// An environment with these variables and no others.
inline aws::variables with_variables(std::map<std::string, std::string> all) {
  return [all = std::move(all)](std::string const& name) -> std::optional<std::string> {
    auto const found = all.find(name);
    if (found == all.end() || found->second.empty()) return std::nullopt;
    return found->second;
  };
}

}  // namespace weir::test
