#pragma once

#include <command_line/kinesis_place.hpp>

#include <weir/kinesis/client_options.hpp>
#include <weir/kinesis/starting_position.hpp>

namespace kinesis_access {

/// How the library reaches what a command line names.
weir::kinesis::client_options client_of(command_line::kinesis_place const& place);

/// Where a shard begins.
weir::kinesis::starting_position position_of(command_line::reading_start const& start);

}  // namespace kinesis_access
