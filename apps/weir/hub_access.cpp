#ifdef WEIR_HAS_EVENTHUBS
#include "hub_access.hpp"

#include <weir/azure/blob_container_options.hpp>
#include <weir/error.hpp>
#include <weir/eventhubs/client_options.hpp>
#include <weir/eventhubs/connection_string.hpp>
#include <weir/eventhubs/properties.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hub_tool {

weir::eventhubs::client client_of(options const& o) {
  weir::eventhubs::client_options how;
  how.connection_string = o.connection_string;
  how.event_hub = o.hub;
  how.endpoint = o.endpoint;
  return weir::eventhubs::client(std::move(how));
}

weir::azure::blob_container container_of(options const& o) {
  return weir::azure::blob_container(weir::azure::blob_container_options::from_connection_string(o.storage, o.container));
}

weir::eventhubs::group_blobs blobs_of(options const& o) {
  return weir::eventhubs::group_blobs(weir::eventhubs::connection_string::parse(o.connection_string).host, o.hub, o.group);
}

weir::task<std::vector<std::string>> chosen_partitions(weir::eventhubs::client hub, options o) {
  weir::task<weir::eventhubs::hub_properties> asking = hub.properties();
  std::vector<std::string> const all = (co_await std::move(asking)).partitions;
  for (std::string const& id : o.partitions) {
    if (std::ranges::find(all, id) != all.end()) continue;
    throw weir::error(weir::errc::not_found, "weir: cannot read a partition", "the event hub has none of this id",
                      fmt::format("it has {}", fmt::join(all, ", ")))
        .with_stream(o.hub)
        .with_partition(id);
  }
  co_return o.partitions.empty() ? all : o.partitions;
}

}  // namespace hub_tool
#endif
