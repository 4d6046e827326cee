// Against Microsoft's SDK for JavaScript, by way of a broker on rhea, an AMQP library that is neither ours nor Microsoft's.
#include <weir/eventhubs/client.hpp>

#include <weir/spawn.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"
#include "support/hub_broker.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using eventhubs::client;
using eventhubs::client_options;
using test::hub_broker;

namespace {

client client_over(std::string const& scheme, hub_broker const& broker) {
  client_options o;
  o.connection_string = "Endpoint=sb://localhost/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=c2VjcmV0;EntityPath=ticks";
  o.endpoint = broker.address(scheme);
  o.net.ca_file = broker.authority();
  o.net.proxies_from = nullptr;
  return client(std::move(o));
}

// Events "P-0", "P-1", ... to each partition P.
constexpr char const* send_to_each = R"js(
const { EventHubProducerClient } = require('@azure/event-hubs');
(async () => {
  const p = new EventHubProducerClient(process.argv[1], 'ticks');
  for (const partitionId of ['0', '1', '2', '3']) {
    let batch = await p.createBatch({ partitionId });
    for (let i = 0; i < +process.argv[2]; i++) {
      const event = { body: Buffer.from(partitionId + '-' + i), properties: { i } };
      if (batch.tryAdd(event)) continue;
      await p.sendBatch(batch);
      batch = await p.createBatch({ partitionId });
      batch.tryAdd(event);
    }
    await p.sendBatch(batch);
  }
  await p.close();
  console.log('sent');
  process.exit(0);
})().catch(e => { console.log(String(e)); process.exit(1); });
)js";

task<int> receive_in_order(client from, std::string partition, int events) {
  int got = 0;
  auto all = from.receive(partition);
  while (got != events) {
    eventhubs::record* const event = co_await all.next();
    if (event->payload() != partition + '-' + std::to_string(got) || event->sequence_number() != got) break;
    ++got;
  }
  co_return got;
}

task<> compare_all(client from, int events) {
  task<eventhubs::hub_properties> asking = from.properties();
  eventhubs::hub_properties const about = co_await std::move(asking);
  REQUIRE(about.partitions == std::vector<std::string>{"0", "1", "2", "3"});
  std::vector<task<int>> each;
  for (std::string const& id : about.partitions) each.push_back(receive_in_order(from, id, events));
  auto together = when_all(std::move(each));
  auto const got = co_await std::move(together);
  CHECK(got == std::vector<int>(4, events));
  task<eventhubs::partition_properties> asking_one = from.properties_of("2");
  eventhubs::partition_properties const one = co_await std::move(asking_one);
  CHECK(one.last_sequence_number == events - 1);
}

}  // namespace

TEST_CASE("what Microsoft's SDK sends over four partitions comes once and in order, by every transport", "[eventhubs][peer]") {
  auto const broker = hub_broker::start();
  if (!broker) return;
  char const* const many = std::getenv("WEIR_HUB_EVENTS");  // of all partitions: a long run
  int const events = many != nullptr ? std::stoi(many) / 4 : 500;
  REQUIRE(broker->run_client(send_to_each, {broker->connection_string(), std::to_string(events)}) == "sent");
  for (std::string const scheme : {"ws", "wss", "tcp", "tls"}) {
    INFO(scheme);
    boost::asio::io_context loop;
    auto done = spawn(loop, compare_all(client_over(scheme, *broker), events), boost::asio::use_future);
    loop.run();
    done.get();
  }
}
