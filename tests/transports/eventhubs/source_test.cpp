#include <weir/eventhubs/use_event_hub_stream.hpp>

#include <weir/error.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/testing/simulation.hpp>

#include "support/catch.hpp"
#include "support/event_hub.hpp"
#include "support/fails_with.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::event_hub;
using test::fails_with;

namespace {

eventhubs::options reading_of(event_hub& hub) {
  eventhubs::options o;
  o.connection_string = "Endpoint=sb://ns.example/;SharedAccessKeyName=n;SharedAccessKey=key";
  o.event_hub = "ticks";
  o.client.open = hub.opener();
  o.client.seed = 7;
  return o;
}

using seen_by_partition = std::map<std::string, std::vector<std::string>>;

std::vector<std::string> numbers_from(std::size_t first, std::size_t n) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i != n; ++i) out.push_back(std::to_string(first + i));
  return out;
}

// Runs a pipeline that notes what it sees, until `enough` says so.
void run_pipeline(eventhubs::options o, std::shared_ptr<memory_state_store> store, seen_by_partition& seen,
                  std::function<bool(std::string const& partition)> const& enough,
                  logger const& log = logger(log_level::error, [](log_level, std::string_view) {})) {
  application app({.name = "test", .checkpoints = std::move(store), .log = log});
  app.use_event_hub_stream(std::move(o), [&](auto& pipeline) {
    pipeline.use_stream([&](stream<eventhubs::record> events, stream_context& context) -> task<> {
      while (eventhubs::record* const event = co_await events.next()) {
        auto const partition = std::string(context.partition());
        seen[partition].emplace_back(event->payload());
        if (enough(partition)) app.stop();
      }
    });
  });
  testing::simulation world;
  world.run(app.serve());
}

std::size_t all_of(seen_by_partition const& seen) {
  std::size_t out = 0;
  for (auto const& [partition, events] : seen) out += events.size();
  return out;
}

}  // namespace

TEST_CASE("an event hub is a source of all its partitions, which go on behind their checkpoints", "[eventhubs][source]") {
  event_hub hub(4);
  for (std::size_t i = 0; i != 4; ++i) hub.add(i, 30);
  auto const store = std::make_shared<memory_state_store>();
  seen_by_partition first, second;
  run_pipeline(reading_of(hub), store, first, [&](auto const&) { return all_of(first) == 120; });
  for (std::size_t i = 0; i != 4; ++i) {
    CHECK(first[std::to_string(i)] == numbers_from(0, 30));
    hub.add(i, 10);
  }
  CHECK(hub.connections == 1);
  CHECK(hub.live == 0);
  run_pipeline(reading_of(hub), store, second, [&](auto const&) { return all_of(second) == 40; });
  for (std::size_t i = 0; i != 4; ++i) CHECK(second[std::to_string(i)] == numbers_from(30, 10));
}

TEST_CASE("a pipeline that starts at the latest has what comes from then on, through losses and restarts of its handler",
          "[eventhubs][source]") {
  event_hub hub(1);
  hub.add(0, 5);
  hub.on_attach = [&] {
    hub.on_attach = nullptr;
    hub.drop_connections();
    hub.add(0, 3);
  };
  auto o = reading_of(hub);
  o.start = eventhubs::from_latest{};
  seen_by_partition seen;
  run_pipeline(o, std::make_shared<memory_state_store>(), seen, [&](auto const&) { return all_of(seen) == 3; });
  CHECK(seen["0"] == numbers_from(5, 3));
}

TEST_CASE("a partition of an event hub that is stolen halts, and the others go on", "[eventhubs][source]") {
  event_hub hub(2);
  hub.add(0, 5);
  hub.add(1, 5);
  seen_by_partition seen;
  bool stolen = false;
  auto const steal = [&](std::string const& partition) {
    if (partition == "0" && !std::exchange(stolen, true)) hub.steal(0);
    return seen["1"].size() == 6;
  };
  logger const log(log_level::error, [&](log_level, std::string_view text) {
    if (text.find("partition 0") != std::string_view::npos) hub.add(1, 1);
  });
  auto const run = [&] { run_pipeline(reading_of(hub), std::make_shared<memory_state_store>(), seen, steal, log); };
  fails_with(errc::fenced, run, "another receiver has the partition", "partition 0");
  CHECK(seen["1"] == numbers_from(0, 6));
}

// azure-sdk-for-net #48101: the processor was stuck.
TEST_CASE("a source whose place the service does not know after a fail-over reads what is kept", "[eventhubs][source]") {
  event_hub hub(1);
  hub.add(0, 5);
  auto const store = std::make_shared<memory_state_store>();
  seen_by_partition first, second;
  run_pipeline(reading_of(hub), store, first, [&](auto const&) { return all_of(first) == 5; });
  hub.refuse_links = "com.microsoft:georeplication:invalid-offset";
  hub.on_attach = [&] {
    if (hub.filters.back().find("'-1'") != std::string::npos) hub.refuse_links.clear();
  };
  hub.add(0, 2);
  std::string said;
  logger const log(log_level::warning, [&](log_level, std::string_view text) { said += text; });
  run_pipeline(reading_of(hub), store, second, [&](auto const&) { return all_of(second) == 7; }, log);
  CHECK(second["0"] == numbers_from(0, 7));
  CHECK(said.find("partition 0") != std::string::npos);
}

TEST_CASE("an event hub that is not there, or whose options cannot be used, is a clear error", "[eventhubs][source]") {
  event_hub hub(1, "other");
  seen_by_partition seen;
  auto const never = [](auto const&) { return false; };
  fails_with(
      errc::not_found, [&] { run_pipeline(reading_of(hub), std::make_shared<memory_state_store>(), seen, never); },
      "status 404, amqp:not-found", "correct the name of the event hub");
  auto o = reading_of(hub);
  o.most_events = 0;
  fails_with(errc::invalid_option, [&] { eventhubs::source const made(o); }, "most_events");
  o = reading_of(hub);
  o.client.event_hub = "ticks";
  fails_with(errc::invalid_option, [&] { eventhubs::source const made(o); }, "event_hub is given twice");
  o = reading_of(hub);
  o.consumer_group = "bars";
  CHECK(eventhubs::source(o).name() == "eventhubs ticks/bars");
}
