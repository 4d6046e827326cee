#pragma once
#include <weir/amqp/message_view.hpp>
#include <weir/amqp/value_view.hpp>
#include <weir/instant.hpp>
#include <weir/position.hpp>
#include <weir/record.hpp>
#include <weir/shared_bytes.hpp>

#include <cstdint>
#include <string_view>

namespace weir::eventhubs {

/// An event of a partition. It shares the bytes of what it was received with, so it may be kept for longer than its chunk; an event that is
/// kept keeps that, up to 64 KiB or the event itself. A copy copies no bytes.
///
/// Thread-safety: as a value; events received together may be used and destroyed on different threads.
class record {
public:
  record() noexcept = default;

  /// What the producer has sent: its data, or its value where that is text or bytes; of other values their encoding (`body_kind`). Valid
  /// as long as the record, like the other views.
  std::string_view payload() const noexcept { return body_; }
  amqp::body_kind body_kind() const noexcept { return kind_; }
  /// Empty: the producer gave none, or named the partition itself.
  std::string_view partition_key() const noexcept { return key_; }
  /// Its sequence number.
  weir::position position() const noexcept { return weir::position(static_cast<std::uint64_t>(sequence_number_)); }
  /// When the service got it, by its own clock, to the millisecond.
  instant arrival() const noexcept { return enqueued_; }

  std::string_view partition() const noexcept { return partition_; }
  std::int64_t sequence_number() const noexcept { return sequence_number_; }
  /// Opaque: not a number in hubs that are replicated.
  std::string_view offset() const noexcept { return offset_; }
  /// What the producer says beside the body: a map with strings for keys, or null.
  amqp::value_view properties() const noexcept { return properties_; }
  /// What the service says: a map with symbols for keys ("x-opt-..."), or null.
  amqp::value_view system_properties() const noexcept { return annotations_; }
  /// The properties that AMQP itself has: message id, content type, correlation id.
  amqp::properties_view about() const noexcept {
    auto const read = amqp::read_properties(about_);
    return read ? *read : amqp::properties_view{};
  }

private:
  friend class record_unpacker;
  shared_bytes bytes_;
  std::string_view body_, key_, offset_, partition_;
  amqp::value_view properties_, annotations_, about_;
  std::int64_t sequence_number_ = 0;
  instant enqueued_ = 0;
  amqp::body_kind kind_ = amqp::body_kind::none;
};
static_assert(stream_record<record>);

}  // namespace weir::eventhubs
