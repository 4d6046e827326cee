#pragma once
#include <weir/application_status.hpp>
#include <weir/clock.hpp>
#include <weir/context.hpp>

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <utility>

namespace weir::detail {

// Looks at an application once a second: says so when a partition stalls, and when it goes on. Strand only.
class watchdog final : private timer {
public:
  // `tell`: lets all partitions tell how they are. All outlive it.
  watchdog(context& of, application_status const& status, std::function<void()> tell)
      : context_(of), status_(status), tell_(std::move(tell)) {
    start();
  }

private:
  void start() { context_.clock().start(*this, std::chrono::seconds(1)); }
  void fire() noexcept override;
  void look();

  context& context_;
  application_status const& status_;
  std::function<void()> tell_;
  std::set<std::string> said_;  // of which partitions
};

}  // namespace weir::detail
