#pragma once
#include <weir/clock.hpp>
#include <weir/eventhubs/detail/hub_user.hpp>
#include <weir/eventhubs/detail/partition_link.hpp>
#include <weir/eventhubs/record.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::eventhubs::detail {

// A `partition_link` on a connection that may be another one the next time, and a timer for when nothing comes. Strand only.
class partition_reader final : public hub_user, private timer {
public:
  partition_reader(std::shared_ptr<hub_connection> by, std::string const& authority, partition_link_options options, clock& time);

  // Makes a link. That it could not be is told by `loss`.
  void open();
  std::vector<record> take_records();
  std::size_t waiting() const noexcept { return link_.waiting(); }
  std::optional<link_loss> const& loss() const noexcept { return link_.lost(); }
  std::optional<amqp::errc> const& fault() const noexcept { return link_.fault(); }
  std::optional<partition_runtime> const& runtime() const noexcept { return link_.runtime(); }
  starting_position next_start() const { return link_.next_start(); }

  // Wakes `changed` when nothing has come for so long, from now or from when the link is there. `quiet` says so, once.
  void watch(std::chrono::nanoseconds d);
  bool quiet() noexcept { return std::exchange(rung_, false); }

private:
  void take(amqp::connection& on, amqp::connection_event const& event) override;
  void disconnected() override;
  void fire() noexcept override;

  partition_link link_;
  clock& time_;
  bool attached_ = false, rung_ = false;
  std::chrono::nanoseconds watched_{};
};

}  // namespace weir::eventhubs::detail
