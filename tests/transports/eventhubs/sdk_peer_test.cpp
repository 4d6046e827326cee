// Against Microsoft's SDK for JavaScript, by way of a broker on rhea, an AMQP library that is neither ours nor Microsoft's.
#include <weir/eventhubs/client.hpp>
#include <weir/eventhubs/outgoing_event.hpp>

#include <weir/spawn.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"
#include "support/hub_broker.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
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

// Events "P-0", "P-1", ... of each partition P, with what else Weir has sent with them.
constexpr char const* receive_from_each = R"js(
const { EventHubConsumerClient, earliestEventPosition } = require('@azure/event-hubs');
const c = new EventHubConsumerClient('$Default', process.argv[1], 'ticks');
const many = +process.argv[2], got = {}, end = (text) => { console.log(text); process.exit(0); };
const wrong = (id, e) => {
  const n = got[id], p = e.properties || {};
  if (String(e.body) !== id + '-' + n || e.sequenceNumber !== n) return 'event ' + n + ' of ' + id + ' is ' + e.body;
  if (p.i !== n || p.half !== n / 2 || p.even !== (n % 2 === 0) || p.text !== 'gr\u00fcn') return 'properties: ' + JSON.stringify(p);
  if (e.messageId !== 'id ' + n || e.correlationId !== 'of ' + id || e.contentType !== 'text/plain') return 'ids of ' + JSON.stringify(e);
};
for (const id of ['0', '1', '2', '3']) {
  got[id] = 0;
  c.subscribe(id, {
    processEvents: async (events) => {
      for (const e of events) { const w = wrong(id, e); if (w) end(w); ++got[id]; }
      if (Object.values(got).every(n => n === many)) setTimeout(() => end('received'), 50);
    },
    processError: async (e) => end(String(e)),
  }, { startPosition: earliestEventPosition, maxBatchSize: 500 });
}
)js";

// Events "js of K" of keys K = "key 0", "key 1", ...
constexpr char const* send_by_keys = R"js(
const { EventHubProducerClient } = require('@azure/event-hubs');
(async () => {
  const p = new EventHubProducerClient(process.argv[1], 'ticks');
  for (let i = 0; i < +process.argv[2]; i++) await p.sendBatch([{ body: Buffer.from('js of key ' + i) }], { partitionKey: 'key ' + i });
  await p.close();
  console.log('sent');
  process.exit(0);
})().catch(e => { console.log(String(e)); process.exit(1); });
)js";

std::vector<eventhubs::outgoing_event> numbered_events(std::string const& partition, int from, int to) {
  std::vector<eventhubs::outgoing_event> out;
  for (int i = from; i != to; ++i) {
    eventhubs::outgoing_event e(partition + '-' + std::to_string(i));
    e.partition = partition;
    e.message_id = "id " + std::to_string(i);
    e.correlation_id = "of " + partition;
    e.content_type = "text/plain";
    e.properties = {{"i", std::int64_t{i}}, {"half", i / 2.0}, {"even", i % 2 == 0}, {"text", "gr\xc3\xbcn"}};
    out.push_back(std::move(e));
  }
  return out;
}

// In calls of 10,000 events of all partitions.
task<> send_to_each_partition(client to, int events) {
  for (int i = 0; i < events; i += 2500) {
    std::vector<eventhubs::outgoing_event> some;
    for (std::string const partition : {"0", "1", "2", "3"}) {
      auto more = numbered_events(partition, i, std::min(i + 2500, events));
      some.insert(some.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    task<> sending = to.send(std::move(some));
    co_await std::move(sending);
  }
}

// The partitions that have events of a key, which of both senders one has.
task<std::map<std::string, std::set<std::string>>> partitions_by_key(client from, std::size_t events) {
  std::map<std::string, std::set<std::string>> out;
  std::size_t left = events;
  for (std::string const partition : {"0", "1", "2", "3"}) {
    task<eventhubs::partition_properties> asking = from.properties_of(partition);
    eventhubs::partition_properties const about = co_await std::move(asking);
    auto all = from.receive(partition);
    for (std::int64_t n = -1; n != about.last_sequence_number; --left) {
      eventhubs::record* const event = co_await all.next();
      n = event->sequence_number();
      CHECK(event->payload().ends_with(event->partition_key()));
      out[std::string(event->partition_key())].insert(partition);
    }
  }
  CHECK(left == 0);
  co_return out;
}

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

template <class T> T run_really(task<T> work) {
  boost::asio::io_context loop;
  auto done = spawn(loop, std::move(work), boost::asio::use_future);
  loop.run();
  return done.get();
}

// Of each partition: many for a long run.
int events_of_each() {
  char const* const many = std::getenv("WEIR_HUB_EVENTS");  // of all partitions
  return many != nullptr ? std::stoi(many) / 4 : 500;
}

}  // namespace

TEST_CASE("what Microsoft's SDK sends over four partitions comes once and in order, by every transport", "[eventhubs][peer]") {
  auto const broker = hub_broker::start();
  if (!broker) return;
  int const events = events_of_each();
  REQUIRE(broker->run_client(send_to_each, {broker->connection_string(), std::to_string(events)}) == "sent");
  for (std::string const scheme : {"ws", "wss", "tcp", "tls"}) {
    INFO(scheme);
    run_really(compare_all(client_over(scheme, *broker), events));
  }
}

TEST_CASE("what Weir sends over four partitions comes to Microsoft's SDK once and in order, by every transport", "[eventhubs][peer]") {
  for (std::string const scheme : {"ws", "wss", "tcp", "tls"}) {
    INFO(scheme);
    auto const broker = hub_broker::start();
    if (!broker) return;
    int const events = events_of_each();
    run_really(send_to_each_partition(client_over(scheme, *broker), events));
    CHECK(broker->run_client(receive_from_each, {broker->connection_string(), std::to_string(events)}) == "received");
  }
}

TEST_CASE("events of a key are where Microsoft's SDK puts those of the same key", "[eventhubs][peer]") {
  auto const broker = hub_broker::start();
  if (!broker) return;
  int const keys = 40;
  REQUIRE(broker->run_client(send_by_keys, {broker->connection_string(), std::to_string(keys)}) == "sent");
  std::vector<eventhubs::outgoing_event> events;
  for (int i = 0; i != keys; ++i) events.emplace_back("weir of key " + std::to_string(i), "key " + std::to_string(i));
  client const hub = client_over("ws", *broker);
  run_really(hub.send(std::move(events)));
  auto const found = run_really(partitions_by_key(hub, 80));
  CHECK(found.size() == 40);
  for (auto const& [key, partitions] : found) {
    INFO(key);
    CHECK(partitions.size() == 1);
  }
}
