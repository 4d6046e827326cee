#pragma once
#include "support/installed_package.hpp"

#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>

namespace weir::test {

/// A Python (virtual environment) that has a package of PyPI, of that version, and what else `pip install` is told besides: the path of its
/// program. Made when that has not been done on this machine, which takes some seconds. Null where there is no python3 with venv, or pip
/// cannot get it.
inline std::optional<std::filesystem::path> pip_package(std::string const& name, std::string const& version, std::string const& besides) {
  if (::access("/usr/bin/python3", X_OK) != 0) return std::nullopt;
  auto const made = installed_package("pip", name + '-' + version,
                                      "/usr/bin/python3 -m venv package\n"
                                      "package/bin/python -m pip install --quiet --disable-pip-version-check " +
                                          name + "==" + version + ' ' + besides);
  if (!made) return std::nullopt;
  return *made / "bin" / "python";
}

}  // namespace weir::test
