#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace weir::rocksdb::detail {

// Changes that are written together. They are taken in order: RocksDB numbers them, and what has the higher number wins.
class write_batch {
public:
  write_batch();
  ~write_batch();
  void put(std::string_view key, std::string_view value);
  void erase(std::string_view key);
  // All keys that begin with `prefix`, which is not all 0xff.
  void erase_prefix(std::string const& prefix);

private:
  friend class database;
  struct rep;
  std::unique_ptr<rep> rep_;
};

// An open RocksDB database in a folder, which it locks. Blocks; not thread-safe. Errors: weir::error, see failure.hpp.
class database {
public:
  explicit database(std::filesystem::path folder);
  ~database();

  std::optional<std::string> get(std::string_view key);
  // Calls `each` with every key that begins with `prefix`, in order of the keys and not before `from`, until it returns false.
  void scan(std::string const& prefix, std::function<bool(std::string_view key, std::string_view value)> const& each,
            std::string_view from = {});
  // Durable when it returns. When it throws, RocksDB takes no more writes, and it is not known whether it happened: `open_again` and look.
  void write(write_batch& changes);

  // Closes it, and reads from the disk again what is there.
  void open_again();
  // Does nothing when it can be written. For reading, a full disk is no reason not to open it.
  void need_writable();
  void need_readable();

  std::filesystem::path const& folder() const noexcept { return folder_; }

private:
  struct handle;
  struct place;
  void open();
  void check_in_place() const;

  std::filesystem::path folder_;
  std::unique_ptr<place> place_;
  std::unique_ptr<handle> handle_;  // null: closed, after a failure
};

}  // namespace weir::rocksdb::detail
