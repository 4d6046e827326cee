#pragma once
#include <filesystem>
#include <string>

namespace rocksdb {
class Status;
}

namespace weir::rocksdb::detail {

// Throws what RocksDB says as weir::error: "rocksdb: <failed> (<folder>): <RocksDB's text>; <what to do>".
[[noreturn]] void fail(::rocksdb::Status const& status, std::filesystem::path const& folder, std::string failed);

// The same while opening, where a missing file is damage, and where the lock of somebody else looks like an input/output error.
[[noreturn]] void fail_to_open(::rocksdb::Status const& status, std::filesystem::path const& folder);

// Makes the folder when there is none, and seals it. Throws when it cannot be a database of ours to begin with: no name, a file, files of
// others, files of a database that has lost its first one.
void prepare_folder(std::filesystem::path const& folder);

}  // namespace weir::rocksdb::detail
