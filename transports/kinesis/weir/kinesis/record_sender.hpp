#pragma once
#include <weir/kinesis/producer.hpp>
#include <weir/message_sender.hpp>

#include <functional>
#include <string_view>
#include <vector>

namespace weir::kinesis {

/// A sender for topics: each message is a record of a stream.
/// ```cpp
/// auto const sender = std::make_shared<kinesis::record_sender>(kinesis::producer_options{.stream = "closed-bars"});
/// pipeline.use_topic("bar:closed", topic<bar>(sender, to_json));
/// ```
/// Messages of one partition and topic have one partition key, and stay in order, whatever `order` says: each is a request of its own,
/// unless they are aggregated (`aggregate_bytes`). A record has no room for a message's identity, so that a receiver that is to drop what
/// comes twice needs it in the payload, or a `record_of` that puts it there. Errors: those of `producer`. Strand only.
class record_sender final : public message_sender {
public:
  /// The data is the payload; the partition key "pipeline/stream/partition/topic", or, where that is too long, its SHA-256.
  explicit record_sender(producer_options o);
  /// `record_of(message)`: the record for it. Messages whose keys differ may overtake each other.
  record_sender(producer_options o, std::function<outgoing_record(message const&)> record_of);

  std::string_view kind() const noexcept override { return "kinesis"; }
  task<> send(std::vector<message> batch) override;

private:
  producer by_;
  std::function<outgoing_record(message const&)> record_of_;
};

}  // namespace weir::kinesis
