#pragma once
#include <weir/kinesis/detail/source_state.hpp>
#include <weir/kinesis/record.hpp>
#include <weir/stream.hpp>

#include <memory>
#include <optional>
#include <string>

namespace weir::kinesis::detail {

// The records of a shard behind a position, from where it begins if there is none, up to the end of the shard.
stream<record> read_shard(std::shared_ptr<source_state> s, std::string id, std::optional<position> after);

}  // namespace weir::kinesis::detail
