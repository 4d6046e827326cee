#pragma once

#include "hub_options.hpp"

#include <weir/azure/blob_container.hpp>
#include <weir/eventhubs/client.hpp>
#include <weir/eventhubs/group_blobs.hpp>
#include <weir/task.hpp>

#include <string>
#include <vector>

namespace hub_tool {

/// The hub that the command line names.
weir::eventhubs::client client_of(options const& o);
/// The container, and how the group's blobs are called in it.
weir::azure::blob_container container_of(options const& o);
weir::eventhubs::group_blobs blobs_of(options const& o);

/// The ids of its partitions, or those of them that the command line names. `errc::not_found` for one that is none.
weir::task<std::vector<std::string>> chosen_partitions(weir::eventhubs::client hub, options o);

}  // namespace hub_tool
