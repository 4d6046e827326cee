#pragma once
#include <weir/instant.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weir::eventhubs {

/// What the service says of an event hub.
struct hub_properties {
  std::string name;
  instant created = 0;
  std::vector<std::string> partitions;  ///< their ids
  /// In more than one region: offsets are no numbers there.
  bool geo_replicated = false;
};

/// What it says of a partition.
struct partition_properties {
  std::string event_hub, id;
  bool empty = false;                      ///< no event is kept
  std::int64_t first_sequence_number = 0;  ///< of the oldest event that is kept
  std::int64_t last_sequence_number = -1;  ///< of the newest there was; -1: there was none
  std::string last_offset;                 ///< opaque
  instant last_enqueued = 0;
};

}  // namespace weir::eventhubs
