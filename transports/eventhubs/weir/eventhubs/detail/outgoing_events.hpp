#pragma once
#include <weir/eventhubs/detail/event_lanes.hpp>
#include <weir/eventhubs/outgoing_event.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace weir::eventhubs::detail {

// Events on their way to an event hub, by the partitions that they name; "": by none. Without I/O.
class outgoing_events {
public:
  // Throws what `event_lanes::add` throws.
  outgoing_events(std::vector<outgoing_event> const& events, std::size_t most_bytes);
  // Takes over what another one has.
  void append(outgoing_events later);

  std::map<std::string, event_lanes>& by_partition() noexcept { return by_partition_; }

private:
  std::map<std::string, event_lanes> by_partition_;
};

}  // namespace weir::eventhubs::detail
