// Against Microsoft's SDK for JavaScript, by way of a broker on rhea, an AMQP library that is neither ours nor Microsoft's.
#include <weir/eventhubs/client.hpp>

#include <weir/spawn.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"
#include "support/certificate.hpp"
#include "support/child_program.hpp"
#include "support/node_server.hpp"
#include "support/npm_package.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_future.hpp>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using eventhubs::client;
using eventhubs::client_options;

namespace {

// Ports that nobody has at the moment.
template <std::size_t N> std::array<std::string, N> free_ports() {
  using boost::asio::ip::tcp;
  boost::asio::io_context loop;
  std::vector<tcp::acceptor> held;
  std::array<std::string, N> out;
  for (std::string& port : out) {
    held.emplace_back(loop, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    port = std::to_string(held.back().local_endpoint().port());
  }
  return out;
}

// The broker, and what it needs.
class sdk_broker {
public:
  static std::optional<std::string> modules() {
    auto const sdk = test::npm_package("@azure/event-hubs", "6.0.4"), ws = test::npm_package("ws", "8.18.3");
    if (!sdk || !ws) return std::nullopt;
    return "NODE_PATH=" + (*sdk / "node_modules").string() + ':' + (*ws / "node_modules").string();
  }
  sdk_broker(std::filesystem::path const& script, std::string modules)
      : modules_(std::move(modules)), ports_(free_ports<5>()), own_("DNS:localhost") {
    std::filesystem::copy_file(script, folder_ / "broker.js");
    std::filesystem::create_directory(folder_ / "certs");
    folder_.write("certs/srv.key", own_.key);
    folder_.write("certs/srv.pem", own_.chain);
    broker_.emplace(folder_.path(),
                    std::vector<std::string>{
                        "/usr/bin/node", "-e", "require(process.cwd() + '/broker.js'); setImmediate(() => console.log('ready'))", "--",
                        "--quiet", "--ws", ports_[0], "--wss", ports_[1], "--tcp", ports_[2], "--amqps", ports_[3], "--ctl", ports_[4]},
                    std::vector<std::string>{modules_});
    ready_ = broker_->read_line() == "ready";
  }
  bool ready() const noexcept { return ready_; }
  std::string address(std::string const& scheme) const {
    return scheme + "://localhost:" + ports_[scheme == "ws" ? 0 : scheme == "wss" ? 1 : scheme == "tcp" ? 2 : 3];
  }
  client client_over(std::string const& scheme) const {
    client_options o;
    o.connection_string =
        "Endpoint=sb://localhost/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=c2VjcmV0;EntityPath=ticks";
    o.endpoint = address(scheme);
    o.net.ca_file = folder_.file("certs/srv.pem");
    o.net.proxies_from = nullptr;
    return client(std::move(o));
  }
  // Has the SDK send events "P-0", "P-1", ... to each partition.
  std::string send(int events) const {
    test::child_program sender(folder_.path(),
                               {"/usr/bin/node", "-e", R"js(
const { EventHubProducerClient } = require('@azure/event-hubs');
(async () => {
  const p = new EventHubProducerClient('Endpoint=sb://localhost:' + process.argv[1] +
    ';SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true;EntityPath=ticks');
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
)js",
                                ports_[2], std::to_string(events)},
                               {modules_});
    return sender.read_line();
  }

private:
  test::temporary_folder folder_;
  std::string modules_;
  std::array<std::string, 5> ports_;
  test::certificate own_;
  std::optional<test::child_program> broker_;
  bool ready_ = false;
};

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
  auto const data = test::shared_data();
  if (!data && test::skip("no shared data: WEIR_SHARED names none")) return;
  auto const script = data->parent_path() / "peers/eventhubs/broker.js";
  if (!std::filesystem::exists(script) && test::skip("no broker.js among the shared peers")) return;
  auto const modules = test::has_node() ? sdk_broker::modules() : std::nullopt;
  if (!modules && test::skip("needs node, npm, and @azure/event-hubs and ws from it")) return;
  sdk_broker const broker(script, *modules);
  REQUIRE(broker.ready());
  constexpr int events = 500;
  REQUIRE(broker.send(events) == "sent");
  for (std::string const scheme : {"ws", "wss", "tcp", "tls"}) {
    INFO(scheme);
    boost::asio::io_context loop;
    auto done = spawn(loop, compare_all(broker.client_over(scheme), events), boost::asio::use_future);
    loop.run();
    done.get();
  }
}
