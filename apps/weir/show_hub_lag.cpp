#include "hub_commands.hpp"

#ifdef WEIR_HAS_EVENTHUBS
#include "hub_access.hpp"
#include "hub_progress.hpp"
#include "text.hpp"

#include <weir/error.hpp>
#include <weir/eventhubs/client.hpp>
#include <weir/eventhubs/properties.hpp>
#include <weir/eventhubs/receiver_options.hpp>
#include <weir/eventhubs/record.hpp>
#include <weir/instant.hpp>
#include <weir/stream.hpp>
#include <weir/timeout.hpp>
#include <command_line/event_loop.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hub_tool {
namespace {

using side = state_tool::table::side;
using weir::eventhubs::client;
using weir::eventhubs::from_offset;
using weir::eventhubs::from_sequence_number;
using weir::eventhubs::partition_properties;
using weir::eventhubs::receiver_options;
using weir::eventhubs::record;

constexpr std::chrono::seconds most_of_look{30};

// The next event to be done.
struct next_event {
  std::int64_t number = 0;
  weir::instant enqueued = 0;
};

receiver_options behind(progress_of_partition const& at, std::string const& group) {
  receiver_options how;
  how.consumer_group = group;
  how.most_events = 1;
  if (at.number) {
    from_sequence_number from;
    from.sequence_number = *at.number;
    how.from = from;
  } else if (!at.offset.empty()) {
    from_offset from;
    from.offset = at.offset;
    how.from = from;
  }
  return how;
}

weir::task<next_event> first_of(client hub, std::string id, receiver_options how) {
  weir::stream<record> events = hub.receive(std::move(id), std::move(how));
  record const* const first = co_await events.next();
  next_event out;
  out.number = first->sequence_number();
  out.enqueued = first->arrival();
  co_return out;
}

// Null: all is done, or has gone.
weir::task<std::optional<next_event>> next_of(client hub, partition_properties p, progress_of_partition at, std::string group) {
  std::optional<next_event> out;
  if (p.empty || p.last_sequence_number < 0 || (at.number && *at.number >= p.last_sequence_number)) co_return out;
  weir::task<next_event> looking = weir::with_timeout(most_of_look, first_of(hub, p.id, behind(at, group)));
  try {
    out = co_await std::move(looking);
  } catch (weir::error const& e) {
    if (e.code() != weir::errc::timed_out || at.number) throw;  // behind an offset there may be none
  }
  co_return out;
}

}  // namespace

int lag(options const& o) {
  client const hub = client_of(o);
  command_line::event_loop loop;
  std::vector<std::string> const all = loop.run(chosen_partitions(hub, o));
  hub_progress const progress = find_progress(o, loop);
  state_tool::table rows({{"PARTITION"}, {"BEHIND", side::right}, {"WAITING", side::right}, {"CHECKPOINT"}});
  for (std::string const& id : all) {
    progress_of_partition const at = progress.of(id);
    partition_properties const p = loop.run(hub.properties_of(id));
    std::optional<next_event> const next = loop.run(next_of(hub, p, at, o.group));
    std::int64_t const behind_by = next ? p.last_sequence_number - next->number + 1 : 0;
    std::int64_t const waiting = next ? std::max<std::int64_t>(weir::to_instant(std::chrono::system_clock::now()) - next->enqueued, 0) : 0;
    if (o.json) {
      state_tool::json_line line;
      line.add("partition", id).add_value("behind", std::to_string(behind_by));
      line.add_value("waiting_ms", next ? std::to_string(waiting / 1'000'000) : "null").add("checkpoint", at.text).print();
    } else {
      rows.add({id, std::to_string(behind_by), next ? state_tool::age_text(waiting) : "-", at.text});
    }
  }
  if (!o.json) rows.print();
  return 0;
}

}  // namespace hub_tool
#endif
