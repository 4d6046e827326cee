#pragma once
#include <weir/redis/options.hpp>
#include <weir/state_store.hpp>

#include <memory>

namespace weir::redis {

/// Keeps checkpoints in a Redis server, where the workers of several machines share them. They can be looked at:
/// ```
/// redis-cli HGETALL 'weir:{bars}:ticks:shard-1:head'
/// ```
/// What a commit survives is the server's affair, and less than a file's:
/// - `appendonly yes`, `appendfsync always`: the death of the server and of its machine.
/// - `appendfsync everysec` (the default of `appendonly yes`): that of the server; with the machine, the last second or two may go.
/// - without `appendonly`: what was committed behind the last snapshot goes with the server.
/// - Replication does not wait: a replica that is promoted may lack the last commits. `options::replicas` narrows that, and cannot end it.
///
/// Where commits are lost, whole ones are, from the last one back: a pipeline that starts again goes on from the one before, state and
/// frontier together; one that is running is refused with `errc::stale`. An end of the append-only file that is damaged counts as lost
/// too. The server must not evict (`maxmemory-policy noeviction`, or `volatile-...`): one that may is refused.
///
/// A commit is one Lua script, so all or nothing, and holds up the server by a few microseconds per step; it has at most 512 MB.
/// Entries and head carry checksums. A checkpoint is loaded in pages of about a megabyte, each read by a script that also looks at the
/// head: when a commit came between, it begins again (some times, then `errc::busy`). Each entry costs the server its size and some 200
/// bytes.
///
/// Nothing blocks the strand. Connections are made when they are needed, one per call at the same time, and kept; a lost one is replaced,
/// and the question asked again until `options::patience` is over, which is also how a commit whose answer was lost finds out that it had
/// arrived. No TLS and no Redis Cluster: use a local proxy, one server. Thread-safety: all functions, from any strand.
///
/// Errors: `errc::unavailable` (no server, no answer in time, it loads its data, a lost connection), `access_denied` (password, access
/// lists, a read-only replica), `no_space` (its memory or disk is full), `too_large`, `corrupt`, `incompatible` (keys of another program,
/// or of a version of Weir that came after this one), `rejected`; `errc::stale` by `commit`. Source: Redis 7.0.
class state_store final : public weir::state_store {
public:
  /// Does not connect yet. Throws `errc::invalid_option`.
  explicit state_store(options where = {});
  ~state_store() override;

  task<std::optional<saved_checkpoint>> load(checkpoint_key key) override;
  task<> commit(checkpoint_key key, checkpoint_update update) override;
  /// Counts the bytes of each in pages; of a pipeline that runs, they may be those of one commit and of the next.
  task<std::vector<checkpoint_listing>> list(std::string pipeline) override;
  /// Looks through all keys of the database, a thousand at a time; of pipelines that begin meanwhile, some may be missing.
  task<std::vector<checkpoint_key>> keys() override;
  /// When its answer is lost it is asked again, and then forgets also what was committed between.
  task<> erase(checkpoint_key key) override;

private:
  struct parts;
  std::shared_ptr<parts> parts_;
};

}  // namespace weir::redis
