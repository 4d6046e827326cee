#pragma once
#include <weir/eventhubs/client_options.hpp>
#include <weir/eventhubs/selector.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace weir::eventhubs {

/// Which event hub to read, and how: `app.use_event_hub_stream({.connection_string = "Endpoint=sb://...", .event_hub = "ticks"}, ...)`. All
/// times are of the pipeline's clock.
struct options {
  /// As in `client_options`. Empty: the one that is there.
  std::string connection_string = {};
  std::string event_hub = {};
  /// Whoever reads by the same consumer group shares five readers of each partition, and its owner levels.
  std::string consumer_group = "$Default";

  /// Where partitions begin that have no checkpoint. By default with the oldest event that is kept, since nothing is lost that way. At the
  /// latest: behind the event that is the last one when it is first asked for, which is asked anew by a restart, as long as nothing of
  /// the partition was committed; partitions that are added later are read from their first event on. Give a time to have everything from
  /// then on.
  starting_position start = from_earliest{};
  /// With one, this process takes its partitions from whoever reads them with a lower one, or the same, and loses them in turn. None: it
  /// reads beside others, who then do all of it, too.
  std::optional<std::int64_t> owner_level = {};

  /// Of each partition: what the service may send ahead, as in `receiver_options`.
  std::uint32_t most_events = 300;
  std::size_t most_bytes = std::size_t{8} * 1024 * 1024;
  /// How often it is looked for partitions that were added, > 0.
  std::chrono::nanoseconds discover = std::chrono::minutes(5);

  /// Tokens, transport, authorities, proxy, timeouts.
  client_options client = {};

  /// Throws `weir::error` (`errc::invalid_option`) that says which option cannot be used and why.
  void check() const;
};

}  // namespace weir::eventhubs
