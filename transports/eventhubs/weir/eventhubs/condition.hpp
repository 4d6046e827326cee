#pragma once
#include <chrono>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace weir::eventhubs {

/// What to do when a link, a connection or a delivery ended with an error.
enum class reaction : std::uint8_t {
  again,       ///< the same again, after a pause that grows
  later,       ///< the service is busy: again, but not before `least_pause`
  new_token,   ///< again, once, with a fresh token; a second time it is denied
  from_start,  ///< the position is none of this hub's any more: begin where a reader without one does
  give_up,     ///< it will not be otherwise next time
  let_go,      ///< somebody else has the partition by now
};

/// What a busy service is given at least ("Please wait 4 seconds").
inline constexpr std::chrono::seconds least_pause{4};

/// By the condition, in words of AMQP or of Event Hubs ("amqp:link:stolen", "com.microsoft:server-busy"); one that nobody knows is `again`,
/// as a lost connection is.
/// Source: "AMQP errors" (Azure documentation), and how the official clients treat each.
reaction reaction_to(std::string_view condition) noexcept;
/// The code for errors that are thrown because of it.
std::error_code code_of(std::string_view condition) noexcept;

}  // namespace weir::eventhubs
