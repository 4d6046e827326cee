// Figures, by hand: eventhubs_tests "[figures]". Both clients read the same events from the same broker, by WebSocket.
#include <weir/eventhubs/client.hpp>

#include <weir/async_scope.hpp>
#include <weir/sleep.hpp>
#include <weir/spawn.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"
#include "support/hub_broker.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <malloc.h>

#include <cstddef>
#include <cstdio>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using eventhubs::client;
using eventhubs::client_options;
using test::hub_broker;

namespace {

constexpr int events = 50'000;  // of each of four partitions, of 200 bytes

client client_of(hub_broker const& broker, std::string const& scheme) {
  client_options o;
  o.connection_string = "Endpoint=sb://localhost/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=c2VjcmV0;EntityPath=ticks";
  o.endpoint = broker.address(scheme);
  o.net.ca_file = broker.authority();
  o.net.proxies_from = nullptr;
  return client(std::move(o));
}

// Prints the CPU time that it took, in us.
constexpr char const* receive_all = R"js(
const { EventHubConsumerClient, earliestEventPosition } = require('@azure/event-hubs');
const c = new EventHubConsumerClient('$Default', process.argv[1], 'ticks');
let left = 4 * +process.argv[2], bytes = 0;
const before = process.cpuUsage();
for (const id of ['0', '1', '2', '3']) {
  c.subscribe(id, {
    processEvents: async (some) => {
      for (const e of some) bytes += e.body.length;
      if ((left -= some.length) > 0) return;
      const used = process.cpuUsage(before);
      console.log(used.user + used.system);
      process.exit(0);
    },
    processError: async (e) => { console.log(String(e)); process.exit(1); },
  }, { startPosition: earliestEventPosition, maxBatchSize: 300 });
}
)js";

task<> receive(client from, std::string partition) {
  std::size_t bytes = 0;
  auto all = from.receive(std::move(partition));
  for (int i = 0; i != events; ++i) bytes += (co_await all.next())->payload().size();
  CHECK(bytes == std::size_t{200} * events);
}
task<> receive_each(client from) {
  std::vector<task<>> each;
  for (char const* const id : {"0", "1", "2", "3"}) each.push_back(receive(from, id));
  auto together = when_all(std::move(each));
  co_await std::move(together);
}

void run_really(task<> work) {
  boost::asio::io_context loop;
  auto done = spawn(loop, std::move(work), boost::asio::use_future);
  loop.run();
  done.get();
}

double cpu_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

std::size_t bytes_in_use() { return ::mallinfo2().uordblks + ::mallinfo2().hblkhd; }

task<> wait_for_ever(client from, std::string group, std::string partition) {
  eventhubs::receiver_options how;
  how.consumer_group = std::move(group);
  auto all = from.receive(std::move(partition), std::move(how));
  while (co_await all.next()) {}
}
task<> be_idle(async_scope& scope, client from, int groups, double& bytes_each) {
  scope.spawn(wait_for_ever(from, "warm", "0"));
  co_await sleep_for(1s);
  std::size_t const before = bytes_in_use();
  for (int g = 0; g != groups; ++g)
    for (char const* const id : {"0", "1", "2", "3"}) scope.spawn(wait_for_ever(from, "group" + std::to_string(g), id));
  co_await sleep_for(4s);
  bytes_each = static_cast<double>(bytes_in_use() - before) / (4.0 * groups);
  scope.cancel();
}

}  // namespace

TEST_CASE("the CPU time of an event, beside Microsoft's client", "[.figures]") {
  auto const broker = hub_broker::start();
  if (!broker) return;
  for (int partition = 0; partition != 4; ++partition) broker->fill(partition, events, 200);
  for (int round = 0; round != 3; ++round) {
    double const theirs =
        std::stod(broker->run_client(receive_all, {broker->connection_string(), std::to_string(events)})) / (4.0 * events);
    for (std::string const scheme : {"tcp", "ws", "wss"}) {
      double const before = cpu_seconds();
      run_really(receive_each(client_of(*broker, scheme)));
      double const ours = (cpu_seconds() - before) * 1e6 / (4.0 * events);
      std::printf("%s: %.2f us of CPU an event; Microsoft's client %.2f us by tcp: 1/%.1f\n", scheme.c_str(), ours, theirs, theirs / ours);
    }
  }
}

TEST_CASE("the memory of a receiver that has nothing to do", "[.figures]") {
  auto const broker = hub_broker::start();
  if (!broker) return;
  double bytes = 0;
  client const from = client_of(*broker, "ws");
  auto body = [&](async_scope& scope) { return be_idle(scope, from, 100, bytes); };
  run_really(with_scope(std::move(body)));
  std::printf("%.1f KiB for each of 400 receivers on a connection\n", bytes / 1024);
  CHECK(bytes <= 64.0 * 1024);
}
