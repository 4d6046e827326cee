#pragma once
#include <weir/assignment.hpp>
#include <weir/eventhubs/detail/source_state.hpp>
#include <weir/eventhubs/record.hpp>
#include <weir/position.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>

#include <memory>
#include <optional>
#include <string>

namespace weir::eventhubs::detail {

// Shares the partitions while the pipeline runs (`sharing_loop`). Fails when the partitions, or the blobs, cannot be had at the start.
task<> share_partitions(std::shared_ptr<source_state> s, assignment_view& pipeline);
// What it says, for the pipeline.
stream<assignment> shared_partitions_of(std::shared_ptr<source_state> s);
// The events of a partition, as `open_partition` has them. When another receiver takes it, that is told, and they stop: whoever reads them
// is cancelled.
stream<record> open_shared_partition(std::shared_ptr<source_state> s, std::string partition, std::optional<position> after);

}  // namespace weir::eventhubs::detail
