#pragma once
#include <weir/eventhubs/selector.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace weir::eventhubs {

/// How a partition is read: `client.receive("0", {.from = from_latest()})`. Times are of the pipeline's clock.
struct receiver_options {
  std::string consumer_group = "$Default";
  /// Where to begin. `from_latest` is behind the event that is the last one when the service is first asked, so that what comes while a
  /// connection is lost is not left out.
  starting_position from = from_earliest{};
  /// Where to begin when the service says that it does not know the place any more (after a fail-over to another region).
  starting_position otherwise = from_earliest{};
  /// Its epoch, >= 0: a receiver of a lower one, or of the same, loses the partition to this one, and none without may read beside it.
  /// None: up to five read beside each other.
  std::optional<std::int64_t> owner_level = {};
  /// How the service calls it in its messages. Empty: by a name of its own.
  std::string name = {};
  /// Events that the service may send ahead, those included that have come and were not pulled, >= 1.
  std::uint32_t most_events = 300;
  /// Bytes of events that have come and were not pulled, >= 1; by the size that events have had so far.
  std::size_t most_bytes = std::size_t{8} * 1024 * 1024;
  /// How often it is said that nothing comes (`mark::idle`), > 0.
  std::chrono::nanoseconds idle_every = std::chrono::seconds(1);
};

}  // namespace weir::eventhubs
