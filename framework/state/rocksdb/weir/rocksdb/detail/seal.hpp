#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

namespace weir::rocksdb::detail {

// A small file beside RocksDB's, "WEIR": it says whose folder it is, and how far the database had got by then. RocksDB takes a damaged end
// of its own files for a write that a crash cut short, and goes back to before it; this tells the one from the other.
struct seal {
  std::uint64_t sequence;  // RocksDB counts every change; below this nothing may be missing
};

// Null: there is none. Throws errc::corrupt, and errc::incompatible when it is of a later version.
std::optional<seal> read_seal(std::filesystem::path const& folder);
// Replaces it, durably. Throws when that fails.
void write_seal(std::filesystem::path const& folder, seal const& s);

}  // namespace weir::rocksdb::detail
