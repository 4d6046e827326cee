#pragma once
#include <weir/amqp/result.hpp>
#include <weir/eventhubs/record.hpp>
#include <weir/shared_bytes.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::eventhubs {

/// How far the service has got with a partition, as it tells a receiver beside its events.
struct partition_runtime {
  std::int64_t last_sequence_number = -1;
  std::string last_offset;
  instant last_enqueued = 0;
};

/// Makes records of the messages of one partition. Several share a block of memory, so that a record costs no allocation.
/// Thread-safety: none.
class record_unpacker {
public:
  explicit record_unpacker(std::string partition);

  /// A copy of the message as a record. `amqp::errc` when it is none, or has no sequence number or no offset.
  amqp::result<record> unpack(std::string_view message);
  /// Of the last message that had it: none before, or where it was not asked for.
  std::optional<partition_runtime> const& runtime() const noexcept { return runtime_; }

private:
  std::string_view keep(std::string_view bytes);
  std::string_view joined(amqp::message_view const& message);

  shared_bytes name_, block_;
  std::size_t used_ = 0;
  std::optional<partition_runtime> runtime_;
};

}  // namespace weir::eventhubs
