#pragma once
#include <weir/kinesis/lease.hpp>
#include <weir/kinesis/shard.hpp>

#include <span>
#include <string>
#include <vector>

namespace weir::kinesis {

/// How the lease table should change to have what a stream has. A value.
struct lease_changes {
  std::vector<lease> create;          ///< of shards that can be read now and have none
  std::vector<lease> erase;           ///< of shards that have ended, and whose children have been begun
  std::vector<std::string> vanished;  ///< shards that were not read to their end and are gone: older than what the stream keeps
};

/// Compares the shards of a stream (all of them) with the leases of its table (all of them).
///
/// A shard gets a lease once all its parents are done: they have ended by their leases, or a descendant of theirs has a lease though they
/// have none (any more), or neither a lease nor a shard is left of them. So a child is never read beside its parent, a parent that was
/// finished and forgotten is not read again, and a shard that has closed is read to its end.
///
/// `first` is where shards begin that have no parents, and only in a table without leases: with LATEST, the open shards begin there, and
/// none before them gets a lease; so it is, too, while all leases stand there, of which the other ones may not be made yet, for shards that
/// came of none with a lease. All others begin with their oldest record (TRIM_HORIZON), also where `first` is LATEST, so that nothing
/// between is missed; where it is AT_TIMESTAMP, they begin with that.
///
/// A finished lease goes when each shard it ended in has a lease that has been begun. Pure.
/// Source: HierarchicalShardSyncer and LeaseCleanupManager of KCL 3.5.
lease_changes compare_leases(std::span<shard const> shards, std::span<lease const> leases, lease_checkpoint const& first);

/// Whether the shard of a lease may be read: none of its parents has a lease that has not ended. (KCL makes leases of children earlier.)
bool parents_have_ended(lease const& of, std::span<lease const> all);

}  // namespace weir::kinesis
