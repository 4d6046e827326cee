#pragma once
#include <weir/kinesis/detail/source_state.hpp>
#include <weir/kinesis/record.hpp>
#include <weir/kinesis/starting_position.hpp>
#include <weir/stream.hpp>

#include <memory>
#include <optional>
#include <string>

namespace weir::kinesis::detail {

// As `poll_shard`, by enhanced fan-out. A shard that is closed, but whose subscription does not end, is polled
// to its end; and where fan-out cannot be had, and the options say so, all of it is.
stream<record> subscribe_shard(std::shared_ptr<source_state> s, std::string id, std::optional<position> after,
                               std::optional<starting_position> from);

}  // namespace weir::kinesis::detail
