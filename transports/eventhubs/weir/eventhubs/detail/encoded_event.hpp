#pragma once
#include <weir/eventhubs/outgoing_event.hpp>

#include <string>
#include <string_view>

namespace weir::eventhubs::detail {

// The message format of a batch: each section of its body is a message of its own.
// Source: Azure Event Hubs' clients, which have it as AmqpConstants.AmqpBatchedMessageFormat.
inline constexpr std::uint32_t batch_format = 0x80013700;

// Throws `errc::malformed` that says what of the event no event hub takes.
void check(outgoing_event const& event);
// Appends the message that it is.
void encode(std::string& out, outgoing_event const& event);
// Appends what stands in front of all messages of a batch: the key, by which the service chooses the partition.
void encode_batch_key(std::string& out, std::string_view partition_key);

}  // namespace weir::eventhubs::detail
