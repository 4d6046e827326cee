#pragma once
#include <weir/amqp/performatives.hpp>

#include <cstdint>
#include <string>

namespace weir::amqp::detail {

// A message that came in pieces, or comes.
struct assembly {
  std::string bytes, tag;
  std::uint32_t delivery_id = 0, format = 0;
  bool settled = false;
  bool begun = false;
};

// One side's knowledge of a link. Source: AMQP 1.0, 2.6.
struct link_state {
  std::string name;
  role own = role::receiver;
  bool here = false, there = false;  // attached, by each side
  bool leaving = false;              // this side has sent its detach
  std::uint32_t peer_handle = 0;

  std::uint32_t delivery_count = 0;  // of the sender, as far as this side knows
  std::uint32_t credit = 0;
  bool drain = false;

  // A receiver's.
  std::uint32_t withdrawn = 0;  // credit that was taken back, while messages for it may have been under way
  assembly incoming;
  // A sender's.
  std::uint64_t max_message_size = 0;
};

}  // namespace weir::amqp::detail
