#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::lambda {

/// What a function answers to a batch: `{"batchItemFailures":[]}` when all is done. The mapping heeds it only when its function response
/// types have `ReportBatchItemFailures`; otherwise every answer means success, and only an error makes it try again.
///
/// - Streams: one failure, the first record that is not done; the service sends it and what is behind it again.
/// - SQS: every message that is not done.
/// - Kafka: of each partition the first record that is not done.
///
/// A value. Source: "partial batch response" in "Using Lambda with Kinesis", "... DynamoDB", "... Amazon SQS", "Configuring error handling
/// controls for Kafka event sources", and "tumbling windows", AWS Lambda developer guide. Of Kafka the page first called the partition
/// "topic-partition" and by now calls it "partition" (2026-08), as AWS' own Powertools for Python (3.37) do.
class batch_response {
public:
  /// The most bytes of a window's state, as JSON text.
  static constexpr std::size_t most_state = 1'000'000;

  batch_response() = default;

  /// A sequence number or a message id. Throws `errc::misuse` when it is empty, as the service would take that for all records.
  batch_response& failed(std::string_view identifier) &;
  /// A record of Kafka: "topic-0", and its offset there.
  batch_response& failed(std::string_view topic_partition, std::uint64_t offset) &;
  /// For a mapping with a tumbling window: what the next invocation for the window gets, a JSON object. Throws `errc::malformed` when it is
  /// none, and `errc::too_large` when it has more than `most_state` bytes; the service would end the window early.
  batch_response& state(std::string_view object) &;

  std::size_t failures() const noexcept { return failures_; }
  /// The answer as JSON text.
  std::string json() const;

private:
  std::string items_, state_;
  std::size_t failures_ = 0;
};

}  // namespace weir::lambda
