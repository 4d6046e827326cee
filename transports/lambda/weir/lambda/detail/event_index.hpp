#pragma once
#include <weir/lambda/event.hpp>
#include <weir/shared_bytes.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::lambda::detail {

// Where the values of a record are in the payload, as they stand there: "text" with its quotes and escapes, 17, {"a":1}. Empty: absent, or
// null.
struct kinesis_values {
  std::string_view sequence_number, partition_key, data, arrival;
};
struct dynamodb_values {
  std::string_view event_id, event_name, user_identity, content, created, keys, new_image, old_image, sequence_number;
};
struct sqs_values {
  std::string_view message_id, receipt_handle, body, attributes, message_attributes, sent, receive_count, group_id;
};
struct kafka_values {
  std::string_view topic, partition, offset, timestamp, timestamp_type, key, value, headers;
};

// What there is to know of a payload before its records are read.
struct event_index {
  shared_bytes payload;
  event_source source = event_source::kinesis;
  std::string source_arn, shard_id;
  std::optional<event_window> window;
  std::vector<topic_partition> partitions;
  // Those of the event's source.
  std::vector<kinesis_values> kinesis;
  std::vector<dynamodb_values> dynamodb;
  std::vector<sqs_values> sqs;
  std::vector<kafka_values> kafka;

  std::size_t size() const noexcept { return kinesis.size() + dynamodb.size() + sqs.size() + kafka.size(); }
};

event_index read_event(std::string_view payload);

// Throws `errc::misuse` when the event is of another source.
void expect_source(event_index const& e, event_source s, char const* reader);
// Throws `errc::malformed`, with what is known of the record.
[[noreturn]] void refuse_record(event_index const& e, std::size_t index, std::string why);

}  // namespace weir::lambda::detail
