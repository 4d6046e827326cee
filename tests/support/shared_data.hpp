#pragma once
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace weir::test {

/// The folder with real data and answers of other engines (`data/` below the folder named by WEIR_SHARED), or nothing where it is absent.
inline std::optional<std::filesystem::path> shared_data() {
  char const* const folder = std::getenv("WEIR_SHARED");
  if (folder == nullptr || *folder == '\0') return std::nullopt;
  auto data = std::filesystem::path(folder) / "data";
  if (!std::filesystem::is_directory(data)) return std::nullopt;
  return data;
}

}  // namespace weir::test
