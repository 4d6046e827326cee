#pragma once
#include <weir/entry_reader.hpp>
#include <weir/state_store.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace weir::rocksdb {

/// Keeps checkpoints in a RocksDB database, a folder of its own: for state that grows beyond what one file, or memory, is good for.
/// ```cpp
/// auto store = std::make_shared<rocksdb::state_store>("clicks.state");
/// ```
/// A commit that returned survives the death of the process and of the machine: it is one write batch, synced to the log. Each entry and
/// each head carries a checksum of ours beside RocksDB's own, and the file WEIR says how far the database had got when it was closed or
/// last wrote a table, so that damage is an error and not a wrong restart. Only behind that, in the last bytes of the log of a process that
/// was killed, nobody can tell damage from a write that the death cut short: it is gone then, whole. A folder has one owner at a time, one
/// store of one process.
///
/// Each call blocks its strand while the disk works (some milliseconds for a commit; `list` reads all state of the pipeline to count it).
/// A commit that failed leaves RocksDB read-only until it is opened again: the store does that, which is also how it finds out whether the
/// commit arrived; while a full disk prevents it, `load` and `list` go on. Thread-safety: all functions, from any strand; one call at a
/// time. Operators whose state is larger than memory (`dedup(...).working_set(n)`) read single
/// entries of it; a Bloom filter of 10 bits per entry, in memory, answers for those that are not there.
/// State: what RocksDB buffers and caches, some 150 MB at most, and those filters; threads of its own write in the background.
///
/// Errors, from the constructor and all functions: `errc::busy` when another process or store has the folder; `errc::incompatible` when it
/// belongs to another program or to a version of Weir that came after this one; `errc::corrupt`, also for files that are missing or cut
/// short; `not_found`, `access_denied`, `no_space`, `io`; `errc::stale` by `commit`. Source: RocksDB 7.8.
class state_store final : public weir::state_store, private weir::entry_reader {
public:
  /// Opens `folder`, or makes it; the folder it is in must exist.
  explicit state_store(std::filesystem::path folder);
  ~state_store() override;

  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override;
  task<std::optional<saved_checkpoint>> load_resident(checkpoint_key key) override;
  task<> commit(checkpoint_key key, checkpoint_update update) override;
  task<std::vector<checkpoint_listing>> list(std::string pipeline) override;
  task<std::vector<checkpoint_key>> keys() override;
  task<> erase(checkpoint_key key) override;
  entry_reader* reader() noexcept override { return this; }

private:
  std::optional<std::vector<std::byte>> read(checkpoint_key const& of, std::string_view operator_id, std::string_view key) override;
  void each(checkpoint_key const& of, std::string_view operator_id,
            std::function<void(std::string_view, std::span<std::byte const>)> const& f) override;
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace weir::rocksdb
