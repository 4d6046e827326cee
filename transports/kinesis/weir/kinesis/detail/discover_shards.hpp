#pragma once
#include <weir/assignment.hpp>
#include <weir/kinesis/detail/source_state.hpp>
#include <weir/stream.hpp>

#include <memory>

namespace weir::kinesis::detail {

// Assigns each shard when it may be read. Never ends.
stream<assignment> discover_shards(std::shared_ptr<source_state> s, assignment_view& pipeline);

}  // namespace weir::kinesis::detail
