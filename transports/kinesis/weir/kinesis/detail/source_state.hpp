#pragma once
#include <weir/detail/wait_list.hpp>
#include <weir/kinesis/detail/fan_out_state.hpp>
#include <weir/kinesis/detail/request_slots.hpp>
#include <weir/kinesis/detail/shard_sharing.hpp>
#include <weir/kinesis/options.hpp>
#include <weir/kinesis/read_limits.hpp>
#include <weir/kinesis/shard_graph.hpp>
#include <weir/kinesis/shard_service.hpp>
#include <weir/kinesis/starting_position.hpp>
#include <weir/position.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>

namespace weir::kinesis::detail {

// What a source has, and the readings of its shards, which may outlive it. Strand only.
class source_state {
public:
  explicit source_state(options o);
  source_state(source_state const&) = delete;
  source_state& operator=(source_state const&) = delete;

  // Something has changed for whoever waits for it.
  void wake();
  std::shared_ptr<shard_allowance> allowance(std::string const& shard_id) const;
  // Where a shard begins that has no checkpoint, if the options say so for it.
  std::optional<position> given(std::string const& shard_id) const;
  // Where a shard is read from that has no position. At the tip, it is there where records of it first came, so that whoever reads it again
  // leaves none of them out.
  starting_position start_of(std::string const& shard_id) const;
  void came_at_tip(std::string const& shard_id, position first);

  std::uint64_t random_bits();
  // What this run is called in the lease table.
  std::string worker_name();

  options const how;
  std::shared_ptr<shard_service> const service;
  shard_graph graph;
  std::unique_ptr<shard_sharing> const sharing;  // by leases; null: all shards are read here
  request_slots slots;
  fan_out_state fan_out;
  bool changed = false;
  weir::detail::wait_list changes;

private:
  std::shared_ptr<read_limits> const limits_;
  std::minstd_rand random_;
  std::map<std::string, position> first_at_tip_;
};

}  // namespace weir::kinesis::detail
