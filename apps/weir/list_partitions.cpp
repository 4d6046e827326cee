#include "hub_commands.hpp"

#ifdef WEIR_HAS_EVENTHUBS
#include "hub_access.hpp"
#include "text.hpp"

#include <weir/eventhubs/client.hpp>
#include <weir/eventhubs/properties.hpp>
#include <weir/instant.hpp>
#include <weir/rfc3339.hpp>
#include <command_line/event_loop.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace hub_tool {
namespace {

using side = state_tool::table::side;
using weir::eventhubs::client;
using weir::eventhubs::partition_properties;

void print_json(partition_properties const& p) {
  state_tool::json_line line;
  line.add("partition", p.id).add_value("empty", p.empty ? "true" : "false");
  line.add_value("first_sequence_number", std::to_string(p.first_sequence_number));
  line.add_value("last_sequence_number", std::to_string(p.last_sequence_number)).add("last_offset", p.last_offset);
  if (p.last_sequence_number >= 0) line.add("last_enqueued", weir::format_rfc3339(p.last_enqueued, 3));
  line.print();
}

}  // namespace

int partitions(options const& o) {
  client const hub = client_of(o);
  command_line::event_loop loop;
  std::vector<std::string> const all = loop.run(chosen_partitions(hub, o));
  weir::instant const now = weir::to_instant(std::chrono::system_clock::now());
  state_tool::table rows({{"PARTITION"}, {"FIRST", side::right}, {"LAST", side::right}, {"OFFSET"}, {"ENQUEUED"}});
  for (std::string const& id : all) {
    partition_properties const p = loop.run(hub.properties_of(id));
    if (o.json) print_json(p);
    else if (p.last_sequence_number < 0) rows.add({id, "-", "-", "-", "-"});
    else
      rows.add({id, p.empty ? "-" : std::to_string(p.first_sequence_number), std::to_string(p.last_sequence_number), p.last_offset,
                state_tool::age_text(now - p.last_enqueued) + " ago"});
  }
  if (!o.json) rows.print();
  return 0;
}

}  // namespace hub_tool
#endif
