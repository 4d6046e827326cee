#include <weir/eventhubs/event_sender.hpp>

#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/event_hub.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using test::event_hub;

namespace {

eventhubs::client client_of(event_hub& hub) {
  eventhubs::client_options o;
  o.connection_string = "Endpoint=sb://ns.example/;SharedAccessKeyName=n;SharedAccessKey=key;EntityPath=ticks";
  o.open = hub.opener();
  return eventhubs::client(std::move(o));
}

std::vector<message> messages(std::string const& pipeline) {
  return {{pipeline, "file ticks", "3", "bar:closed", 7, "seven"}, {pipeline, "file ticks", "3", "bar:closed", 8, "eight"}};
}

}  // namespace

TEST_CASE("messages of a topic stay in order, and have their identity", "[eventhubs][send]") {
  event_hub hub(4);
  eventhubs::event_sender sender(client_of(hub));
  CHECK(sender.kind() == "eventhubs");
  testing::run(sender.send(messages("bars")));
  REQUIRE(hub.batches.size() == 1);
  CHECK(hub.batches[0].key == "bars/file ticks/3/bar:closed");
  CHECK(hub.batches[0].bodies == std::vector<std::string>{"seven", "eight"});
  CHECK(hub.batches[0].ids == std::vector<std::string>{"bars/file ticks/3/bar:closed#7", "bars/file ticks/3/bar:closed#8"});
}

TEST_CASE("a topic's key that is too long for a service is its hash, and events may be made otherwise", "[eventhubs][send]") {
  event_hub hub(4);
  eventhubs::event_sender sender(client_of(hub));
  testing::run(sender.send(messages(std::string(129, 'p'))));
  CHECK(hub.batches.at(0).key.size() == 64);
  CHECK(hub.batches[0].ids[0] == hub.batches[0].key + "#7");
  eventhubs::event_sender own(client_of(hub), [](message const& m) { return eventhubs::outgoing_event(m.payload + "!", m.partition); });
  testing::run(own.send(messages("bars")));
  CHECK(hub.batches.at(1).key == "3");
  CHECK(hub.batches[1].bodies == std::vector<std::string>{"seven!", "eight!"});
}
