#include <weir/eventhubs/detail/outgoing_events.hpp>

#include <utility>

namespace weir::eventhubs::detail {

outgoing_events::outgoing_events(std::vector<outgoing_event> const& events, std::size_t most_bytes) {
  for (outgoing_event const& event : events) by_partition_[event.partition].add(event, most_bytes);
}

void outgoing_events::append(outgoing_events later) {
  for (auto& [partition, lanes] : later.by_partition_) by_partition_[partition].append(std::move(lanes));
}

}  // namespace weir::eventhubs::detail
