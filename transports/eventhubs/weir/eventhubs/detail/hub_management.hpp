#pragma once
#include <weir/eventhubs/detail/hub_user.hpp>
#include <weir/eventhubs/detail/partition_link.hpp>
#include <weir/eventhubs/detail/request_channel.hpp>
#include <weir/eventhubs/properties.hpp>
#include <weir/eventhubs/token.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>

namespace weir::eventhubs::detail {

struct management_options {
  std::string event_hub;
  std::string authority;              // of the namespace, as tokens have it
  token_source tokens;                // requests have one in them, too
  std::chrono::nanoseconds patience;  // with which an answer is waited for, until it is asked again
  std::uint32_t seed = 1;
};

// Asks "$management" of an event hub, for all who do at the same time. What passes is asked again, busy services after a pause; there is no
// end to that but a cancellation. Errors: `errc::access_denied`, `not_found`, and what else the service refuses for good.
class hub_management final : public hub_user {
public:
  hub_management(std::shared_ptr<hub_connection> by, management_options options);

  task<hub_properties> hub();
  task<partition_properties> partition(std::string id);

private:
  struct answer {
    bool there = false, lost = false;
    int status = 0;
    std::string condition, description;
    std::optional<hub_properties> hub;
    std::optional<partition_properties> partition;
  };
  class asking;
  task<answer> ask(std::string partition);
  task<> until_ready();
  task<> until_answered(answer const& got);
  std::optional<std::uint64_t> send(std::string const& partition, std::int64_t unix_time);
  void take(amqp::connection& on, amqp::connection_event const& event) override;
  void answered(channel_reply const& reply);
  void disconnected() override;
  void lose(amqp::error_view const& why);

  management_options const options_;
  std::optional<request_channel> channel_;
  std::optional<link_loss> loss_;  // of the links
  std::map<std::uint64_t, answer*> asked_;
  std::minstd_rand random_;
  unsigned channels_ = 0;
};

}  // namespace weir::eventhubs::detail
