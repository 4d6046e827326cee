#pragma once

// What the attributes of a lease are called.
namespace weir::kinesis::detail {

inline constexpr char const* lease_key = "leaseKey";
inline constexpr char const* lease_owner = "leaseOwner";
inline constexpr char const* lease_counter = "leaseCounter";
inline constexpr char const* owner_switches = "ownerSwitchesSinceCheckpoint";
inline constexpr char const* checkpoint = "checkpoint";
inline constexpr char const* checkpoint_sub = "checkpointSubSequenceNumber";
inline constexpr char const* pending_checkpoint = "pendingCheckpoint";
inline constexpr char const* pending_checkpoint_sub = "pendingCheckpointSubSequenceNumber";
inline constexpr char const* pending_checkpoint_state = "pendingCheckpointState";
inline constexpr char const* parent_shards = "parentShardId";
inline constexpr char const* child_shards = "childShardIds";
inline constexpr char const* first_hash_key = "startingHashKey";
inline constexpr char const* last_hash_key = "endingHashKey";
inline constexpr char const* throughput = "throughputKBps";
inline constexpr char const* checkpoint_owner = "checkpointOwner";
inline constexpr char const* entity_type = "entityType";
inline constexpr char const* entity_lease = "LEASE";

}  // namespace weir::kinesis::detail
