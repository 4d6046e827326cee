#include <weir/eventhubs/detail/share_partitions.hpp>

#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/eventhubs/detail/assign_partitions.hpp>
#include <weir/eventhubs/detail/client_state.hpp>
#include <weir/eventhubs/detail/hub_management.hpp>
#include <weir/eventhubs/detail/sharing_loop.hpp>
#include <weir/eventhubs/detail/sharing_state.hpp>

#include <utility>

namespace weir::eventhubs::detail {

task<> share_partitions(std::shared_ptr<source_state> s, assignment_view& pipeline) {
  context& own = co_await current_context();
  client_state::lending const lent(s->client, own);
  sharing_loop loop(s, s->client->management(own), pipeline, own.environment());
  task<> all = loop.run();
  co_await std::move(all);
}

stream<assignment> shared_partitions_of(std::shared_ptr<source_state> s) {
  for (;;) {
    while (!s->sharing->assignments.empty()) {
      assignment next = std::move(s->sharing->assignments.front());
      s->sharing->assignments.pop_front();
      co_yield next;
    }
    co_await s->sharing->told.wait();
  }
}

stream<record> open_shared_partition(std::shared_ptr<source_state> s, std::string partition, std::optional<position> after) {
  stream<record> events = open_partition(s, partition, after);
  for (;;) {
    chunk<record> c;
    bool taken = false;
    try {
      c = co_await next_chunk(events);
    } catch (error const& e) {
      if (e.code() != errc::fenced || !s->sharing->loop) throw;
      s->sharing->loop->stolen(partition, e);
      taken = true;
    }
    if (taken) co_await s->sharing->taken.wait();
    if (!c) co_return;
    if (s->sharing->loop) s->sharing->loop->read(partition, c.elements);
    co_yield c;
  }
}

}  // namespace weir::eventhubs::detail
