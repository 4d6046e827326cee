#pragma once
#include <weir/kinesis/options.hpp>
#include <weir/kinesis/record.hpp>
#include <weir/source.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::kinesis {
namespace detail {
class source_state;
}

/// Records left out since they came, in another one, into a shard which their key does not belong to; a counter, by stream and partition.
inline constexpr std::string_view misplaced_total = "misplaced_total";

/// A stream of Kinesis as a source, by polling (GetRecords): each shard is a partition, all of them are read by this process, or those of
/// which it holds the leases (`options::leases`), and a shard is read when those it came of, by a split or a merge, are done to their end
/// and that is committed. So the records of a key stay in order. Shards are listed at the start, when one has ended, and every
/// `options::discover`.
///
/// What operators keep per key goes on, at the end of a shard, in those that came of it, by the hash keys of these: a window that spans a
/// split or a merge closes once, with everything in it. That holds for records which their partition key has put into their shard. With
/// explicit hash keys, and on a stream that distributes records without regard to keys (UpdateStreamRecordDistributionStrategy AUTO), a key
/// is in several shards at once: state per key is then per shard and key, and halts the pipeline when a shard ends (`errc::misuse`). So
/// does state of a shard that others have read to its end, without these checkpoints, when one that came of it is begun. State of a shard
/// is deleted when all that came of it have taken over what is theirs; where the stream forgets the shard before that, it stays in its
/// checkpoint, until that is erased (`weir state erase`).
///
/// A position is a sequence number and the number of the record in it, where a producer (KPL) has put several into one. The checkpoint of a
/// shard that is done stands at `shard_end`, also of one that never had a record.
/// - Emits when: a reply has records; in chunks of up to 256, the first one at once.
/// - Backpressures when: downstream does; then nothing is read, and an iterator that has expired meanwhile is replaced.
/// - Completes when: the shard was split or merged, and its last record is out. The stream as a whole never does.
/// - Fails when: access is denied, the stream is deleted, its key (KMS) cannot be used, a position is none of the stream's, a reply is
///   none; at the start also when the shards cannot be listed, or the lease table cannot be made or read, in five tries. Throttling, lost
///   connections and what else passes hold it up for as long as they last, are logged, and nothing else.
/// - Cancelled: at once, the request under way included.
///
/// With `options::consumer` it reads by enhanced fan-out (SubscribeToShard, HTTP/2) in place of polling: what is sent ahead is bounded by
/// the window of HTTP/2 (`client_options::http2`), so a busy handler stops the service and loses nothing; a subscription that ends, fails
/// or falls silent is followed by another one behind its last event. A shard that is listed as closed, while its subscription goes on with
/// empty events, as some emulators' do, is polled to its end.
///
/// When nothing comes it says so (`mark::idle`), for how long by now. Records that Kinesis has let go of before they were read are lost;
/// that is logged, as is when there are keys that belong to no shard which is read. Memory: for each shard one reply, of up to 10 MiB, and
/// those that records still refer to; none while it is idle. Metrics: `millis_behind_latest`, `misplaced_total`;
/// `lease_changes_total` by stream, partition and change (gained, lost, ended).
/// Errors: those of `client`; `errc::invalid_option` when built. Thread-safety: strand only.
/// Source: "Developing consumers", Kinesis Data Streams developer guide; GetRecords, GetShardIterator, ListShards and SubscribeToShard in
/// its API reference.
class source final : public weir::source<record> {
public:
  /// Throws `weir::error` (`errc::invalid_option`) when the options cannot be used, there is no region, or no credentials are given where
  /// they should be.
  explicit source(options o);
  /// "kinesis" and the stream.
  std::string_view name() const noexcept override { return name_; }
  /// The ids of the shards that are known: none before the first listing.
  std::vector<std::string> partitions() const override;
  /// Records of a shard. Behind `shard_end`: none.
  stream<record> open(std::string partition, std::optional<weir::position> after) override;

  stream<assignment> assignments(assignment_view& pipeline) override;
  void ended(std::string const& partition, partition_end how) noexcept override;
  task<> attend(assignment_view& pipeline) override;
  void drains() noexcept override;
  /// `shard_end`.
  std::optional<weir::position> end_of(std::string const& partition) const override;
  bool knows_heirs() const noexcept override { return true; }
  /// The shards it came of: one by a split, two by a merge.
  std::vector<predecessor> predecessors(std::string const& partition) const override;
  /// The shards that came of it, while it is listed.
  std::vector<std::string> heirs(std::string const& partition) const override;
  /// By the MD5 of the key and the shard's range of hash keys.
  bool owns(std::string const& partition, std::string_view partition_key) const override;

private:
  std::shared_ptr<detail::source_state> state_;
  std::string name_;
};

}  // namespace weir::kinesis
