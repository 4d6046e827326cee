#pragma once
#include <weir/instant.hpp>
#include <weir/lambda/detail/chunk_content.hpp>
#include <weir/position.hpp>
#include <weir/record.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::lambda {

/// What a sender has put beside the body of a message.
struct message_attribute {
  message_attribute() = default;

  std::string name;
  std::string type;   ///< "String", "Number", "Binary", each perhaps with "." and a name of the sender's behind it
  std::string value;  ///< text, digits or bytes
  friend bool operator==(message_attribute const&, message_attribute const&) = default;
};

/// A message of a queue. It shares the bytes of its chunk, so it may be kept for longer than that. A record that was moved from has no
/// content any more, but still knows its position. Thread-safety: as a value.
/// Source: "Using Lambda with Amazon SQS", AWS Lambda developer guide; "ReceiveMessage", Amazon SQS API reference.
class sqs_record {
public:
  /// Valid as long as the record, like the other views.
  std::string_view body() const noexcept { return is_.body; }
  std::string_view payload() const noexcept { return is_.body; }
  /// Of a FIFO queue: its message group, in which order is kept; otherwise empty.
  std::string_view group_id() const noexcept { return is_.group_id; }
  std::string_view partition_key() const noexcept { return is_.group_id; }
  /// Counted from 1 in the event: a queue has no order of its own.
  weir::position position() const noexcept { return is_.position; }
  /// When it was sent, by SQS' clock, to the millisecond; `start_of_time`: not said.
  instant arrival() const noexcept { return is_.arrival; }
  std::string_view message_id() const noexcept { return is_.message_id; }
  std::string_view receipt_handle() const noexcept { return is_.receipt_handle; }
  /// How often it was received before without being deleted, this time included; 0: not said.
  std::uint32_t receive_count() const noexcept { return is_.receive_count; }

  /// Of the queue's own attributes, such as "SenderId" or "MessageDeduplicationId"; null: it has none of that name. Each call reads the
  /// text again. Throws `errc::malformed` when there is something else than attributes.
  std::optional<std::string> attribute(std::string_view name) const;
  /// Those of the sender, in the order of the event; lists of values are not among them, since SQS has none yet. Reads, and throws, like
  /// `attribute`.
  std::vector<message_attribute> message_attributes() const;

private:
  friend class sqs_records;
  struct fields {
    std::string_view body, group_id, message_id, receipt_handle, attributes, message_attributes;
    weir::position position;
    instant arrival = start_of_time;
    std::uint32_t receive_count = 0;
  };
  detail::chunk_content<fields> is_;
};
static_assert(stream_record<sqs_record>);

}  // namespace weir::lambda
