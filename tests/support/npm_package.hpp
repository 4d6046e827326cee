#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace weir::test {

/// The folder in which a package of npm is installed, as node looks for it: `node_modules` lies in it. It is installed when that has not
/// been done on this machine (below the folder for temporary files, by name and version), which takes some seconds; its install scripts
/// are not run. Null where there is no npm, or it cannot get the package.
std::optional<std::filesystem::path> npm_package(std::string const& name, std::string const& version);

}  // namespace weir::test
