#include "hub_commands.hpp"

#ifdef WEIR_HAS_EVENTHUBS
#include "hub_access.hpp"
#include "text.hpp"

#include <weir/eventhubs/checkpoint_blobs.hpp>
#include <weir/eventhubs/ownership.hpp>
#include <weir/eventhubs/ownership_service.hpp>
#include <weir/rfc3339.hpp>
#include <command_line/event_loop.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace hub_tool {
namespace {

using weir::eventhubs::stored_checkpoint;

// By numbers where they are numbers, as those of Event Hubs are.
struct by_number {
  bool operator()(std::string const& a, std::string const& b) const { return a.size() != b.size() ? a.size() < b.size() : a < b; }
};

// What the blobs of a group say of one partition.
struct group_row {
  weir::eventhubs::ownership owned;
  stored_checkpoint done;
};

std::string done_text(stored_checkpoint const& c) {
  if (c.sequence_number) return std::to_string(*c.sequence_number);
  return c.offset.empty() ? "none" : "offset " + c.offset;
}

void print_json(std::string const& id, group_row const& r) {
  state_tool::json_line line;
  line.add("partition", id).add("owner", r.owned.owner);
  if (r.owned.modified != 0) line.add("renewed", weir::format_rfc3339(r.owned.modified, 0));
  line.add_value("sequence_number", r.done.sequence_number ? std::to_string(*r.done.sequence_number) : "null");
  line.add("offset", r.done.offset).print();
}

}  // namespace

int ownership(options const& o) {
  command_line::event_loop loop;
  weir::azure::blob_container const box = container_of(o);
  weir::eventhubs::group_blobs const names = blobs_of(o);
  auto const service = weir::eventhubs::make_ownership_service(box, names);
  weir::eventhubs::ownership_list const owned = loop.run(service->list());
  std::map<std::string, group_row, by_number> all;
  for (auto const& one : owned.all) all[one.partition].owned = one;
  std::vector<stored_checkpoint> const done = loop.run(weir::eventhubs::checkpoint_blobs(box, names).list());
  for (stored_checkpoint const& one : done) all[one.partition].done = one;
  if (all.empty()) fmt::print(stderr, "no blobs of {} and {} in {}\n", o.hub, o.group, o.container);
  state_tool::table rows({{"PARTITION"}, {"OWNER"}, {"RENEWED"}, {"CHECKPOINT"}});
  for (auto const& [id, r] : all) {
    if (o.json) print_json(id, r);
    else
      rows.add({id, r.owned.owner.empty() ? "nobody" : state_tool::name_text(r.owned.owner),
                r.owned.modified == 0 ? "-" : state_tool::age_text(std::max<std::int64_t>(owned.asked - r.owned.modified, 0)) + " ago",
                done_text(r.done)});
  }
  if (!o.json && !all.empty()) rows.print();
  return 0;
}

}  // namespace hub_tool
#endif
