#pragma once
#include <weir/kinesis/detail/source_state.hpp>
#include <weir/kinesis/shard.hpp>
#include <weir/log.hpp>
#include <weir/retry_policy.hpp>
#include <weir/task.hpp>

#include <limits>
#include <memory>
#include <string_view>
#include <vector>

namespace weir::kinesis::detail {

inline constexpr unsigned for_ever = std::numeric_limits<unsigned>::max();

// What the service lists, asked once.
task<std::vector<shard>> listed_shards(std::shared_ptr<source_state> s);

// How often in all, and when, what fails for a while is tried again.
retry_policy trying(std::shared_ptr<source_state> const& s, unsigned tries);

// Brings the graph up to date. What fails for a while is tried again, so often in all; throws what fails otherwise.
task<> list_shards(std::shared_ptr<source_state> s, unsigned tries);

// Says that the service has forgotten a shard before all of it was read.
void say_lost(logger const& log, std::string_view stream, std::string_view shard_id);

}  // namespace weir::kinesis::detail
