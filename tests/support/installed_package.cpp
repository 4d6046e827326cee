#include "support/installed_package.hpp"

#include "support/program.hpp"
#include "support/temporary_folder.hpp"

#include <unistd.h>

#include <system_error>

namespace weir::test {

std::optional<std::filesystem::path> installed_package(std::string const& manager, std::string const& name, std::string const& script) {
  namespace fs = std::filesystem;
  fs::path const all = fs::temp_directory_path() / ("weir-" + manager + '-' + std::to_string(::getuid()));
  fs::path const mine = all / name;
  if (fs::exists(mine)) return mine;
  fs::create_directories(mine.parent_path());  // a name of npm may have a scope
  temporary_folder const made;
  if (run_program("/bin/sh", {"-c", "set -e\n" + script}, made.path().string()).exit_code != 0) return std::nullopt;
  std::error_code taken;  // another test program was faster
  fs::rename(made.path() / "package", mine, taken);
  if (!fs::exists(mine)) return std::nullopt;
  return mine;
}

}  // namespace weir::test
