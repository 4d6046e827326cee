#include "support/go_program.hpp"

#include "support/program.hpp"
#include "support/temporary_folder.hpp"

#include <unistd.h>

#include <system_error>

namespace weir::test {

std::optional<std::filesystem::path> go_program(std::string const& package, std::string const& version) {
  namespace fs = std::filesystem;
  fs::path const all = fs::temp_directory_path() / ("weir-go-" + std::to_string(::getuid()));
  std::string const name = fs::path(package).filename().string();
  fs::path const mine = all / (name + '-' + version);
  if (fs::exists(mine)) return mine;
  fs::create_directories(all);
  temporary_folder const made;
  std::string const command = "PATH=$PATH:/usr/local/go/bin GOBIN=$PWD GOFLAGS=-modcacherw exec go install " + package + '@' + version;
  ending const installed = run_program("/bin/sh", {"-c", command}, made.path().string());
  if (installed.exit_code != 0) return std::nullopt;
  std::error_code taken;  // another test program was faster
  fs::rename(made.path() / name, mine, taken);
  if (!fs::exists(mine)) return std::nullopt;
  return mine;
}

}  // namespace weir::test
