#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weir::amqp {

/// How a connection presents itself, and what it takes from its peer at most.
struct connection_options {
  /// Who this is: unique among the peer's connections. Must be given.
  std::string container_id;
  /// Whom it means to talk to, which a peer with several names needs.
  std::string hostname;
  /// Bytes of a frame that it takes; from 512. What is larger ends the connection.
  std::uint32_t max_frame_size = 64 * 1024;
  /// The highest number of a channel: one less than the sessions that there can be.
  std::uint16_t channel_max = 255;
  /// Without a byte from the peer for so long the connection is taken for dead; 0: never. The peer is told half of it, so that it has time
  /// to say that it is there.
  std::chrono::milliseconds idle_time_out{60'000};
  /// Bytes of a message that it puts together at most; a link with a larger one is detached.
  std::size_t max_message_size = 32 * 1024 * 1024;
  /// Transfers of one session that the peer may send before it hears of more; kept up without being asked.
  std::uint32_t incoming_window = 4096;
  /// What it says of itself: a map with symbols for keys, as encoded; empty for none.
  std::string properties;
};

}  // namespace weir::amqp
