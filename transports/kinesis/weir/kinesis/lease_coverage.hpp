#pragma once
#include <weir/kinesis/lease.hpp>

#include <span>
#include <vector>

namespace weir::kinesis {

/// The hash keys that no lease has which is not yet at its end: records with such keys would be read by nobody. Empty: every key is
/// covered. In order, neighbours as one.
///
/// While a parent has ended and its children have no leases yet, their keys are missing for a moment: what is still missing after the
/// next sync has been forgotten. Leases without hash keys (KCL 1) cannot be counted; a table that has one that has not ended has no holes.
/// Pure. Source: PeriodicShardSyncManager of KCL 3.5.
std::vector<hash_key_range> uncovered_hash_keys(std::span<lease const> leases);

}  // namespace weir::kinesis
