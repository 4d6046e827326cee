#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace weir::eventhubs {

/// What a property of an event may be.
using property_value = std::variant<bool, std::int64_t, double, std::string>;

/// An event to be sent: `outgoing_event("the body", "its partition key")`. A value. Texts are UTF-8.
struct outgoing_event {
  outgoing_event() = default;
  explicit outgoing_event(std::string bytes, std::string key = {}) noexcept : body(std::move(bytes)), partition_key(std::move(key)) {}
  friend bool operator==(outgoing_event const&, outgoing_event const&) = default;

  std::string body;  ///< any bytes
  /// Events of one key are in one partition, in the order in which they were sent; the service chooses it. Up to 128 characters. Empty, and
  /// no partition given: the service spreads events as it likes, in no order.
  std::string partition_key;
  std::string partition;                                           ///< "0", in place of a key: events of one partition stay in order, too
  std::string message_id, correlation_id, content_type;            ///< where not empty
  std::vector<std::pair<std::string, property_value>> properties;  ///< by names, which are not empty
};

}  // namespace weir::eventhubs
