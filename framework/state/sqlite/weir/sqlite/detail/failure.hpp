#pragma once
#include <filesystem>
#include <string>

struct sqlite3;

namespace weir::sqlite::detail {

// Throws what went wrong on `db` last, as weir::error: "sqlite: <failed> (<path>): <SQLite's text>; <what to do>".
[[noreturn]] void fail(::sqlite3* db, std::filesystem::path const& path, std::string failed);

// The same while opening, where the file system often knows the reason better than SQLite.
[[noreturn]] void fail_to_open(::sqlite3* db, std::filesystem::path const& path);

// Throws when `path` cannot be a database to begin with: no name, a directory, a device.
void check_name(std::filesystem::path const& path);

}  // namespace weir::sqlite::detail
