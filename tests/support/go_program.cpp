#include "support/go_program.hpp"

#include "support/installed_package.hpp"

namespace weir::test {

std::optional<std::filesystem::path> go_program(std::string const& package, std::string const& version) {
  std::string const name = std::filesystem::path(package).filename().string();
  auto const folder = installed_package("go", name + '-' + version,
                                        "mkdir package\n"
                                        "PATH=$PATH:/usr/local/go/bin GOBIN=$PWD/package GOFLAGS=-modcacherw go install " +
                                            package + '@' + version);
  if (!folder) return std::nullopt;
  return *folder / name;
}

}  // namespace weir::test
