// Workers that are processes, and processors of Microsoft's SDK beside them, share a consumer group by blobs in azurite; they come, end,
// are killed, and take partitions from each other.
#include <weir/azure/blob_container.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/testing/run.hpp>

#include "support/azurite.hpp"
#include "support/catch.hpp"
#include "support/child_program.hpp"
#include "support/hub_broker.hpp"
#include "support/npm_package.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::child_program;
using test::logged_program;
using steady = std::chrono::steady_clock;

namespace {

constexpr int partitions = 4;

constexpr char const* connection =
    "const connection = 'Endpoint=sb://localhost:' + process.argv[1] + "
    "';SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=c2VjcmV0;UseDevelopmentEmulator=true;"
    "EntityPath=ticks'\n";

// Sends events "0", "1", ... to each partition, as many of all as a file says.
constexpr char const* sender_script = R"js(
const {EventHubProducerClient} = require('@azure/event-hubs'), fs = require('fs')
const [gate, each] = [process.argv[2], +process.argv[3]]
const pause = () => new Promise(go => setTimeout(go, 20))
;(async () => {
  const p = new EventHubProducerClient(connection)
  for (let next = 0; next < each;) {
    const upto = Math.min(each, next + 100, Math.ceil(+fs.readFileSync(gate) / 4))
    if (upto <= next) { await pause(); continue }
    for (const partitionId of ['0', '1', '2', '3']) {
      const events = []
      for (let i = next; i < upto; ++i) events.push({body: Buffer.from('' + i)})
      await p.sendBatch(events, {partitionId})
    }
    next = upto
  }
  await p.close()
})().catch(e => { console.error(e); process.exit(1) })
)js";

// A processor, which notes each event in a file, and then moves its checkpoint. It ends in peace by SIGTERM.
constexpr char const* processor_script = R"js(
const {EventHubConsumerClient, earliestEventPosition} = require('@azure/event-hubs'), fs = require('fs')
const {BlobCheckpointStore} = require('@azure/eventhubs-checkpointstore-blob')
const {ContainerClient, StorageSharedKeyCredential} = require('@azure/storage-blob')
const [url, account, key, file] = process.argv.slice(2)
const store = new BlobCheckpointStore(new ContainerClient(url, new StorageSharedKeyCredential(account, key)))
const c = new EventHubConsumerClient('$Default', connection, store, {
  loadBalancingOptions: {strategy: 'balanced', updateIntervalInMs: 1000, partitionOwnershipExpirationIntervalInMs: 6000},
  retryOptions: {maxRetries: 1, timeoutInMs: 5000, retryDelayInMs: 300}})
const running = c.subscribe({
  processEvents: async (events, x) => {
    if (!events.length) return
    fs.appendFileSync(file, events.map(e => x.partitionId + ' ' + e.body + '\n').join(''))
    await x.updateCheckpoint(events[events.length - 1])
  },
  processError: async (e, x) => console.error('js', x.partitionId, e.code, String(e.message).slice(0, 100)),
}, {startPosition: earliestEventPosition, maxBatchSize: 50, maxWaitTimeInSeconds: 1})
process.on('SIGTERM', async () => { await running.close(); await c.close(); process.exit(0) })
)js";

// What the SDK reads in the container: "owner 0=", "checkpoint 0=OFFSET/NUMBER".
constexpr char const* list_script = R"js(
const {BlobCheckpointStore} = require('@azure/eventhubs-checkpointstore-blob')
const {ContainerClient, StorageSharedKeyCredential} = require('@azure/storage-blob')
const [url, account, key] = process.argv.slice(2)
const store = new BlobCheckpointStore(new ContainerClient(url, new StorageSharedKeyCredential(account, key)))
const group = ['localhost', 'ticks', '$Default']
;(async () => {
  for (const o of await store.listOwnership(...group)) console.log(`owner ${o.partitionId}=${o.ownerId}`)
  for (const c of await store.listCheckpoints(...group)) console.log(`checkpoint ${c.partitionId}=${c.sequenceNumber}`)
})()
)js";

std::int64_t events_wanted() {
  char const* const given = std::getenv("WEIR_HUB_EVENTS");
  return given && *given ? std::atoll(given) : 12'000;
}

using event_set = std::set<std::pair<std::string, std::int64_t>>;  // partition, number

class hub_fleet {
public:
  hub_fleet(std::string program, std::string hub_port, std::string blobs, std::string modules, std::filesystem::path sdk)
      : program_(std::move(program)),
        port_(std::move(hub_port)),
        blobs_(std::move(blobs)),
        modules_{"NODE_PATH=" + std::move(modules)},
        sdk_(std::move(sdk)) {}

  std::unique_ptr<child_program> sender(std::int64_t count) const {
    return script(sender_script, {gate().string(), std::to_string(count / partitions)});
  }
  void start() {
    std::string const name = "w" + std::to_string(started_++);
    std::vector<std::string> const command{program_,
                                           "--hub",
                                           "tcp://localhost:" + port_,
                                           "--blobs",
                                           blobs_,
                                           "--account",
                                           test::azurite_account,
                                           "--key",
                                           test::azurite_key,
                                           "--file",
                                           file().string(),
                                           "--name",
                                           name};
    members_.emplace_back(name, logged_program(folder_.path(), command, log()));
  }
  void start_official() {
    members_.emplace_back("js" + std::to_string(started_++),
                          script(processor_script, {blobs_, test::azurite_account, test::azurite_key, notes().string()}));
  }
  std::vector<std::string> listed() const {
    child_program lists(
        sdk_, {"/usr/bin/node", "-e", connection + std::string(list_script), port_, blobs_, test::azurite_account, test::azurite_key},
        modules_);
    std::vector<std::string> out;
    for (std::string line = lists.read_line(); !line.empty(); line = lists.read_line()) out.push_back(line);
    return out;
  }
  /// The first of that kind, "w" or "js".
  void kill(std::string const& kind) { take(kind, SIGKILL); }
  int end(std::string const& kind) { return take(kind, SIGTERM); }
  std::size_t running() const noexcept { return members_.size(); }
  std::string const& first() const { return members_.front().first; }
  std::string fallen() const {
    for (auto const& [name, p] : members_)
      if (auto const how = p->ended()) return name + " ended with " + std::to_string(*how);
    return {};
  }
  void let_go_on(std::int64_t upto) const {
    std::ofstream(gate().string() + "~") << upto;
    std::filesystem::rename(gate().string() + "~", gate());
  }
  std::int64_t effects() const {
    sqlite::database db(file().string());
    if (db.number("SELECT count(*) FROM sqlite_master WHERE name = 'effects'") == 0) return 0;
    return db.number("SELECT count(*) FROM effects");
  }
  event_set by_official() const {
    event_set out;
    std::ifstream in(notes());
    for (std::string partition, number; in >> partition >> number;) out.emplace(partition, std::stoll(number));
    return out;
  }
  /// Of the numbers 0 to `each` of each partition, those that nobody has handled.
  std::int64_t missing(std::int64_t each, event_set const& official) const {
    sqlite::database db(file().string());
    std::int64_t out = 0;
    for (int p = 0; p != partitions; ++p) {
      std::string const id = std::to_string(p);
      std::set<std::int64_t> there;
      for (auto const& [partition, number] : official)
        if (partition == id) there.insert(number);
      std::string list = "-1";
      for (std::int64_t const n : there) list += ',' + std::to_string(n);
      std::int64_t const ours = db.number("SELECT count(DISTINCT body) FROM effects WHERE partition = '" + id +
                                          "' AND cast(body AS INTEGER) NOT IN (" + list + ")");
      out += each - ours - static_cast<std::int64_t>(there.size());
    }
    return out;
  }
  std::filesystem::path file() const { return folder_.path() / "effects.sqlite"; }
  std::filesystem::path notes() const { return folder_.path() / "notes"; }
  std::filesystem::path log() const { return folder_.path() / "log"; }
  std::string said() const {
    std::ifstream in(log());
    return std::string(std::istreambuf_iterator<char>(in), {});
  }

private:
  std::filesystem::path gate() const { return folder_.path() / "gate"; }
  std::unique_ptr<child_program> script(char const* text, std::vector<std::string> const& arguments) const {
    std::vector<std::string> command{"/usr/bin/node", "-e", connection + std::string(text), port_};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return logged_program(sdk_, command, log(), modules_);
  }
  int take(std::string const& kind, int signal) {
    auto const found = std::ranges::find_if(members_, [&](auto const& m) { return m.first.starts_with(kind); });
    found->second->send(signal);
    int const how = found->second->wait().value_or(-1);
    members_.erase(found);
    return how;
  }

  test::temporary_folder folder_;
  std::string const program_, port_, blobs_;
  std::vector<std::string> const modules_;
  std::filesystem::path const sdk_;
  std::vector<std::pair<std::string, std::unique_ptr<child_program>>> members_;
  int started_ = 0;
};

}  // namespace

TEST_CASE("workers of Weir and of Microsoft's SDK share a group by one container, whoever comes, ends, and is killed",
          "[eventhubs][sharing][peer]") {
  auto const program = test::program_of("WEIR_EVENT_HUB_WORKER");
  if (!program && test::skip("WEIR_EVENT_HUB_WORKER names no program")) return;
  auto const sdk = test::npm_package("@azure/event-hubs", "6.0.4"),
             blobs = test::npm_package("@azure/eventhubs-checkpointstore-blob", "2.0.0");
  if ((!sdk || !blobs) && test::skip("needs @azure/event-hubs and @azure/eventhubs-checkpointstore-blob from npm")) return;
  auto const broker = test::hub_broker::start();
  if (!broker) return;
  auto const azurite = test::azurite();
  if (!azurite) return;
  std::string const url = azurite->url() + "/devstoreaccount1/box";
  hub_fleet f(*program, broker->port(), url, (*sdk / "node_modules").string() + ':' + (*blobs / "node_modules").string(), *sdk);
  std::int64_t const each = events_wanted() / partitions, count = each * partitions;
  f.let_go_on(0);
  auto const sender = f.sender(count);
  f.start();
  // What happens when so much of it is done, in hundredths.
  std::vector<std::pair<std::int64_t, std::function<void()>>> story{
      {5, [&] { f.start(); }},
      {15, [&] { f.start_official(); }},
      {40,
       [&] {
         f.kill("w");
         f.start();
       }},
      {55,
       [&] {
         CHECK(f.end("w") == 128 + SIGTERM);
         f.start();
       }},
      {70,
       [&] {
         f.kill("js");
         f.start_official();
       }},
      {90, [&] { CHECK(f.end("js") == 0); }},
  };
  auto const longest = steady::now() + std::chrono::seconds(240 + count / 200);
  std::int64_t missing = count;
  auto asked = steady::now();
  for (auto next = story.begin(); (missing != 0 || next != story.end()) && steady::now() < longest;) {
    ::usleep(50'000);
    f.let_go_on(count - missing + count / 10);
    if (steady::now() - asked > 500ms) {
      asked = steady::now();
      if (f.effects() != 0) missing = f.missing(each, f.by_official());
      // Each is there for a while.
      if (next != story.end() && (count - missing) * 100 >= count * next->first) (next++)->second();
    }
    std::string const fallen = f.fallen();
    if (!fallen.empty()) {
      INFO(f.said());
      FAIL(fallen);
    }
  }
  INFO(f.said());
  CHECK(missing == 0);
  CHECK(sender->wait() == 0);
  while (f.running() != 0) CHECK(f.end("w") == 128 + SIGTERM);

  // Each event once by all of Weir, and in order; and by others what they have taken.
  sqlite::database db(f.file().string());
  auto const rows = db.number("SELECT count(*) FROM effects");
  CHECK(rows == db.number("SELECT count(*) FROM (SELECT DISTINCT partition, body FROM effects)"));
  CHECK(
      db.number("SELECT count(*) FROM (SELECT cast(body AS INTEGER) AS n, lag(cast(body AS INTEGER)) OVER (PARTITION BY partition ORDER BY "
                "nth) AS before FROM effects) WHERE before >= n") == 0);
  CHECK(db.number("SELECT count(DISTINCT worker) FROM effects") >= 3);
  auto const theirs = static_cast<std::int64_t>(f.by_official().size());
  CHECK(theirs > count / 100);
  std::cout << count << " events: " << rows << " rows of Weir's workers, " << theirs << " events by the SDK, " << rows + theirs - count
            << " of them by both\n";

  // The blobs: what the SDK makes of them, and nothing else.
  std::vector<std::string> expected;
  for (int p = 0; p != partitions; ++p) expected.push_back("owner " + std::to_string(p) + "=");
  for (int p = 0; p != partitions; ++p) expected.push_back("checkpoint " + std::to_string(p) + "=" + std::to_string(each - 1));
  CHECK(f.listed() == expected);
  azure::blob_container_options o;
  o.url = url;
  o.by = azure::shared_key(test::azurite_account, test::azurite_key);
  auto const all = testing::run(azure::blob_container(o).list(""));
  CHECK(all.blobs.size() == 2 * partitions);
  for (azure::blob const& b : all.blobs) {
    std::vector<std::string> keys;
    for (auto const& [name, value] : b.metadata) keys.push_back(name);
    bool const of_checkpoint = b.name.starts_with("localhost/ticks/$default/checkpoint/");
    if (!of_checkpoint) CHECK(b.name.starts_with("localhost/ticks/$default/ownership/"));
    CHECK(keys == (of_checkpoint ? std::vector<std::string>{"offset", "sequencenumber"} : std::vector<std::string>{"ownerid"}));
  }
}
