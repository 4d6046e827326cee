#include <weir/net/variables.hpp>

#include <cstdlib>

namespace weir::net {

variables process_variables() {
  return [](std::string const& name) -> std::optional<std::string> {
    char const* const value = std::getenv(name.c_str());
    if (!value || *value == '\0') return std::nullopt;
    return value;
  };
}

}  // namespace weir::net
