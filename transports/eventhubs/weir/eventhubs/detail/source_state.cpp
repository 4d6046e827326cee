#include <weir/eventhubs/detail/source_state.hpp>

#include <utility>

namespace weir::eventhubs::detail {
namespace {

client_options client_options_of(options const& o) {
  client_options out = o.client;
  if (!o.connection_string.empty()) out.connection_string = o.connection_string;
  if (!o.event_hub.empty()) out.event_hub = o.event_hub;
  return out;
}

}  // namespace

receiver_options receiver_options_of(options const& of) {
  receiver_options out;
  out.consumer_group = of.consumer_group;
  out.owner_level = of.owner_level;
  if (of.sharing && !out.owner_level) out.owner_level = 0;  // as all processors: the last one to come has the partition
  out.most_events = of.most_events;
  out.most_bytes = of.most_bytes;
  return out;
}

source_state::source_state(options o)
    : how(std::move(o)),
      client(std::make_shared<client_state>(client_options_of(how))),
      sharing(sharing_of(how, client->host(), client->event_hub())) {}

}  // namespace weir::eventhubs::detail
