#include "hub_commands.hpp"

#ifdef WEIR_HAS_EVENTHUBS
#include "hub_access.hpp"
#include "record_printer.hpp"
#include "text.hpp"

#include <weir/async_scope.hpp>
#include <weir/eventhubs/client.hpp>
#include <weir/eventhubs/receiver_options.hpp>
#include <weir/eventhubs/record.hpp>
#include <weir/rfc3339.hpp>
#include <weir/task.hpp>
#include <command_line/event_loop.hpp>

#include <string>
#include <utility>
#include <vector>

namespace hub_tool {
namespace {

using state_tool::record_printer;
using weir::eventhubs::client;
using weir::eventhubs::receiver_options;
using weir::eventhubs::record;

void print(record const& r, record_printer& to) {
  if (!to.is_json()) return to.print(r.payload());
  state_tool::json_line line;
  line.add("partition", r.partition()).add_value("sequence_number", std::to_string(r.sequence_number()));
  line.add("offset", r.offset()).add("enqueued", weir::format_rfc3339(r.arrival(), 3)).add_bytes("partition_key", r.partition_key());
  line.add_bytes("body", r.payload());
  to.print(std::move(line));
}

receiver_options reading(options const& o) {
  using kind = command_line::reading_start::kind;
  receiver_options how;
  how.consumer_group = o.group;
  if (o.start.what == kind::latest) how.from = weir::eventhubs::from_latest{};
  if (o.start.what == kind::time) how.from = weir::eventhubs::from_time{o.start.time};
  return how;
}

weir::task<> print_partition(client hub, std::string id, receiver_options how, record_printer& to, weir::async_scope& all) {
  weir::stream<record> events = hub.receive(std::move(id), std::move(how));
  while (record const* const r = co_await events.next()) {
    print(*r, to);
    if (to.is_done()) break;
  }
  all.cancel();
}

weir::task<> print_each(weir::async_scope& scope, client hub, std::vector<std::string> ids, receiver_options how, record_printer& to) {
  for (std::string const& id : ids) scope.spawn(print_partition(hub, id, how, to, scope));
  co_return;
}

// One partition that cannot be read ends all of it, and says itself why.
weir::task<> print_all(options const& o) {
  client const hub = client_of(o);
  weir::task<std::vector<std::string>> choosing = chosen_partitions(hub, o);
  std::vector<std::string> const ids = co_await std::move(choosing);
  record_printer to(o.json, o.most);
  auto body = [&](weir::async_scope& scope) { return print_each(scope, hub, ids, reading(o), to); };
  weir::task<> all = weir::with_scope(std::move(body));
  co_await std::move(all);
}

}  // namespace

int tail(options const& o) {
  command_line::event_loop().run(print_all(o));
  return 0;
}

}  // namespace hub_tool
#endif
