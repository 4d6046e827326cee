#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace weir::test {

/// The folder that a script of sh fills, which installs something: it makes `package` where it runs. That is done once on this machine, and
/// is kept below the folder for temporary files, by `manager` ("npm") and `name`, which has the version in it. Null when the script fails.
std::optional<std::filesystem::path> installed_package(std::string const& manager, std::string const& name, std::string const& script);

}  // namespace weir::test
