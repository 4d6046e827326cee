#pragma once
#include <weir/outside_write.hpp>
#include <weir/state_store.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace weir::file {

/// The files of a `folder`, whatever its rows are. Blocks; thread-safe, except for two calls about one partition.
class folder_files {
public:
  /// As for `folder`.
  folder_files(std::filesystem::path path, std::string suffix);

  /// The name of the file of a commit. Characters other than letters, digits and "._-" are written as in URLs ("%2F"); names that are
  /// too long for a file system are cut, with a checksum of the whole.
  std::string name_of(checkpoint_key const& of, std::uint64_t number) const;
  /// Makes the file, durably, with all of `text`, or nothing. Throws `errc::stale` when it is there.
  void put(std::string const& name, std::string_view text) const;
  /// Makes the directory entry of what was put durable, in case `put` failed to.
  void sync() const;
  /// Removes what a partition whose last commit has this number has not finished.
  void resume(checkpoint_key const& of, std::uint64_t number) const;
  /// Text for the file of the checkpoint to come.
  static std::shared_ptr<outside_write> write(std::shared_ptr<folder_files> to, std::string text);

private:
  [[noreturn]] static void fail(std::string const& what, std::filesystem::path const& where, int number);
  std::filesystem::path path_;
  std::string suffix_;
};

}  // namespace weir::file
