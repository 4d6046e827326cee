#include <weir/eventhubs/detail/assign_partitions.hpp>

#include <weir/context.hpp>
#include <weir/environment.hpp>
#include <weir/error.hpp>
#include <weir/eventhubs/detail/read_partition.hpp>
#include <weir/sleep.hpp>
#include <weir/timeout.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace weir::eventhubs::detail {
namespace {

task<hub_properties> asked_hub(std::shared_ptr<source_state> s, std::shared_ptr<hub_management> management, bool limited) {
  task<hub_properties> asking = management->hub();
  if (limited) asking = with_timeout(s->client->timeout(), std::move(asking));
  co_return co_await std::move(asking);
}

// At the latest, which is asked for once.
stream<record> open_at_latest(std::shared_ptr<source_state> s, std::string partition) {
  std::shared_ptr<hub_management> const before = s->client->management(co_await current_context());  // so that the connection stays
  task<starting_position> settling = settled_start(s->client, partition, s->how.start);
  starting_position const from = co_await std::move(settling);
  s->starts.emplace(partition, from);
  stream<record> events = open_partition(s, partition, std::nullopt);
  for (;;) {
    chunk<record> c = co_await next_chunk(events);
    if (!c) co_return;
    co_yield c;
  }
}

}  // namespace

stream<assignment> assign_partitions(std::shared_ptr<source_state> s) {
  context& own = co_await current_context();
  environment const& env = own.environment();
  client_state::lending const lent(s->client, own);
  std::shared_ptr<hub_management> const management = s->client->management(own);
  s->partitions.clear();
  for (bool begun = false;; begun = true) {
    hub_properties now;
    try {
      task<hub_properties> asking = asked_hub(s, management, !begun);
      now = co_await std::move(asking);
    } catch (error const& e) {
      if (!begun || e.code() == condition::cancelled) throw;
      env.log.warning(std::string("event hubs: it is not known whether partitions were added, and asked again later: ") + e.what());
    }
    std::vector<std::string> added;
    for (std::string const& id : now.partitions)
      if (std::ranges::find(s->partitions, id) == s->partitions.end()) added.push_back(id);
    for (std::string const& id : added) {
      s->partitions.push_back(id);
      if (begun) s->starts.try_emplace(id, from_earliest{});
      assignment next(assignment_kind::assigned, id);
      co_yield next;
    }
    co_await sleep_for(s->how.discover);
  }
}

stream<record> open_partition(std::shared_ptr<source_state> s, std::string partition, std::optional<position> after) {
  receiver_options o = receiver_options_of(s->how);
  o.from = s->how.start;
  if (auto const settled = s->starts.find(partition); settled != s->starts.end()) o.from = settled->second;
  if (after) {
    from_sequence_number behind;
    behind.sequence_number = static_cast<std::int64_t>(after->offset());
    o.from = behind;
  }
  if (std::holds_alternative<from_latest>(o.from)) return open_at_latest(std::move(s), std::move(partition));
  auto client = s->client;
  return read_partition(std::move(client), std::move(partition), std::move(o));
}

}  // namespace weir::eventhubs::detail
