#include "support/npm_package.hpp"

#include "support/program.hpp"
#include "support/temporary_folder.hpp"

#include <unistd.h>

#include <system_error>

namespace weir::test {

std::optional<std::filesystem::path> npm_package(std::string const& name, std::string const& version) {
  namespace fs = std::filesystem;
  if (::access("/usr/bin/npm", X_OK) != 0) return std::nullopt;
  fs::path const all = fs::temp_directory_path() / ("weir-npm-" + std::to_string(::getuid()));
  fs::path const mine = all / (name + '-' + version);
  if (fs::exists(mine)) return mine;
  fs::create_directories(all);
  temporary_folder const made;
  std::string const command = "exec npm install --prefix . --no-audit --no-fund --ignore-scripts --loglevel=error " + name + '@' + version;
  ending const installed = run_program("/bin/sh", {"-c", command}, made.path().string());
  if (installed.exit_code != 0) return std::nullopt;
  std::error_code taken;  // another test program was faster
  fs::create_directories(made.path() / "package");
  fs::rename(made.path() / "node_modules", made.path() / "package" / "node_modules", taken);
  fs::rename(made.path() / "package", mine, taken);
  if (!fs::exists(mine)) return std::nullopt;
  return mine;
}

}  // namespace weir::test
