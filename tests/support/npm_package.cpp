#include "support/npm_package.hpp"

#include "support/installed_package.hpp"

#include <unistd.h>

namespace weir::test {

std::optional<std::filesystem::path> npm_package(std::string const& name, std::string const& version) {
  if (::access("/usr/bin/npm", X_OK) != 0) return std::nullopt;
  return installed_package("npm", name + '-' + version,
                           "mkdir package\n"
                           "npm install --prefix package --no-audit --no-fund --ignore-scripts --loglevel=error " +
                               name + '@' + version);
}

}  // namespace weir::test
