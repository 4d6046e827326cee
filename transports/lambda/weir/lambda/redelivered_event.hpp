#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace weir::lambda {

/// What an event source mapping that has `ReportBatchItemFailures` invokes a function with next, when the function has answered `answer` to
/// `event`: the event with those of its records alone that are not done. Null: all are, or it is no event of a mapping. For local runs, and
/// for tests of redelivery.
///
/// - Streams: from the lowest record that is reported on. SQS: the messages that are reported. Kafka: of each partition that is reported
///   from the lowest offset on.
/// - An answer without failures (no list, an empty one, `{}`, null, nothing) is success. One that names a record the event does not have,
/// or
///   none, or is no JSON, is a failure: the whole event, with the state that it had.
/// - In a tumbling window the state of the answer goes along.
/// Records are as they stood, and so is what is beside them. Does not throw, but for memory. Thread-safety: a function.
/// Source: "partial batch response" of the sources as for `batch_response`; "Using AWS Lambda with Amazon Kinesis", success and failure
/// conditions, AWS Lambda developer guide.
std::optional<std::string> redelivered_event(std::string_view event, std::string_view answer);

}  // namespace weir::lambda
