#pragma once
#include <weir/assignment.hpp>
#include <weir/kinesis/lease.hpp>
#include <weir/kinesis/lease_event.hpp>
#include <weir/kinesis/lease_worker.hpp>
#include <weir/position.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir::kinesis::detail {

// What a pipeline does with the leases that its worker holds: which shards it reads, and what becomes of a lease when that ends. No I/O.
//
// A shard is begun when its lease is held, those it came of have ended, and nothing of a former reading of it is left in this process. A
// lease is held no longer than somebody reads: when a reading fails, its lease is let go of, and not taken again by this worker for the
// time of failover, then twice as long, up to five minutes, unless something was committed in between. Strand only.
class leased_shards {
public:
  using time = lease_worker::time;
  // A shard that may be begun. `run` tells this time of holding the lease from others.
  struct start {
    start(lease l, std::uint64_t r) noexcept : of(std::move(l)), run(r) {}
    lease of;
    std::uint64_t run;
  };
  struct finished_shard {
    finished_shard(std::string of, std::uint64_t r) noexcept : id(std::move(of)), run(r) {}
    std::string id;
    std::uint64_t run;
  };

  leased_shards(lease_worker& worker, time failover) noexcept : worker_(worker), failover_(failover) {}

  // What the worker says.
  void happened(lease_event const& e);
  // All leases of the table.
  void saw(std::span<lease const> all);
  // What may be begun; each is to be answered by one of the next three.
  std::vector<start> take_ready();
  void begun(start const& s);
  void could_not_begin(start const& s, time now);
  // The stream does not have it any more.
  void vanished(start const& s);
  // Whether it is still to be begun.
  bool wants(start const& s) const;

  // The pipeline has ended reading it. `reached`: what is committed.
  void ended(std::string const& id, partition_end how, std::optional<position> const& reached, time now);
  // What was read to its end; each is to be answered by `finish`.
  std::vector<finished_shard> take_finished() { return std::exchange(finished_, {}); }
  void finish(finished_shard const& s, std::set<std::string> children);

  // Nothing more is begun; what is not read is let go of.
  void drain();
  // The pipeline reads nothing any more, also what it was told to read and has not begun.
  void nobody_reads();
  // What is read, whose leases are about to be renewed.
  std::vector<std::string> renewed(time now) const;
  void reached(std::string const& id, position const& p);

  // What the pipeline is to be told, in order.
  std::vector<assignment> take_assignments() { return std::exchange(assignments_, {}); }
  // What stopped reading since it failed, since the last call, and for how long it is left to others.
  std::vector<std::pair<std::string, time>> take_resting() { return std::exchange(resting_, {}); }

private:
  struct shard {
    lease row;
    std::uint64_t run = 0;          // counts when it is gained or lost
    std::uint64_t reading_run = 0;  // by which it is read
    bool held = false, asked = false;
    bool waits = false;      // to be begun
    bool beginning = false;  // somebody is about it
    bool open = false;       // it is read
    bool finishing = false;
    unsigned halts = 0;  // in a row
    std::optional<position> halted_at;
  };
  void gained(shard& s, lease const& l);
  void lost(shard& s);
  void asked_for(shard& s);
  void let_go(shard& s);
  void rest(shard& s, std::optional<position> const& at, time now);
  bool may_begin(shard const& s) const;

  lease_worker& worker_;
  time const failover_;
  std::map<std::string, shard> all_;
  std::set<std::string> not_ended_;  // keys of leases
  std::vector<assignment> assignments_;
  std::vector<finished_shard> finished_;
  std::vector<std::pair<std::string, time>> resting_;
  bool draining_ = false;
};

}  // namespace weir::kinesis::detail
