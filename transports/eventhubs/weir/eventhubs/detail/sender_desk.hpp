#pragma once
#include <weir/clock.hpp>
#include <weir/eventhubs/detail/hub_sender.hpp>

#include <map>
#include <memory>
#include <string>

namespace weir::eventhubs::detail {

// The senders of a run, by address: each stays for as long as it is used now and then, and so does the connection. Strand only.
class sender_desk final : private timer {
public:
  explicit sender_desk(clock& time) noexcept : time_(time) {}

  // Null: there is none, or its connection is over.
  std::shared_ptr<hub_sender> find(std::string const& partition) const;
  void add(std::string const& partition, std::shared_ptr<hub_sender> sender);

private:
  void fire() noexcept override;

  clock& time_;
  std::map<std::string, std::shared_ptr<hub_sender>, std::less<>> senders_;
};

}  // namespace weir::eventhubs::detail
