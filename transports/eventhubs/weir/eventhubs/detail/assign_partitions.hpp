#pragma once
#include <weir/assignment.hpp>
#include <weir/eventhubs/detail/source_state.hpp>
#include <weir/eventhubs/record.hpp>
#include <weir/position.hpp>
#include <weir/stream.hpp>

#include <memory>
#include <optional>
#include <string>

namespace weir::eventhubs::detail {

// All partitions of the event hub, those too that are added while it is pulled. Never ends.
stream<assignment> assign_partitions(std::shared_ptr<source_state> s);
// The events of one behind a position; where there is none, from where it begins.
stream<record> open_partition(std::shared_ptr<source_state> s, std::string partition, std::optional<position> after);

}  // namespace weir::eventhubs::detail
