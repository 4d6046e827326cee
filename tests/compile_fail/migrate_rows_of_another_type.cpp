// error: migrate_rows<Old, New>'s function makes a New of an Old
#include <weir/migration.hpp>

#include <cstdint>
#include <string>

weir::migration misuse() {
  return weir::migrate_rows<std::uint32_t, std::string>("totals", [](std::uint32_t n) { return n + 1; });
}
