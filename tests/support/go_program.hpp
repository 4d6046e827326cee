#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace weir::test {

/// A program that Go's tools have made from a package of a module: `go_program("example.org/tool/cmd/tool", "v1.2.3")`. It is made when
/// that has not been done on this machine (below the folder for temporary files, by name and version), which takes a minute or two. Null
/// where there is no Go, or it cannot get the module.
std::optional<std::filesystem::path> go_program(std::string const& package, std::string const& version);

}  // namespace weir::test
