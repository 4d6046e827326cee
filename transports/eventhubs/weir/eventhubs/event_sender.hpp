#pragma once
#include <weir/eventhubs/client.hpp>
#include <weir/eventhubs/outgoing_event.hpp>
#include <weir/message_sender.hpp>

#include <functional>
#include <string_view>
#include <vector>

namespace weir::eventhubs {

/// A sender for topics: each message is an event of an event hub.
/// ```cpp
/// auto const sender = std::make_shared<eventhubs::event_sender>(eventhubs::client({.connection_string = "Endpoint=sb://..."}));
/// pipeline.use_topic("bar:closed", topic<bar>(sender, to_json));
/// ```
/// Messages of one partition and topic have one partition key, and stay in order. A message that comes twice has the same message id both
/// times, by which a receiver can drop it. Errors: those of `client::send`. Strand only.
class event_sender final : public message_sender {
public:
  /// The body is the payload; the partition key "pipeline/stream/partition/topic", or, where that is too long, its SHA-256; the message id
  /// that, and "#" and the number; the property "topic" the topic.
  explicit event_sender(client by);
  /// `event_of(message)`: the event for it. Messages whose keys differ may overtake each other.
  event_sender(client by, std::function<outgoing_event(message const&)> event_of);

  std::string_view kind() const noexcept override { return "eventhubs"; }
  task<> send(std::vector<message> batch) override;

private:
  client by_;
  std::function<outgoing_event(message const&)> event_of_;
};

}  // namespace weir::eventhubs
