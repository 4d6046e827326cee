#pragma once
#include <weir/dynamodb/attribute_value.hpp>
#include <weir/instant.hpp>
#include <weir/lambda/dynamodb_record.hpp>
#include <weir/lambda/event.hpp>
#include <weir/lambda/kafka_record.hpp>
#include <weir/lambda/sqs_record.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Events of event source mappings, as AWS Lambda gives them to functions, for tests of what reads them:
/// ```cpp
/// std::string const payload = testing::kinesis_event().record("one").record("two", "key").json();
/// ```
/// What is not said counts up: sequence numbers and ids from record to record, and times by a millisecond from 2024-01-01T00:00:00Z on.
/// Values. Source: the examples of "Using Lambda with Kinesis", "... DynamoDB", "... Amazon SQS", "... Amazon MSK" and of tumbling windows,
/// AWS Lambda developer guide.
namespace weir::testing {

/// Records of a shard of Kinesis.
class kinesis_event {
public:
  struct fields {
    std::string data = {};
    std::string partition_key = "1";
    std::string sequence_number = {};  ///< empty: the next one
    std::optional<instant> arrival = {};
  };
  explicit kinesis_event(std::string stream_arn = "arn:aws:kinesis:us-east-1:123456789012:stream/test",
                         std::string shard_id = "shardId-000000000000");
  kinesis_event& record(std::string_view data, std::string_view partition_key = "1");
  kinesis_event& record(fields r);
  /// The role that the mapping reads by (`invokeIdentityArn`).
  kinesis_event& role(std::string arn);
  kinesis_event& window(lambda::event_window w);
  std::string json() const;

private:
  std::string arn_, shard_, role_ = "arn:aws:iam::123456789012:role/lambda-role";
  std::vector<fields> records_;
  std::optional<lambda::event_window> window_;
};

/// Changes of a table of DynamoDB.
class dynamodb_event {
public:
  struct fields {
    lambda::dynamodb_record::change what = lambda::dynamodb_record::change::insert;
    dynamodb::item keys = {};
    std::optional<dynamodb::item> old_image = {}, new_image = {};
    std::string sequence_number = {}, event_id = {};  ///< empty: the next ones
    std::optional<instant> time = {};                 ///< told to the second
    std::string event_version = "1.1";
    bool by_service = false;  ///< DynamoDB itself did it: a time to live was over
  };
  explicit dynamodb_event(std::string stream_arn = "arn:aws:dynamodb:us-east-1:123456789012:table/test/stream/2024-01-01T00:00:00.000");
  dynamodb_event& insert(dynamodb::item keys, dynamodb::item new_image);
  dynamodb_event& modify(dynamodb::item keys, dynamodb::item old_image, dynamodb::item new_image);
  dynamodb_event& remove(dynamodb::item keys, dynamodb::item old_image);
  dynamodb_event& record(fields r);
  dynamodb_event& window(lambda::event_window w, std::string shard_id);
  std::string json() const;

private:
  std::string arn_, shard_;
  std::vector<fields> records_;
  std::optional<lambda::event_window> window_;
};

/// Messages of a queue of SQS.
class sqs_event {
public:
  struct fields {
    std::string body = {};
    std::string message_id = {}, receipt_handle = {};    ///< empty: the next ones
    std::map<std::string, std::string> attributes = {};  ///< those of the queue; what is not in it has a value of its own
    std::vector<lambda::message_attribute> message_attributes = {};
  };
  /// A FIFO queue's name ends with ".fifo".
  explicit sqs_event(std::string queue_arn = "arn:aws:sqs:us-east-1:123456789012:test");
  sqs_event& message(std::string_view body);
  /// In a message group, of a FIFO queue.
  sqs_event& message(std::string_view body, std::string_view group_id);
  sqs_event& message(fields m);
  std::string json() const;

private:
  std::string arn_;
  std::vector<fields> messages_;
};

/// Records of topics of Kafka.
class kafka_event {
public:
  struct fields {
    std::string topic = "test";
    std::uint32_t partition = 0;
    std::optional<std::uint64_t> offset = {};  ///< null: the next one of the partition, from 0
    std::optional<std::string> key = {}, value = {};
    std::vector<lambda::kafka_header> headers = {};
    std::optional<instant> time = {};
    bool logged = false;  ///< the time is the broker's
  };
  explicit kafka_event(std::string cluster_arn = "arn:aws:kafka:us-east-1:123456789012:cluster/test/1",
                       std::string bootstrap_servers = "b-1.test.kafka.us-east-1.amazonaws.com:9092");
  /// Of brokers that are not Amazon's.
  static kafka_event self_managed(std::string bootstrap_servers = "broker:9092");
  kafka_event& record(std::string_view value, std::uint32_t partition = 0);
  kafka_event& record(fields r);
  std::string json() const;

private:
  std::string arn_, servers_;
  std::vector<fields> records_;
};

}  // namespace weir::testing
