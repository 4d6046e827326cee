#pragma once
#include <weir/kinesis/client_options.hpp>
#include <weir/kinesis/outgoing_record.hpp>
#include <weir/kinesis/put_result.hpp>
#include <weir/kinesis/record_batch.hpp>
#include <weir/kinesis/shard.hpp>
#include <weir/kinesis/shard_filter.hpp>
#include <weir/kinesis/starting_position.hpp>
#include <weir/kinesis/stream_consumer.hpp>
#include <weir/kinesis/stream_summary.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weir::kinesis {

/// Calls operations of Kinesis Data Streams.
/// ```cpp
/// kinesis::client const client({.where = {.region = "eu-west-1"}});
/// std::string at = co_await client.get_shard_iterator("ticks", "shardId-000000000000", kinesis::starting_position::trim_horizon());
/// kinesis::record_batch batch = co_await client.get_records(at);
/// ```
/// `stream` is a name, or an ARN ("arn:..."), for streams of other accounts.
///
/// Errors: `kinesis::errc` for what is Kinesis' own; `weir::errc` for what services have in common: `throttled`, where a limit was reached
/// (also `LimitExceededException`), `unavailable`, `not_found`, `access_denied`, `rejected`, and those of `net::http_client` and the
/// credentials; `malformed` for a reply that cannot be read. What they are is decided by what the service calls them, never by status or
/// text. Each says stream and shard (but of `get_records`, which is not told them), region, request id and number of tries. What is
/// retryable was tried again as the options say.
///
/// A copy is the same client. Thread-safety: as `net::http_client`: from any strand.
/// Source: Kinesis Data Streams API reference, version 2013-12-02.
class client {
public:
  /// Throws what `aws::resolve` and `net::http_client` throw.
  explicit client(client_options options = {});

  /// Status, limits and size of a stream. 20 calls a second for an account.
  task<stream_summary> describe_stream_summary(std::string stream) const;
  /// All shards that the filter lets through, page by page; begins again, once, when a token is too old by then. 1,000 calls a second for a
  /// stream. `page`: most shards of a page, 1 to 10,000.
  task<std::vector<shard>> list_shards(std::string stream, shard_filter which = {}, std::size_t page = 1'000) const;

  /// An iterator for `get_records`, good for five minutes. Works for closed shards, too. 5 calls a second for a shard.
  task<std::string> get_shard_iterator(std::string stream, std::string shard_id, starting_position from) const;
  /// Up to `limit` records (1 to 10,000) and 10 MiB of them. The same iterator may be used again. 5 calls and 2 MiB a second for a shard;
  /// after a reply of 10 MiB none for five seconds (`errc::throttled`). `kinesis::errc::expired_iterator`: get one anew, behind the last
  /// record.
  task<record_batch> get_records(std::string iterator, std::size_t limit = 10'000) const;

  /// Begins to register a consumer of that name; it can be used when it is active. `stream_arn`: of `stream_summary`. 5 calls a second for
  /// an account; 20 consumers for a stream (`errc::throttled`, as the service calls both the same). `kinesis::errc::resource_in_use`: there
  /// is one of that name.
  task<stream_consumer> register_stream_consumer(std::string stream_arn, std::string name) const;
  /// `errc::not_found`: there is none of that name. 20 calls a second for an account.
  task<stream_consumer> describe_stream_consumer(std::string stream_arn, std::string name) const;
  /// Begins to delete a consumer; its subscriptions end.
  task<> deregister_stream_consumer(std::string consumer_arn) const;
  /// Subscribes a consumer to a shard, over HTTP/2: its records as they come, as batches without `next_iterator`, empty ones too, every few
  /// seconds. Where it ends, after five minutes, go on behind the last `continuation`; an empty one is the end of the shard. Called once,
  /// whatever `retry` says. A call within five seconds of the one before is refused (`kinesis::errc::resource_in_use`, then or in place of
  /// the first event), a later one takes the shard over. Fails as `aws::event_stream_client` says, and with `errc::timed_out` when nothing
  /// comes for `client_options::http2.read_timeout`.
  task<stream<record_batch>> subscribe_to_shard(std::string consumer_arn, std::string shard_id, starting_position from) const;

  /// Puts one record, and says where it is. `kinesis::errc::invalid_argument` when it is larger than the stream allows.
  task<put_result> put_record(std::string stream, outgoing_record record) const;
  /// Puts 1 to 500 records, of up to 10 MiB together. Each may be taken or not, whatever has become of those before it: look at `failure`
  /// of each; results are in the order of the records, which are not needed any more when this returns the task. Fails as a whole like
  /// other calls.
  task<std::vector<put_result>> put_records(std::string stream, std::span<outgoing_record const> records) const;

  /// Begins to create a stream of so many shards; it can be used when it is active (`wait_until_active`).
  task<> create_stream(std::string name, std::size_t shards) const;
  /// Begins to delete a stream, its consumers too.
  task<> delete_stream(std::string stream) const;
  /// Waits until a stream is active, looking twice a second. Fails with `errc::timed_out` after `longest`.
  task<> wait_until_active(std::string stream, std::chrono::nanoseconds longest = std::chrono::minutes(5)) const;

  /// Begins to split an open shard: keys from `at` on go to a second child. `at` is one of its keys, but for the first.
  task<> split_shard(std::string stream, std::string shard_id, hash_key at) const;
  /// Begins to merge two open shards whose keys are beside each other.
  task<> merge_shards(std::string stream, std::string shard_id, std::string adjacent_id) const;
  /// Begins to split and merge shards until there are `target`, of equal ranges: at most twice, at least half of what there are now.
  task<> update_shard_count(std::string stream, std::size_t target) const;

  /// How far the service's clock is ahead of ours, by the last answer that said its time: never more than it is, less by up to a second and
  /// that answer's way; 0 before one. For `starting_position::at`, by which a time to come is refused.
  std::chrono::nanoseconds clock_ahead() const noexcept;

private:
  struct parts;
  std::shared_ptr<parts> parts_;
};

}  // namespace weir::kinesis
