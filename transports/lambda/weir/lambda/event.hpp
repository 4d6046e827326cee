#pragma once
#include <weir/instant.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace weir::lambda {

namespace detail {
struct event_index;
class value_block;
}  // namespace detail

/// Which service the records of an invocation are of.
enum class event_source : std::uint8_t { kinesis, dynamodb, sqs, kafka };
/// As the events name it: "aws:kinesis", "aws:dynamodb", "aws:sqs"; "aws:kafka" also for brokers that are not Amazon's.
std::string_view to_string(event_source s) noexcept;

/// The tumbling window of the mapping, where it has one (streams of Kinesis and DynamoDB).
struct event_window {
  event_window() = default;

  instant start = 0, end = 0;  ///< [start, end), by the arrival of the records
  std::string state = "{}";    ///< a JSON object: what the invocation before has answered for this window and shard; "{}" at its first
  bool is_final = false;       ///< the window's last one (`isFinalInvokeForWindow`), for which there may be no records
  bool is_terminated_early = false;  ///< its state was more than 1 MB, so this is its last one before its end
};

/// Records of one partition of a topic.
struct topic_partition {
  topic_partition() = default;

  std::string name;       ///< "topic-0"; what failures of its records are reported by
  std::size_t size = 0;   ///< how many records
  std::size_t first = 0;  ///< which record of the event is its first one
};

/// The payload of one invocation that an event source mapping makes: what it is of, and where its records are in it. The records
/// themselves are read by `kinesis_records`, `dynamodb_records`, `sqs_records`, `kafka_records`, as often as wanted.
///
/// Members may be in any order, unknown ones are passed over, and null is like absent. The records must be of one source, and of one
/// stream or queue; of streams, of one shard. Cheap to copy. Thread-safety: it does not change, so copies may be read on any thread.
/// Source: "Using Lambda with Kinesis", "... DynamoDB", "... Amazon SQS", "... Amazon MSK", and "tumbling windows", AWS Lambda developer
/// guide.
class event {
public:
  /// Copies the payload, of up to 6 MB. Throws `errc::malformed`: it is no JSON; no event of a mapping (such as the console's test event);
  /// has no records, and is not the last invocation of a window; its source is unknown or there are several.
  explicit event(std::string_view payload);

  event_source source() const noexcept;
  /// Of the stream, the queue or the cluster; empty: not said, as for Kafka that is not Amazon's.
  std::string_view source_arn() const noexcept;
  /// Of streams: the shard that all records are of; empty: not said, as for DynamoDB without a window.
  std::string_view shard_id() const noexcept;
  /// Null: the mapping has no tumbling window.
  event_window const* window() const noexcept;
  /// How many records it has. What a producer (KPL) has put into one of Kinesis' counts as one.
  std::size_t size() const noexcept;
  /// What `batchItemFailures` calls the record: its sequence number (Kinesis, DynamoDB), message id (SQS) or offset (Kafka), as it is in
  /// the payload. `index` < `size()`. Throws `errc::malformed` when it has none.
  std::string identifier(std::size_t index) const;
  /// Of Kafka: the partitions, each with its records in their order. Otherwise none.
  std::span<topic_partition const> partitions() const noexcept;

  /// For the readers of records.
  std::shared_ptr<detail::event_index const> const& index() const noexcept { return index_; }

private:
  std::shared_ptr<detail::event_index const> index_;
};

}  // namespace weir::lambda
