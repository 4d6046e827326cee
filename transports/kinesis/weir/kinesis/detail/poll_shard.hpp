#pragma once
#include <weir/kinesis/detail/source_state.hpp>
#include <weir/kinesis/record.hpp>
#include <weir/kinesis/starting_position.hpp>
#include <weir/stream.hpp>

#include <memory>
#include <optional>
#include <string>

namespace weir::kinesis::detail {

// The records of a shard behind a position, up to the end of the shard, by polling. If there is none: from `from` on; null: from where the
// shard begins.
stream<record> poll_shard(std::shared_ptr<source_state> s, std::string id, std::optional<position> after,
                          std::optional<starting_position> from);

}  // namespace weir::kinesis::detail
