#pragma once
#include <weir/amqp/connection.hpp>
#include <weir/eventhubs/condition.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::eventhubs::detail {

// Why a link is gone, or a batch was not taken.
struct sending_failure {
  std::string condition, description;
  reaction does = reaction::again;
};

// What has become of a batch.
struct batch_outcome {
  std::uint32_t delivery = 0;
  std::optional<sending_failure> failure;  // null: the service has it
};

// The link by which batches of events are sent to an address, without I/O. What becomes of each is told once; of those that are under way
// when the link is lost nobody knows.
class event_link {
public:
  // "ticks", "ticks/Partitions/0". `name` is unique in the connection.
  event_link(std::string address, std::string name) : address_(std::move(address)), name_(std::move(name)) {}

  // Asks for the link in a session of its own.
  void open(amqp::connection& on, amqp::session_id session);
  // Takes an event of its session.
  void take(amqp::connection_event const& event);
  // The connection is gone, and the link with it.
  void disconnected();
  // A link cannot be asked for; it is lost, and may be tried again.
  void refused(std::string why);

  // It was asked for, and is not lost.
  bool there() const noexcept { return link_.has_value(); }
  // Batches that the service takes at the moment.
  std::uint32_t credit(amqp::connection const& on) const noexcept { return attached_ ? on.credit(*link_) : 0; }
  // Bytes of a batch, at most; once it is attached.
  std::size_t most_bytes(amqp::connection const& on) const noexcept;
  // The delivery. Null: there is no credit.
  std::optional<std::uint32_t> send(amqp::connection& on, std::string_view batch);

  // Of the event that was taken last.
  std::optional<batch_outcome> const& outcome() const noexcept { return outcome_; }
  std::optional<sending_failure> const& loss() const noexcept { return loss_; }

private:
  void lose(amqp::error_view const& why);

  std::string address_, name_;
  std::optional<amqp::session_id> session_;
  std::optional<amqp::link_id> link_;
  bool attached_ = false;
  std::uint32_t tag_ = 0;
  std::optional<batch_outcome> outcome_;
  std::optional<sending_failure> loss_;
};

}  // namespace weir::eventhubs::detail
