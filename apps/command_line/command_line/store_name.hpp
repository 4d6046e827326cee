#pragma once

#include <string>
#include <string_view>

namespace command_line {

/// The libraries that keep checkpoints.
enum class store_kind { sqlite, rocksdb, postgres, redis, dynamodb };

/// What the command line calls a store.
struct store_name {
  store_kind kind = store_kind::sqlite;
  std::string place;  ///< a file, a folder, a connection string, a URL, or a table; may have a password in it

  friend bool operator==(store_name const&, store_name const&) = default;
};

/// Reads a path, or `sqlite:FILE`, `rocksdb:FOLDER`, `postgres:CONNINFO`, `postgresql://...`, `redis:URL`, `dynamodb:TABLE`. `problem` is
/// empty, or says what is wrong with it; it never shows the text, in which there may be a password.
store_name parse_store_name(std::string_view text, std::string& problem);

/// The file it names; empty where it names none.
std::string file_of(store_name const& name);

}  // namespace command_line
