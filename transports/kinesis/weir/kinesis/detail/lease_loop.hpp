#pragma once
#include <weir/assignment.hpp>
#include <weir/async_scope.hpp>
#include <weir/environment.hpp>
#include <weir/kinesis/detail/gap_watch.hpp>
#include <weir/kinesis/detail/leased_shards.hpp>
#include <weir/kinesis/detail/source_state.hpp>
#include <weir/kinesis/lease_worker.hpp>
#include <weir/kinesis/shard.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>

#include <memory>
#include <string>
#include <vector>

namespace weir::kinesis::detail {

// Shares the shards of a stream by leases while a pipeline runs: moves rows, shards and checkpoints between the lease table, the stream,
// the pipeline, and who decides (`lease_worker`, `leased_shards`). Renewals wait for nothing but their own writes.
class lease_loop {
public:
  using time = lease_worker::time;
  lease_loop(std::shared_ptr<source_state> s, assignment_view& pipeline, environment& env);
  lease_loop(lease_loop const&) = delete;
  lease_loop& operator=(lease_loop const&) = delete;
  ~lease_loop();

  // Until the pipeline is over, and its leases are given back, or have run out.
  task<> run();
  void ended(std::string const& partition, partition_end how) noexcept;
  // There may be something to do.
  void wake();

private:
  task<> begin_table();
  task<> work(async_scope& scope);
  task<> look();
  task<> look_once();
  void remember_gone(std::vector<lease> const& rows);
  task<> sync(std::vector<lease>& rows);
  task<> make(lease l, std::vector<lease>& rows);
  task<> list();
  task<bool> list_when_it_can_be();
  task<> wait(time longest);
  task<> send(lease_write w);
  task<> begin(leased_shards::start of);
  task<> begin_once(leased_shards::start of);
  bool is_wanted(leased_shards::start const& of) const;
  task<> wait_while_wanted(leased_shards::start const& of, time longest);
  task<> finish(leased_shards::finished_shard of);

  void spawn_due(async_scope& scope);
  void tell_events();
  void tell_pipeline();
  void note_progress();
  void list_soon();
  void plan_listing(unsigned gap);
  time now() const noexcept { return env_.clock().steady(); }
  time look_at() const noexcept;
  std::string where(std::string const& shard_id) const;

  std::shared_ptr<source_state> const s_;
  assignment_view& pipeline_;
  environment& env_;
  lease_worker worker_;
  leased_shards shards_;
  lease_checkpoint const first_;
  gap_watch gaps_;
  std::vector<shard> listed_;
  time next_listing_{}, look_again_{};
  unsigned failed_looks_ = 0, failed_listings_ = 0, failed_writes_ = 0;
  std::size_t sending_ = 0;
  bool looking_ = false, lists_again_ = false, changed_ = false;
  weir::detail::wait_list changes_;
};

// What the loop says, for the pipeline.
stream<assignment> shared_shards(std::shared_ptr<source_state> s);
// The loop. Fails when the table, or the shards, cannot be had at the start.
task<> share_shards(std::shared_ptr<source_state> s, assignment_view& pipeline);

}  // namespace weir::kinesis::detail
