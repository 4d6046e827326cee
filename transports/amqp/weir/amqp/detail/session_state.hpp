#pragma once
#include <weir/amqp/detail/link_state.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace weir::amqp::detail {

// What was sent and has not been settled.
struct unsettled_delivery {
  std::uint32_t id, number, handle;
  bool open = true;
};

// What is left of a message for which the window had no room. The peer knows it by an id that it gets with its first frame, so that those
// which are dropped before leave no gap; this side by a number.
struct outgoing_delivery {
  std::uint32_t handle, number, format;
  bool settled;
  bool begun;  // the first frame is out
  std::string tag, bytes;
};

// One side's knowledge of a session. Numbers of transfers and deliveries wrap around (RFC 1982). Source: AMQP 1.0, 2.5.
struct session_state {
  std::optional<std::uint16_t> peer_channel;
  bool leaving = false;  // this side has sent its end
  bool by_peer = false;

  std::uint32_t next_incoming_id = 0, incoming_window = 0;
  std::uint32_t next_outgoing_id = 0, peer_window = 0;
  std::uint32_t peer_handle_max = 0xffffffff;

  std::vector<std::optional<link_state>> links;  // by the handle of this side
  std::uint32_t next_delivery_id = 0, next_number = 0;
  std::deque<unsettled_delivery> unsettled;  // by id
  std::deque<outgoing_delivery> waiting;

  link_state* link(std::uint32_t handle) noexcept { return handle < links.size() && links[handle] ? &*links[handle] : nullptr; }
  link_state const* link(std::uint32_t handle) const noexcept { return handle < links.size() && links[handle] ? &*links[handle] : nullptr; }
  std::optional<std::uint32_t> handle_of_peer(std::uint32_t peer_handle) const noexcept {
    for (std::uint32_t i = 0; i < links.size(); ++i)
      if (links[i] && links[i]->there && links[i]->peer_handle == peer_handle) return i;
    return std::nullopt;
  }
  std::uint32_t free_handle() {
    for (std::uint32_t i = 0; i < links.size(); ++i)
      if (!links[i]) return i;
    links.emplace_back();
    return static_cast<std::uint32_t>(links.size() - 1);
  }
};

}  // namespace weir::amqp::detail
