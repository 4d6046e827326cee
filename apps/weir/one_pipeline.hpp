#pragma once

#include <weir/state_store.hpp>
#include <command_line/store_name.hpp>

#include <optional>
#include <string>
#include <vector>

namespace state_tool {

/// The checkpoints that one pipeline has of a stream: of `pipeline`, or of the only one there is. `called`: how people call the stream.
/// Throws `errc::not_found` when the store has none, `errc::invalid_option` when several pipelines read it and none is named.
std::vector<weir::checkpoint_listing> checkpoints_of(command_line::store_name const& in, std::string const& stream,
                                                     std::optional<std::string> const& pipeline, std::string const& called);

}  // namespace state_tool
