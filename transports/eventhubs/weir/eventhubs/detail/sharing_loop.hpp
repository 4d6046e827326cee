#pragma once
#include <weir/assignment.hpp>
#include <weir/async_scope.hpp>
#include <weir/detail/wait_list.hpp>
#include <weir/environment.hpp>
#include <weir/error.hpp>
#include <weir/eventhubs/balancer.hpp>
#include <weir/eventhubs/detail/balance_loop.hpp>
#include <weir/eventhubs/detail/blob_progress.hpp>
#include <weir/eventhubs/detail/hub_management.hpp>
#include <weir/eventhubs/detail/shared_partitions.hpp>
#include <weir/eventhubs/detail/source_state.hpp>
#include <weir/eventhubs/group_blobs.hpp>
#include <weir/eventhubs/record.hpp>
#include <weir/position.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir::eventhubs::detail {

// Shares the partitions of a hub while a pipeline reads it: moves what the blobs say, and how far the pipeline has got, between who
// balances (`balance_loop`), who decides (`shared_partitions`), the blobs and the pipeline. Strand only.
class sharing_loop {
public:
  using time = balancer::time;
  sharing_loop(std::shared_ptr<source_state> s, std::shared_ptr<hub_management> management, assignment_view& pipeline, environment& env);
  sharing_loop(sharing_loop const&) = delete;
  sharing_loop& operator=(sharing_loop const&) = delete;
  ~sharing_loop();

  // Until the pipeline is over, and its partitions are given back, or have run out.
  task<> run();
  // Events of a partition were read.
  void read(std::string const& partition, std::span<record const> some);
  // Another receiver has it.
  void stolen(std::string const& partition, error const& why);
  void ended(std::string const& partition) noexcept;
  // There may be something to do.
  void wake();

private:
  balance_subject subject();
  task<> balance();
  task<> work(async_scope& scope);
  void spawn_due(async_scope& scope);
  void give_back();
  void tell_pipeline();
  time next_due() const;
  task<> wait(time longest);
  task<std::vector<std::string>> partitions();
  void know(std::vector<std::string> const& all);
  task<> begin(shared_partitions::turn of);
  task<> begin_once(shared_partitions::turn of);
  task<> wait_while_wanted(shared_partitions::turn const& of, time longest);
  bool is_wanted(shared_partitions::turn const& of) const { return !pipeline_.draining() && shared_.wants(of); }
  task<std::optional<position>> latest_of(std::string partition);
  void say_where(std::string const& partition, std::optional<stored_checkpoint> const& there, fenced_partition const& found) const;
  task<> write(stored_checkpoint to);
  task<> leave(shared_partitions::turn of);
  time now() const noexcept { return env_.clock().steady(); }
  std::string where(std::string const& partition) const;

  std::shared_ptr<source_state> const s_;
  std::shared_ptr<hub_management> const management_;
  assignment_view& pipeline_;
  environment& env_;
  std::string const consumer_;
  balance_loop balance_;
  shared_partitions shared_;
  std::map<std::string, blob_progress> progress_;
  std::exception_ptr failure_;  // of the balancing
  time next_listing_ = time::min(), next_note_ = time::min();
  unsigned failed_listings_ = 0, failed_writes_ = 0;
  bool balanced_ = false;  // that is over
  bool changed_ = false;
  weir::detail::wait_list changes_;
};

}  // namespace weir::eventhubs::detail
