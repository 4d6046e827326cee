#pragma once
#include <weir/kinesis/lease_checkpoint.hpp>
#include <weir/position.hpp>

#include <optional>

namespace weir::kinesis::detail {

// The checkpoint of a lease as a position; none for the words that say where to begin.
std::optional<position> position_in(lease_checkpoint const& c);
// A position of a shard as the checkpoint of its lease.
lease_checkpoint checkpoint_at(position const& p);

}  // namespace weir::kinesis::detail
