#pragma once
#include <weir/checkpoint_store.hpp>

#include <chrono>
#include <filesystem>
#include <memory>

namespace weir::sqlite {

/// Keeps checkpoints in one SQLite file, which the `sqlite3` shell can read:
/// ```
/// sqlite3 ticks.checkpoint 'SELECT pipeline, stream, partition, position, written_at FROM checkpoints'
/// ```
/// A save that returned survives the death of the process and of the machine (WAL, synchronous=FULL). Each row carries a checksum, so
/// that damage is an error and not a wrong restart. Several stores and processes may use one file; a save never goes back
/// behind another's.
///
/// Each call is one transaction and blocks its strand while the disk writes (some milliseconds for a save); behind another process's
/// lock it waits up to `busy_timeout`. Thread-safety: all functions, from any strand; one call at a time.
///
/// Errors, from the constructor and all functions: those of `sqlite::database`; `errc::incompatible` when the file belongs to another
/// program or to a version of Weir that came after this one; `errc::corrupt` when a row fails its check; `errc::stale` by `save`.
class checkpoint_store final : public weir::checkpoint_store {
public:
  /// Opens `file`, or makes it; its folder must exist. `busy_timeout` >= 0, default 5 s.
  explicit checkpoint_store(std::filesystem::path file, std::chrono::milliseconds busy_timeout = std::chrono::seconds(5));
  ~checkpoint_store() override;

  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override;
  task<> save(checkpoint_key key, saved_checkpoint checkpoint) override;
  task<std::vector<checkpoint_entry>> list(std::string pipeline) override;
  task<> erase(checkpoint_key key) override;

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace weir::sqlite
