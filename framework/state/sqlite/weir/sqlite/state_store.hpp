#pragma once
#include <weir/state_store.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

namespace weir::sqlite {

class database;

/// Keeps checkpoints in one SQLite file, which the `sqlite3` shell can read:
/// ```
/// sqlite3 ticks.checkpoint 'SELECT pipeline, stream, partition, position, written_at, version FROM checkpoints'
/// sqlite3 ticks.checkpoint 'SELECT operator, count(*), sum(length(value)) FROM state GROUP BY operator'
/// ```
/// A commit that returned survives the death of the process and of the machine (WAL, synchronous=FULL). Each row carries a checksum, so
/// that damage is an error and not a wrong restart. Several stores and processes may use one file; a commit that does not build on what the
/// file has is refused.
///
/// Each call is one transaction and blocks its strand while the disk writes (some milliseconds for a commit); behind another process's
/// lock it waits up to `busy_timeout`. Thread-safety: all functions, from any strand; one call at a time.
///
/// Errors, from the constructor and all functions: those of `sqlite::database`; `errc::incompatible` when the file belongs to another
/// program or another version of Weir's tables; `errc::corrupt` when a row fails its check; `errc::stale` by `commit`.
class state_store final : public weir::state_store {
public:
  /// Opens `file`, or makes it; its folder must exist. `busy_timeout` >= 0, default 5 s.
  explicit state_store(std::filesystem::path file, std::chrono::milliseconds busy_timeout = std::chrono::seconds(5));
  ~state_store() override;

  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override;
  task<> commit(checkpoint_key key, checkpoint_update update) override;
  task<std::vector<checkpoint_listing>> list(std::string pipeline) override;
  task<std::vector<checkpoint_key>> keys() override;
  task<> erase(checkpoint_key key) override;

  /// Calls `f` with the open file, in a transaction of its own: for a sink's tables.
  void in_transaction(std::function<void(database&)> const& f);

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace weir::sqlite
