#pragma once
#include <weir/async_scope.hpp>
#include <weir/detail/wait_list.hpp>
#include <weir/environment.hpp>
#include <weir/error.hpp>
#include <weir/eventhubs/balancer.hpp>
#include <weir/eventhubs/ownership_service.hpp>
#include <weir/task.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::eventhubs::detail {

// What a balance loop is about.
struct balance_subject {
  std::string event_hub;                                       // for messages and metrics
  std::shared_ptr<ownership_service> service;                  // what is shared
  std::function<task<std::vector<std::string>>()> partitions;  // of the hub; asked again each time it looks
  std::function<void(balance_event const&)> told;              // on the strand; may call `let_go`
};

// Shares the partitions of a hub while a consumer runs: moves what blobs say between the service and who decides (`balancer`). Renewals
// wait for nothing but their own writes. Strand only.
class balance_loop {
public:
  using time = balancer::time;
  // Throws what `balancer` does.
  balance_loop(balance_subject about, std::string name, balancer_options options, std::uint64_t seed, environment& env);
  balance_loop(balance_loop const&) = delete;
  balance_loop& operator=(balance_loop const&) = delete;
  ~balance_loop() = default;

  // Until it is drained and what it had is given back, or has run out. Fails when the partitions or the blobs cannot be had at the start;
  // later, what fails is said and tried again. Cancelled: it gives nothing back.
  task<> run();
  // Gives one back, after who read it has ended; not claimed again before `rests_until`, by the steady clock.
  void let_go(std::string const& partition, time rests_until = {});
  // Claims nothing any more, and ends when all that was gained is let go of.
  void drain();
  bool holds(std::string const& partition) const { return balancer_.holds(partition, now()); }

private:
  task<> begin();
  task<> work(async_scope& scope);
  task<> look();
  task<> look_once();
  task<> send(ownership_write w);
  task<> wait(time longest);
  void spawn_due(async_scope& scope);
  void tell_events();
  void wake();
  void say_held_up(std::string_view what, unsigned failures, error const& why) const;
  time now() const noexcept { return env_.clock().steady(); }
  time look_at() const noexcept;

  balance_subject const about_;
  balancer_options const options_;
  environment& env_;
  balancer balancer_;
  time look_again_ = time::min();
  unsigned failed_looks_ = 0, failed_writes_ = 0;
  std::size_t sending_ = 0;
  bool looking_ = false, draining_ = false, changed_ = false;
  weir::detail::wait_list changes_;
};

}  // namespace weir::eventhubs::detail
