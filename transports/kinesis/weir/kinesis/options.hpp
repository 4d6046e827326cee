#pragma once
#include <weir/kinesis/client_options.hpp>
#include <weir/kinesis/fan_out.hpp>
#include <weir/kinesis/lease_sharing.hpp>
#include <weir/kinesis/read_limits.hpp>
#include <weir/kinesis/record_unpacker.hpp>
#include <weir/kinesis/shard_service.hpp>
#include <weir/kinesis/starting_position.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace weir::kinesis {

/// Which stream to read, and how: `app.use_kinesis_stream({.stream = "ticks"}, ...)`. All times are of the pipeline's clock.
struct options {
  /// A name, or an ARN, for streams of other accounts. It is part of the checkpoints' key.
  std::string stream = {};

  /// Where shards begin that have no checkpoint, nor has anything they came of. What a shard becomes is read from its first record on in
  /// any case. By default the oldest record that is kept, since nothing is lost that way. At the tip (`latest`) a shard of which no record
  /// was committed begins at the tip of that time again after a restart; give a time to have everything from then on.
  starting_position start = starting_position::trim_horizon();
  /// Sequence numbers by shard, behind which to begin where there is no checkpoint: "shardId-000000000000", "4959...". What these shards
  /// came of is taken for done. Where operators have state to take over from that, the state counts and not the number, as the log
  /// tells: the shard is read from its first record, where the state is. Erase the checkpoints of what it came of (weir state erase) to
  /// begin at the number, without state. Not with leases, whose table has the places.
  std::map<std::string, std::string> positions = {};

  /// Shares the shards with other processes, of Weir and of KCL: each is read by the one that holds its lease. Null: this process reads all
  /// of them, and no other one with the same checkpoints may run.
  /// ```cpp
  /// app.use_kinesis_stream({.stream = "ticks", .leases = kinesis::lease_sharing{.table = "bars"}}, ...);
  /// ```
  /// A worker takes its share, leases by workers rounded up, first what nobody has renewed for `how.failover`, then from the worker that
  /// has most, which finishes what it has within `how.handoff`. A lease that is lost cancels the reading of its shard, and nothing is
  /// committed for it any more: whoever takes a lease commits once, without changes, before it reads, and by that a later commit of the one
  /// before is refused (`errc::stale`), however late. A shard whose reading has failed is let go of, for others to try; this worker leaves
  /// it alone for a while. A drain gives all leases back.
  ///
  /// Effects are what the pipeline says they are, provided that all workers keep their checkpoints in one store: a file of SQLite on one
  /// machine; PostgreSQL, Redis or DynamoDB otherwise. A folder of RocksDB, and memory, are of one process: whoever takes a shard over does
  /// not have what operators and sinks kept in them; of memory that is said at the start. The checkpoint counts, not the lease, in which it
  /// stands for KCL's sake, brought up to date when the lease is renewed, and at the end. Where the lease is ahead, since a worker of KCL
  /// had it in between, a pipeline without state of operators goes on from there, and one with state from its checkpoint, which belongs to
  /// that state: what KCL has done meanwhile is done again, and said in the log. So a pipeline without state needs no store at all: it goes
  /// on, at least once, from where the lease stands, a third of `how.failover` ago at most.
  std::optional<lease_sharing> leases = {};

  /// Region, endpoint, credentials, timeouts. Its `retry` does not count: what fails for a while is tried again for as long as it takes.
  client_options client = {};

  /// Who reads by enhanced fan-out: the name of a consumer, which is registered with the stream where it is not, or the ARN of one. Each
  /// shard is then subscribed to (SubscribeToShard), with 2 MiB a second of its own, in place of being polled. Processes that read the
  /// same shards may not have the same consumer: each takes the shard from the other. It is not deregistered at the end, as others may read
  /// by it, and it costs while it is registered. Empty: the stream is polled.
  std::string consumer = {};
  /// What is done when that cannot be had.
  without_fan_out otherwise = without_fan_out::fail;

  /// Records of a reply, 1 to 10,000. A reply has up to 10 MiB in any case.
  std::size_t limit = 10'000;
  /// How long after a read at the tip the next one is, > 0. Whoever else reads the stream shares the five reads of a second.
  std::chrono::nanoseconds poll = std::chrono::milliseconds(500);
  /// The same when nothing comes, to which it gets by doubling; >= `poll`. So much later the first record may be seen.
  std::chrono::nanoseconds idle_poll = std::chrono::seconds(2);
  /// How often it is looked for shards that nobody announced, > 0, up to an eighth earlier. What a shard becomes is looked for at its end.
  std::chrono::nanoseconds discover = std::chrono::seconds(30);
  /// How many requests are under way at a time, >= 1.
  std::size_t most_requests = 64;

  /// Records which a producer has put into one in the wrong shard.
  misplaced_records misplaced = misplaced_records::drop;

  /// What shards let themselves be read. Null: as Kinesis has it, together with all sources of this process that have it null. Give them
  /// one of your own where somebody else reads the stream, too.
  std::shared_ptr<read_limits> limits = nullptr;
  /// What is in place of Kinesis. Null: Kinesis, by `client`.
  std::shared_ptr<shard_service> service = nullptr;
  /// Of what is drawn at random: by how much pauses are shortened. 0: by chance.
  std::uint32_t seed = 0;

  /// Throws `weir::error` (`errc::invalid_option`) that says which option cannot be used and why.
  void check() const;
};

}  // namespace weir::kinesis
