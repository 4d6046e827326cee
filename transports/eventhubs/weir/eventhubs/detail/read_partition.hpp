#pragma once
#include <weir/eventhubs/detail/client_state.hpp>
#include <weir/eventhubs/receiver_options.hpp>
#include <weir/eventhubs/record.hpp>
#include <weir/stream.hpp>

#include <memory>
#include <string>

namespace weir::eventhubs::detail {

// Throws `errc::invalid_option` that says which option cannot be used and why.
void check(receiver_options const& options);
// As `client::receive` says.
stream<record> read_partition(std::shared_ptr<client_state> s, std::string partition, receiver_options options);
// `from_latest` as the place behind the event that is the last one now; all others as they are.
task<starting_position> settled_start(std::shared_ptr<client_state> s, std::string partition, starting_position from);

}  // namespace weir::eventhubs::detail
