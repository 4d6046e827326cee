// `ticks --source eventhubs` as a user meets it, against a broker that is not ours, which Microsoft's client has sent the events.
#include "apps/ticks/oracle.hpp"
#include "support/catch.hpp"
#include "support/hub_broker.hpp"
#include "support/program.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"
#include "support/variables.hpp"

#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using Catch::Contains;
using test::disturbance;
using test::ending;
using test::hub_broker;
using test::temporary_folder;
using ticks::test::bars_in;

namespace {

bool ticks_ready() { return test::program_of("WEIR_TICKS_BINARY") || !test::skip("WEIR_TICKS_BINARY names no program"); }
ending run_ticks(std::vector<std::string> words, temporary_folder const& folder, hub_broker const& from, disturbance const& how) {
  test::variables const env({{"EVENTHUB_CONNECTION_STRING", from.connection_string()}});
  words.insert(words.begin(), {"--source", "eventhubs", "--hub", "ticks", "--bars", "b", "--show", "0"});
  return test::run_program(test::program_of("WEIR_TICKS_BINARY").value(), words, folder.path(), how);
}
disturbance signal_after(std::chrono::milliseconds d, int signal, std::function<bool()> or_when = nullptr) {
  disturbance how;
  how.after = d;
  how.signal = signal;
  how.as_soon_as = std::move(or_when);
  return how;
}

// Each line of a file, gzip, in order; those of a symbol to one partition.
constexpr char const* send_lines = R"js(
const { EventHubProducerClient } = require('@azure/event-hubs'), fs = require('fs'), zlib = require('zlib');
(async () => {
  const p = new EventHubProducerClient(process.argv[1], 'ticks');
  const lines = zlib.gunzipSync(fs.readFileSync(process.argv[2])).toString().split('\n').filter((l) => l);
  const symbols = [], batches = [];
  for (const line of lines) {
    const symbol = JSON.parse(line).symbol, event = { body: Buffer.from(line) };
    if (!symbols.includes(symbol)) symbols.push(symbol);
    const id = symbols.indexOf(symbol) % 4, partitionId = String(id);
    batches[id] ??= await p.createBatch({ partitionId });
    if (batches[id].tryAdd(event)) continue;
    await p.sendBatch(batches[id]);
    batches[id] = await p.createBatch({ partitionId });
    batches[id].tryAdd(event);
  }
  for (const batch of batches) if (batch) await p.sendBatch(batch);
  await p.close();
  console.log('sent ' + lines.length);
  process.exit(0);
})().catch((e) => { console.log(String(e)); process.exit(1); });
)js";

}  // namespace

// The last bars close by the clock, when nothing has come for a bar and the bound: six seconds.
TEST_CASE("the trades of an event hub become the bars of another engine, though the program is killed again and again") {
  if (!ticks_ready()) return;
  auto const broker = hub_broker::start();
  if (!broker) return;
  temporary_folder const folder;
  std::string const day = (*test::shared_data() / "ticks" / "binance-spot-20240808").string();
  REQUIRE(broker->run_client(send_lines, {broker->connection_string(), day + ".ndjson.gz"}) == "sent 15863");
  std::vector<std::string> const arguments{"--window", "1s", "--batch", "300"};
  int killed = 0;
  for (int const ms : {150, 200, 250, 300, 350, 400, 500, 600})
    if (run_ticks(arguments, folder, *broker, signal_after(std::chrono::milliseconds(ms), SIGKILL)).signal == SIGKILL) ++killed;
  CHECK(killed == 8);
  auto const expected = ticks::test::answer(day + ".bars-1s.csv");
  auto const all_there = [&] { return bars_in(folder.file("b")).size() == expected.size(); };
  auto const last = run_ticks(arguments, folder, *broker, signal_after(60s, SIGTERM, all_there));
  INFO(last.err);
  CHECK(last.exit_code == 0);
  bool const same = bars_in(folder.file("b")) == expected;  // hundreds, which nobody would read
  CHECK(same);
}

TEST_CASE("an event that is no tick ends the run behind those before it, or goes to the dead letters") {
  if (!ticks_ready()) return;
  auto const broker = hub_broker::start();
  if (!broker) return;
  broker->fill(2, 1);
  temporary_folder const folder;
  auto const ended = run_ticks({}, folder, *broker, signal_after(60s, SIGKILL));
  INFO(ended.err);
  CHECK(ended.exit_code == 1);
  CHECK_THAT(ended.err, Contains("ticks: cannot use an event (stream ticks, partition 2, position 0): ") && Contains("--on-broken-line"));
  auto const passed = run_ticks({"--on-broken-line", "dead-letter", "dead"}, folder, *broker,
                                signal_after(60s, SIGTERM, [&] { return !folder.read("dead").empty(); }));
  INFO(passed.err);
  CHECK(passed.exit_code == 0);
  CHECK_THAT(folder.read("dead"), Contains("aaaaa"));
}
