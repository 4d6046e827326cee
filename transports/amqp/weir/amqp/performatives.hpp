#pragma once
#include <weir/amqp/encoder.hpp>
#include <weir/amqp/field_types.hpp>
#include <weir/amqp/result.hpp>
#include <weir/amqp/value_view.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace weir::amqp {

// The bodies of frames, as the standard has them; texts and encoded values are views. Defaults are the standard's. Durations are ms.
// Source: AMQP 1.0, 2.7 and 2.8.

/// Which end of a link.
enum class role : bool { sender = false, receiver = true };
/// Whether a sender waits to hear what becomes of its messages; `mixed`: as each says.
enum class sender_settle_mode : std::uint8_t { unsettled, settled, mixed, last = mixed };
/// Whether a receiver is done with a message at once, or when the sender has heard of it.
enum class receiver_settle_mode : std::uint8_t { first, second, last = second };

/// Why a link, a session or a connection ended, or a delivery was rejected.
struct error_view {
  static constexpr std::uint64_t code = 0x1d;
  symbol_view condition;
  std::string_view description;
  encoded_view info;
};

/// The first of a connection, from each side. 2.7.1.
struct open {
  static constexpr std::uint64_t code = 0x10;
  std::string_view container_id;
  std::string_view hostname;
  std::uint32_t max_frame_size = 0xffffffff;
  std::uint16_t channel_max = 0xffff;
  std::optional<std::uint32_t> idle_time_out;
  encoded_view outgoing_locales, incoming_locales, offered_capabilities, desired_capabilities, properties;
};

/// The first of a session. 2.7.2.
struct begin {
  static constexpr std::uint64_t code = 0x11;
  std::optional<std::uint16_t> remote_channel;
  std::uint32_t next_outgoing_id = 0;
  std::uint32_t incoming_window = 0;
  std::uint32_t outgoing_window = 0;
  std::uint32_t handle_max = 0xffffffff;
  encoded_view offered_capabilities, desired_capabilities, properties;
};

/// The first of a link. 2.7.3.
struct attach {
  static constexpr std::uint64_t code = 0x12;
  std::string_view name;
  std::uint32_t handle = 0;
  amqp::role role = amqp::role::sender;
  sender_settle_mode snd_settle_mode = sender_settle_mode::mixed;
  receiver_settle_mode rcv_settle_mode = receiver_settle_mode::first;
  encoded_view source, target, unsettled;
  bool incomplete_unsettled = false;
  std::optional<std::uint32_t> initial_delivery_count;  ///< a sender's; must be there
  std::optional<std::uint64_t> max_message_size;        ///< none or 0: no limit
  encoded_view offered_capabilities, desired_capabilities, properties;
};

/// How much may be sent in a session, and on a link. 2.7.4.
struct flow {
  static constexpr std::uint64_t code = 0x13;
  std::optional<std::uint32_t> next_incoming_id;
  std::uint32_t incoming_window = 0;
  std::uint32_t next_outgoing_id = 0;
  std::uint32_t outgoing_window = 0;
  std::optional<std::uint32_t> handle;
  std::optional<std::uint32_t> delivery_count;
  std::optional<std::uint32_t> link_credit;
  std::optional<std::uint32_t> available;
  bool drain = false;
  bool echo = false;
  encoded_view properties;
};

/// A message or a part of one; it stands behind this. 2.7.5.
struct transfer {
  static constexpr std::uint64_t code = 0x14;
  std::uint32_t handle = 0;
  std::optional<std::uint32_t> delivery_id;
  std::optional<binary_view> delivery_tag;
  std::optional<std::uint32_t> message_format;
  std::optional<bool> settled;
  bool more = false;
  std::optional<receiver_settle_mode> rcv_settle_mode;
  encoded_view state;
  bool resume = false;
  bool aborted = false;
  bool batchable = false;
};

/// What has become of messages. 2.7.6.
struct disposition {
  static constexpr std::uint64_t code = 0x15;
  amqp::role role = amqp::role::sender;
  std::uint32_t first = 0;
  std::optional<std::uint32_t> last;
  bool settled = false;
  encoded_view state;
  bool batchable = false;
};

/// The last of a link. 2.7.7.
struct detach {
  static constexpr std::uint64_t code = 0x16;
  std::uint32_t handle = 0;
  bool closed = false;
  encoded_view error;
};

/// The last of a session. 2.7.8.
struct end {
  static constexpr std::uint64_t code = 0x17;
  encoded_view error;
};

/// The last of a connection. 2.7.9.
struct close {
  static constexpr std::uint64_t code = 0x18;
  encoded_view error;
};

/// One of these.
using performative = std::variant<open, begin, attach, flow, transfer, disposition, detach, end, close>;

/// Reads one off the front of a frame's body; what is behind it, the payload of a transfer, is left.
/// `errc` of `value_reader`; `wrong_type`, `missing_field`, `unknown_body`.
result<performative> read_performative(value_reader& body) noexcept;
/// Writes an error, as it stands in a field. An empty description is left out.
void write_error(encoder& to, std::string_view condition, std::string_view description);
/// The composite in a field, as `attach::source` and `detach::error`.
result<error_view> read_error(encoded_view field) noexcept;

}  // namespace weir::amqp
