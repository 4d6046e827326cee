#pragma once
#include <weir/amqp/delivery_state.hpp>
#include <weir/amqp/field_types.hpp>
#include <weir/amqp/performatives.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace weir::amqp {

/// A session, by the channel on which this side sends.
struct session_id {
  std::uint16_t channel = 0;
  friend auto operator<=>(session_id, session_id) = default;
};

/// A link, by its session and the handle that this side gave it. May be given anew when it is detached on both sides.
struct link_id {
  session_id session;
  std::uint32_t handle = 0;
  friend auto operator<=>(link_id, link_id) = default;
};

// What comes out of a connection. Views hold until it is asked for the next, or fed.

/// The peer has opened its side.
struct opened {
  open peer;
};

/// A session is there, on both sides.
struct session_begun {
  session_id session;
  bool by_peer = false;
};

/// The peer's side of a link is there. If it was the peer that began, `connection::accept` or `refuse` answers.
struct link_attached {
  link_id link;
  bool by_peer = false;
  /// The peer has not taken on what was to be its end: it refuses, and says why in the detach that follows.
  bool refused = false;
  attach peer;
};

/// A message, whole.
struct message_arrived {
  link_id link;
  std::uint32_t delivery_id = 0;
  std::string_view tag;
  std::uint32_t format = 0;
  bool settled = false;  ///< the peer does not wait to hear what becomes of it
  std::string_view bytes;
};

/// The peer has said how much a sender may send; `connection::credit` tells how much is left.
struct credit_changed {
  link_id link;
  bool drain = false;  ///< what is not used at once is to be given back: `connection::drained`
};

/// The peer of a receiver has nothing to send for the credit that it was asked to use up or give back.
struct link_drained {
  link_id link;
};

/// What has become of a message that was sent. Each is told of once, when it is settled.
struct delivery_settled {
  link_id link;
  std::uint32_t delivery_id = 0;
  delivery_state state;
};

/// The link is gone. What was sent on it and not settled stays open; what was half received is dropped.
struct link_detached {
  link_id link;
  bool closed = false;  ///< for good; otherwise the peer could resume it
  error_view why;       ///< no condition: it was asked to, or gives no reason
};

/// The session is gone and all its links with it.
struct session_ended {
  session_id session;
  error_view why;
};

/// The peer has closed the connection, or has not been heard of for too long (`amqp:resource-limit-exceeded`, and `by_peer` is false).
struct connection_closed {
  bool by_peer = true;
  error_view why;
};

/// One of these.
using connection_event = std::variant<opened, session_begun, link_attached, message_arrived, credit_changed, link_drained, delivery_settled,
                                      link_detached, session_ended, connection_closed>;

}  // namespace weir::amqp
