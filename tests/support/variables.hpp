#pragma once
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// Environment variables for programs that a test starts, as long as this lives.
class variables {
public:
  explicit variables(std::vector<std::pair<std::string, std::string>> const& all) {
    for (auto const& [name, value] : all) {
      char const* const before = std::getenv(name.c_str());
      before_.emplace_back(name, before ? std::optional<std::string>(before) : std::nullopt);
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  variables(variables const&) = delete;
  variables& operator=(variables const&) = delete;
  ~variables() {
    for (auto const& [name, value] : before_) {
      if (value) ::setenv(name.c_str(), value->c_str(), 1);
      else ::unsetenv(name.c_str());
    }
  }

private:
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

}  // namespace weir::test
