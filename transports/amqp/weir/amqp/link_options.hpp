#pragma once
#include <weir/amqp/field_types.hpp>
#include <weir/amqp/performatives.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::amqp {

/// This side of a link. Views need hold during the call only.
struct link_options {
  /// Unique between the two containers, for each direction.
  std::string_view name;
  /// What this side does.
  amqp::role role = role::receiver;
  /// `source_terminus` and `target_terminus` as encoded; null where this side has nothing to say.
  encoded_view source, target;
  sender_settle_mode snd_settle_mode = sender_settle_mode::mixed;
  receiver_settle_mode rcv_settle_mode = receiver_settle_mode::first;
  /// Bytes of a message that the peer may send; none: it may send what it likes. Some peers take it for what *they* may receive.
  std::optional<std::uint64_t> max_message_size;
  encoded_view offered_capabilities, desired_capabilities, properties;
};

}  // namespace weir::amqp
