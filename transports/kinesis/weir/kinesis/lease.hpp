#pragma once
#include <weir/dynamodb/attribute_value.hpp>
#include <weir/kinesis/hash_key.hpp>
#include <weir/kinesis/lease_checkpoint.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace weir::kinesis {

/// Who works on a shard, and how far it is: a row of the table that the workers of an application share, KCL's and ours. A value.
///
/// Whoever holds a lease adds one to its counter again and again. A worker that has seen the same counter for as long as the time of
/// failover, by its own clock, may take it. Every write has the counter it builds on as its condition, so that nobody writes who has
/// missed something.
/// Source: Lease of KCL 3.5.
struct lease {
  lease() = default;
  friend bool operator==(lease const&, lease const&) = default;

  std::string key;    ///< the id of the shard; with several streams in a table "account:stream:epoch:shard"
  std::string owner;  ///< the worker that holds it, or, while another one still finishes, that will; empty: nobody
  /// The worker that still finishes, and that alone may move the checkpoint; empty: the owner may. KCL 3 and ours.
  std::string checkpoint_owner;
  std::uint64_t counter = 0;
  std::uint64_t owner_switches = 0;  ///< since the last checkpoint
  lease_checkpoint checkpoint;
  std::optional<lease_checkpoint> pending;         ///< what KCL has prepared to checkpoint
  dynamodb::attribute_value::bytes pending_state;  ///< what the application said with it
  std::set<std::string> parents, children;         ///< the shards it comes of, and those it ended in, as far as that is known
  std::optional<hash_key_range> keys;              ///< of the shard; KCL 1 has none
  std::optional<std::string> throughput_kbps;      ///< as digits: measured by KCL 3, for its leader
  dynamodb::item others;                           ///< attributes that are not known here, as they are
};

}  // namespace weir::kinesis
