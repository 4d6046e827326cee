#pragma once
#include <weir/outside_write.hpp>
#include <weir/state_store.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::file {

/// The files of a `folder`, whatever its rows are. Blocks; thread-safe, except for two calls about one partition.
class folder_files {
public:
  /// As for `folder`.
  folder_files(std::filesystem::path path, std::string suffix);

  /// The name of the file of a commit. Characters other than letters, digits and "._-" are written as in URLs ("%2F"); names that are
  /// too long for a file system are cut, with a checksum of the whole. `fences`: as `outside_write` has them; 0 is not in the name.
  std::string name_of(checkpoint_key const& of, std::uint64_t number, std::uint64_t fences = 0) const;
  /// Makes the file, durably, with all of `text`, or nothing. Throws `errc::stale` when it is there.
  void put(std::string const& name, std::string_view text) const;
  /// Makes the directory entry of what was put durable, in case `put` failed to.
  void sync() const;
  /// Throws `errc::stale` when another worker has begun with the partition since this one did, by `resume` with more fences; the file is
  /// then removed again.
  void check_ours(checkpoint_key const& of, std::uint64_t number, std::uint64_t fences) const;
  /// Removes what a partition whose last commit has this number has not finished, and from here on the files of who has fewer fences do not
  /// stay. Throws `errc::stale`, and removes nothing, when somebody with more has begun.
  void resume(checkpoint_key const& of, std::uint64_t number, std::uint64_t fences = 0) const;
  /// Text for the file of the checkpoint to come.
  static std::shared_ptr<outside_write> write(std::shared_ptr<folder_files> to, std::string text);

private:
  std::string mark_of(checkpoint_key const& of, std::uint64_t fences) const;
  void take_mark(checkpoint_key const& of, std::uint64_t fences) const;
  std::vector<std::filesystem::path> listed() const;
  [[noreturn]] static void fail(std::string const& what, std::filesystem::path const& where, int number);
  std::filesystem::path path_;
  std::string suffix_;
};

}  // namespace weir::file
