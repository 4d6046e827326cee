#pragma once
#include <weir/eventhubs/client_options.hpp>
#include <weir/eventhubs/partition_sharing.hpp>
#include <weir/eventhubs/selector.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace weir::eventhubs {

/// Which event hub to read, and how: `app.use_event_hub_stream({.connection_string = "Endpoint=sb://...", .event_hub = "ticks"}, ...)`. All
/// times are of the pipeline's clock.
///
/// The connection is served on the pipeline's thread: while a handler waits (`co_await`), and not while it computes or calls what blocks.
/// One that has the thread for longer than a minute may cost the connection, since the service hears nothing; it is made anew, and
/// nothing is lost.
struct options {
  /// As in `client_options`. Empty: the one that is there.
  std::string connection_string = {};
  std::string event_hub = {};
  /// Whoever reads by the same consumer group shares five readers of each partition, and its owner levels.
  std::string consumer_group = "$Default";

  /// Where partitions begin that have no checkpoint. By default with the oldest event that is kept, since nothing is lost that way. At the
  /// latest: behind the event that is the last one when it is first asked for, which is asked anew by a restart, as long as nothing of
  /// the partition was committed; partitions that are added later are read from their first event on. With `sharing` that place is
  /// committed when the partition is first taken, unless there never was an event. Give a time to have everything from then on.
  starting_position start = from_earliest{};
  /// With one, this process takes its partitions from whoever reads them with a lower one, or the same, and loses them in turn. None: it
  /// reads beside others, who then do all of it, too; with `sharing` it is 0, as of all official processors.
  std::optional<std::int64_t> owner_level = {};

  /// Shares the partitions with other processes, of Weir and of the official clients: each is read by the one that owns it by a blob. Null:
  /// this process reads all of them, no Blob storage is needed, and no other process with the same checkpoints may run.
  /// ```cpp
  /// auto const box = azure::blob_container_options::from_connection_string(storage, "checkpoints");
  /// app.use_event_hub_stream({.event_hub = "ticks", .sharing = eventhubs::partition_sharing{.blobs = box}}, ...);
  /// ```
  /// A consumer takes its share, partitions by consumers, first what nobody has, or has renewed for `how.expiry`, then from the consumer
  /// that has most, without asking it, as official processors do: that one learns of it by its link, which the service closes, or by its
  /// next renewal, stops at once, and commits nothing for it any more. Whoever takes a partition commits once, without changes, before it
  /// reads, and by that a later commit of the one before is refused (`errc::stale`), however late. What that one has done since its last
  /// commit is done again. A partition whose reading has failed is given back, for others to try; this consumer leaves it alone for a
  /// while. A drain finishes, commits, and gives all partitions back.
  ///
  /// Effects are what the pipeline says they are, provided that all workers keep their checkpoints in one store: a file of SQLite on one
  /// machine; PostgreSQL, Redis or DynamoDB otherwise. The store is what counts. The checkpoint in a blob, offset and sequence number,
  /// follows it for other clients' sake (`checkpoint_every`), and before a partition is given back. A partition that has no checkpoint in
  /// the store begins behind the blob's. Where the blob is ahead of the store, since another client had the partition in between, a
  /// pipeline without state of operators goes on from there, and one with state from its own checkpoint, which belongs to that state: what
  /// others have done meanwhile is done again; both is said in the log. What other clients do, they do at least once: of a partition that
  /// they take from this process they do again what came behind the blob's checkpoint.
  std::optional<partition_sharing> sharing = {};

  /// Of each partition: what the service may send ahead, as in `receiver_options`.
  std::uint32_t most_events = 300;
  std::size_t most_bytes = std::size_t{8} * 1024 * 1024;
  /// How often it is looked for partitions that were added, > 0; with `sharing` not more often than who has what.
  std::chrono::nanoseconds discover = std::chrono::minutes(5);

  /// Tokens, transport, authorities, proxy, timeouts.
  client_options client = {};

  /// Throws `weir::error` (`errc::invalid_option`) that says which option cannot be used and why.
  void check() const;
};

}  // namespace weir::eventhubs
