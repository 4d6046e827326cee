#pragma once
#include "support/installed_package.hpp"

#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>

namespace weir::test {

/// A folder of the jars of what the `dependencies` of a pom.xml name, and what these need; `name` has the version in it. Gathered when that
/// has not been done on this machine, which takes up to a minute. Null where there is no mvn, or it cannot get them.
inline std::optional<std::filesystem::path> maven_package(std::string const& name, std::string const& dependencies) {
  if (::access("/usr/bin/mvn", X_OK) != 0) return std::nullopt;
  return installed_package("maven", name,
                           "cat >pom.xml <<'END'\n"
                           "<project xmlns='http://maven.apache.org/POM/4.0.0'><modelVersion>4.0.0</modelVersion>\n"
                           "<groupId>weir</groupId><artifactId>tests</artifactId><version>1</version><packaging>pom</packaging>\n"
                           "<dependencies>" +
                               dependencies +
                               "</dependencies></project>\n"
                               "END\n"
                               "mvn --batch-mode --quiet org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies "
                               "-DincludeScope=runtime -DoutputDirectory=\"$PWD/package\"");
}

}  // namespace weir::test
