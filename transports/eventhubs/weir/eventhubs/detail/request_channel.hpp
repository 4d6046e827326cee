#pragma once
#include <weir/amqp/connection.hpp>
#include <weir/amqp/message_view.hpp>
#include <weir/amqp/message_writer.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::eventhubs::detail {

// The answer to a request. Views hold as long as the event that it was made of.
struct channel_reply {
  std::uint64_t request = 0;
  int status = 0;  // as of HTTP: 200 and 202 are good; 0: the node has not taken the request, as `condition` says
  std::string_view description, condition;
  amqp::value_view body;
};

// Requests to a node that answers them ("$cbs", "$management"): a link each way in one session, and ids that bring the answers together.
// Without I/O. Source: "AMQP 1.0 in Azure Service Bus and Event Hubs protocol guide", sections on claims-based security and management.
class request_channel {
public:
  // `name`: unique in the connection; answers go to it.
  request_channel(std::string node, std::string name) : node_(std::move(node)), name_(std::move(name)) {}

  // Asks for both links. The connection is open.
  void open(amqp::connection& on, amqp::session_id session);
  // Requests can be sent: both links are there, and the node takes some.
  bool ready(amqp::connection const& on) const noexcept;

  // Sends a request; its number, which the answer has again. Null while it is not ready. `write` adds application properties and a body to
  // a message that has its own properties.
  template <class Write> std::optional<std::uint64_t> ask(amqp::connection& on, Write write) {
    if (!ready(on)) return std::nullopt;
    std::string bytes;
    amqp::message_writer message(bytes);
    begin(message);
    write(message);
    auto const delivery = on.send(*to_, name_ + std::to_string(next_), bytes);
    if (!delivery) return std::nullopt;
    unsettled_.push_back({*delivery, next_});
    return next_++;
  }

  // Takes an event of one of its links: false for any other.
  bool take(amqp::connection& on, amqp::connection_event const& event);
  // What came with the event that was taken last, if that was an answer.
  std::optional<channel_reply> const& reply() const noexcept { return reply_; }
  // One of its links is gone, and what is asked will not be answered. The reason is in the event.
  bool lost() const noexcept { return lost_; }

private:
  void begin(amqp::message_writer& message);
  bool is_own(amqp::link_id link) const noexcept { return link == to_ || link == from_; }
  void answered(amqp::connection& on, amqp::message_arrived const& message);
  void settled(amqp::delivery_settled const& event);

  std::string node_, name_;
  std::optional<amqp::link_id> to_, from_;
  bool to_there_ = false, from_there_ = false, lost_ = false;
  std::uint64_t next_ = 1;
  struct sent_request {
    std::uint32_t delivery;
    std::uint64_t request;
  };
  std::vector<sent_request> unsettled_;
  std::optional<channel_reply> reply_;
};

}  // namespace weir::eventhubs::detail
