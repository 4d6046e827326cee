#pragma once
#include <weir/clock.hpp>
#include <weir/environment.hpp>
#include <weir/error.hpp>
#include <weir/eventhubs/detail/event_lanes.hpp>
#include <weir/eventhubs/detail/event_link.hpp>
#include <weir/eventhubs/detail/hub_user.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace weir::eventhubs::detail {

struct hub_sender_options {
  std::string event_hub, partition;      // none: the service chooses it
  std::string authority;                 // of the namespace, as tokens have it
  std::string name;                      // of its links, unique in the connection
  std::size_t most_bytes = 0;            // of a batch
  std::chrono::milliseconds patience{};  // with which it is waited until the service takes an event
  std::uint32_t seed = 1;
};

// Sends to one address, for all who do at the same time, by an `event_link` on a connection that may be another one the next time. Strand
// only.
class hub_sender final : public hub_user, private timer {
public:
  hub_sender(std::shared_ptr<hub_connection> by, hub_sender_options options, environment& env);

  // Returns when the service has all of them; `events` outlives it, and has what it does not have yet when it throws.
  task<> send(event_lanes& events);
  // Since when nobody sends; null: somebody does.
  std::optional<std::chrono::nanoseconds> idle_since() const noexcept;

private:
  // Somebody who sends.
  class sending;
  struct batch_under_way {
    sending* of;  // null: who is gone
    std::size_t lane;
  };
  task<> until_some_taken(sending& mine);
  void drive();
  bool resting();
  void open();
  void send_what_there_is();
  void settle(batch_outcome const& outcome);
  void link_lost();
  void failed(sending_failure const& why);
  void start_over();
  error error_of(sending_failure const& why) const;
  void take(amqp::connection& on, amqp::connection_event const& event) override;
  void disconnected() override;
  void fire() noexcept override { changed().wake(); }

  hub_sender_options const options_;
  event_link link_;
  environment& env_;
  std::minstd_rand random_;
  std::vector<sending*> senders_;
  std::map<std::uint32_t, batch_under_way> under_way_;
  std::optional<error> last_failure_;
  std::optional<std::chrono::nanoseconds> rest_until_;
  std::chrono::nanoseconds used_;
  unsigned failures_ = 0;  // in a row
  // The token is not taken for good any more; it has been renewed since a batch was taken.
  bool token_due_ = false, renewed_ = false;
};

}  // namespace weir::eventhubs::detail
