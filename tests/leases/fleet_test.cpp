// Workers that are processes: they share a stream of an emulator by leases in another, are killed and ended, and shards change meanwhile.
// By hand with WEIR_LEASE_RECORDS=200000: 145 s over kinesalite and 60 s over kinesis-mock, on two cores with much else to do.
#include <weir/error.hpp>
#include <weir/kinesis/client.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/child_program.hpp"
#include "support/dynalite.hpp"
#include "support/npm_package.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"
#include "support/trusted_kinesis_mock.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::child_program;
using test::logged_program;
using steady = std::chrono::steady_clock;

namespace {

constexpr int keys = 64;

// What the fleet works with.
struct scene {
  std::string kinesis;                                        // URL
  std::string authority;                                      // of its certificate, a file; empty: it has none
  std::string consumer;                                       // by which every other worker reads; empty: all of them poll
  int packed = 1;                                             // so many records of a key are in one of Kinesis
  std::int64_t count = 0;                                     // of records
  std::function<void(kinesis::client const&)> first, second;  // reshardings
};

// Puts records "0", "1", ... of each key by AWS's own SDK, packed by AWS's own aggregator; what is refused comes again before anything
// behind it. How far it may go is in a file.
constexpr char const* sdk_writer = R"js(
const k = require('@aws-sdk/client-kinesis'), http = require('http'), https = require('https'), fs = require('fs')
const {NodeHttpHandler} = require('@smithy/node-http-handler')
const [, url, authority, gate, packer] = process.argv, [count, keys, most] = process.argv.slice(5).map(Number)
const c = new k.KinesisClient({endpoint: url, region: 'us-east-1', credentials: {accessKeyId: 'A', secretAccessKey: 'b'},
  requestHandler: new NodeHttpHandler({httpAgent: new http.Agent({keepAlive: false}),
    httpsAgent: new https.Agent({keepAlive: true, ca: authority && fs.readFileSync(authority)})})})
const pause = () => new Promise(go => setTimeout(go, 20))
const plain = (key, first) => ({PartitionKey: key, Data: Buffer.from('' + first)})
const packed = (key, first, n) => {
  const all = new (require(packer).RecordAggregator)()
  for (let i = first; i < first + n; ++i) all.addUserRecord({partitionKey: key, data: Buffer.from('' + i)})
  let out
  all.flushBufferedRecords((_, r) => out = {PartitionKey: r.partitionKey, Data: r.data})
  return out
}
;(async () => {
  const next = Array(keys).fill(0)
  for (let at = 0, key = 0; at < count;) {
    const records = []
    for (; at < count && records.length < Math.min(500, 5000 / most); key = (key + 1) % keys) {
      const n = Math.min(most, Math.ceil((count - key) / keys) - next[key])
      if (n > 0) records.push(most == 1 ? plain('k' + key, next[key]) : packed('k' + key, next[key], n))
      next[key] += n
      at += n
    }
    while (fs.readFileSync(gate) < at) await pause()
    for (let done = false; !done;) {
      try {
        const r = await c.send(new k.PutRecordsCommand({StreamName: 'ticks', Records: records}))
        if (r.Records.some(x => x.ErrorCode)) throw new Error('the emulator refuses records')
        done = true
      } catch (e) {
        if (e.name !== 'ResourceInUseException') throw e
        await pause()
      }
    }
  }
})().catch(e => { console.error(e); process.exit(1) })
)js";

std::vector<std::string> const keys_of_aws{"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test"};

class fleet {
public:
  fleet(std::string program, scene const& in, std::string dynamodb, test::temporary_folder const& folder)
      : program_(std::move(program)), scene_(in), dynamodb_(std::move(dynamodb)), folder_(folder) {}

  void start() {
    bool const by_consumer = !scene_.consumer.empty() && started_ % 2 == 0;
    std::string const name = "w" + std::to_string(started_++) + (by_consumer ? " by fan-out" : " by polling");
    std::vector<std::string> command{program_, "--kinesis", scene_.kinesis, "--dynamodb", dynamodb_, "--stream",   "ticks", "--table",
                                     "app",    "--file",    file(),         "--name",     name,      "--failover", "2000"};
    if (by_consumer) command.insert(command.end(), {"--consumer", scene_.consumer});
    if (!scene_.authority.empty()) command.insert(command.end(), {"--ca", scene_.authority});
    workers_.emplace_back(name, logged_program(folder_.path(), command, log(), keys_of_aws));
  }
  /// The oldest one.
  void kill() {
    workers_.front().second->send(SIGKILL);
    workers_.front().second->wait();
    workers_.erase(workers_.begin());
  }
  int end() {
    workers_.front().second->send(SIGTERM);
    int const how = workers_.front().second->wait().value_or(-1);
    workers_.erase(workers_.begin());
    return how;
  }
  std::size_t running() const noexcept { return workers_.size(); }
  /// Those that have ended by themselves.
  std::vector<std::string> fallen() {
    std::vector<std::string> out;
    for (auto& [name, p] : workers_)
      if (auto const how = p->ended()) out.push_back(name + " ended with " + std::to_string(*how));
    return out;
  }
  std::int64_t effects() const {
    sqlite::database db(file());
    if (db.number("SELECT count(*) FROM sqlite_master WHERE name = 'effects'") == 0) return 0;
    return db.number("SELECT count(*) FROM effects");
  }
  std::string file() const { return (folder_.path() / "effects.sqlite").string(); }
  std::string log() const { return (folder_.path() / "log").string(); }
  std::string said() const {
    std::ifstream in(log());
    return std::string(std::istreambuf_iterator<char>(in), {});
  }

private:
  std::string const program_;
  scene const& scene_;
  std::string const dynamodb_;
  test::temporary_folder const& folder_;
  std::vector<std::pair<std::string, std::unique_ptr<child_program>>> workers_;
  int started_ = 0;
};

std::int64_t records_wanted(std::int64_t by_default) {
  char const* const given = std::getenv("WEIR_LEASE_RECORDS");
  return given && *given ? std::atoll(given) : by_default;
}

kinesis::client client_of(scene const& in) {
  kinesis::client_options o;
  o.where.region = "us-east-1";
  o.where.url = in.kinesis;
  if (!in.authority.empty()) {
    o.http.ca_file = in.authority;
    o.http.proxies_from = nullptr;
  }
  o.from = [](std::string const& name) -> std::optional<std::string> {
    if (name == "AWS_ACCESS_KEY_ID" || name == "AWS_SECRET_ACCESS_KEY") return "test";
    return std::nullopt;
  };
  return kinesis::client(o);
}

void wait_until_active(kinesis::client const& c) {
  for (int i = 0; i != 500; ++i)
    if (testing::run(c.describe_stream_summary("ticks")).status == kinesis::stream_status::active) return;
  FAIL("the stream does not become active");
}

std::vector<kinesis::shard> open_shards(kinesis::client const& c) {
  std::vector<kinesis::shard> all = testing::run(c.list_shards("ticks"));
  std::erase_if(all, [](kinesis::shard const& s) { return s.closed; });
  std::ranges::sort(all, {}, [](kinesis::shard const& s) { return s.keys.first; });
  return all;
}

void split_first(kinesis::client const& c, std::uint64_t at) {
  auto const open = open_shards(c);
  testing::run(c.split_shard("ticks", open[0].id, kinesis::hash_key(at, 0)));
  wait_until_active(c);
}
void merge_last(kinesis::client const& c) {
  auto const open = open_shards(c);
  testing::run(c.merge_shards("ticks", open[open.size() - 2].id, open.back().id));
  wait_until_active(c);
}

// Each record of each key once, and in order.
void check_effects(fleet const& f, scene const& in) {
  sqlite::database db(f.file());
  CHECK(db.number("SELECT count(*) FROM effects") == in.count);
  CHECK(db.number("SELECT count(*) FROM (SELECT DISTINCT key, data FROM effects)") == in.count);
  CHECK(
      db.number("SELECT count(*) FROM (SELECT cast(data AS INTEGER) AS n, row_number() OVER (PARTITION BY key ORDER BY nth) - 1 AS at FROM "
                "effects) WHERE n != at") == 0);
  CHECK(db.number("SELECT count(DISTINCT shard) FROM effects") >= 6);  // also of those that came later
  CHECK(db.number("SELECT count(DISTINCT substr(worker, instr(worker, 'by'))) FROM effects") == (in.consumer.empty() ? 1 : 2));
}

void run_fleet(scene const& in) {
  auto const program = test::program_of("WEIR_KINESIS_WORKER");
  if (!program && test::skip("WEIR_KINESIS_WORKER names no program")) return;
  auto const sdk = test::npm_package("@aws-sdk/client-kinesis", "3.1143.0");
  if (!sdk && test::skip("needs @aws-sdk/client-kinesis from npm")) return;
  auto const packer = test::npm_package("aws-kinesis-agg", "4.2.8");
  if (!packer && test::skip("needs aws-kinesis-agg from npm")) return;
  auto const dynamodb = test::dynalite();
  if (!dynamodb) return;
  kinesis::client const c = client_of(in);
  testing::run(c.create_stream("ticks", 4));
  wait_until_active(c);
  test::temporary_folder const folder;
  fleet f(*program, in, dynamodb->url(), folder);
  std::filesystem::path const gate = folder.path() / "gate";
  // A fifth of all ahead, so that shards change while records come.
  auto const let_go_on = [&](std::int64_t done) {
    std::ofstream(gate.string() + "~") << std::min(in.count, done + std::max<std::int64_t>(in.count / 5, 5'000));
    std::filesystem::rename(gate.string() + "~", gate);
  };
  let_go_on(0);
  auto const writer = logged_program(
      *sdk,
      {"/usr/bin/node", "-e", sdk_writer, in.kinesis, in.authority, gate.string(), (*packer / "node_modules/aws-kinesis-agg").string(),
       std::to_string(in.count), std::to_string(keys), std::to_string(in.packed)},
      f.log(), keys_of_aws);
  f.start();
  f.start();
  // What happens when so much of it is done, in hundredths.
  std::vector<std::pair<std::int64_t, std::function<void()>>> story{
      {10, [&] { f.start(); }},
      {20, [&] { in.first(c); }},
      {35,
       [&] {
         f.kill();
         f.start();
       }},
      {50, [&] { in.second(c); }},
      {60,
       [&] {
         CHECK(f.end() == 128 + SIGTERM);
         f.start();
       }},
      {75, [&] { f.kill(); }},
      {85, [&] { f.start(); }},
  };
  auto const longest = steady::now() + std::chrono::seconds(120 + in.count / 500);
  std::int64_t done = 0;
  for (auto next = story.begin(); done < in.count && steady::now() < longest;) {
    ::usleep(20'000);
    done = f.effects();
    let_go_on(done);
    if (next != story.end() && done * 100 >= in.count * next->first) (next++)->second();
    auto const fallen = f.fallen();
    if (!fallen.empty()) {
      INFO(f.said());
      FAIL(fallen[0]);
    }
  }
  INFO(f.said());
  CHECK(writer->wait() == 0);
  while (f.running() != 0) CHECK(f.end() == 128 + SIGTERM);
  check_effects(f, in);
}

}  // namespace

TEST_CASE("a fleet over kinesalite: workers come, go and are killed, shards split and merge, each record has its effect once",
          "[kinesis][leases][peer]") {
  auto const emulator = test::kinesalite();
  if (!emulator) return;
  scene in;
  in.kinesis = emulator->url();
  in.count = records_wanted(20'000);
  in.first = [](kinesis::client const& c) { split_first(c, std::uint64_t{1} << 61); };
  in.second = merge_last;
  run_fleet(in);
}

// What it takes kinesis-mock to put a record by PutRecords grows with those in its shard, of all of which it takes the hash each time (1 us
// each), and PutRecord takes it 6 ms: 200,000 would be half an hour. So they come packed, twenty of a key in one.
TEST_CASE(
    "a fleet over kinesis-mock by polling and by fan-out: workers come, go and are killed, the number of shards changes, they merge "
    "and split, each record has its effect once",
    "[kinesis][leases][fan_out][peer]") {
  test::trusted_kinesis_mock const emulator;
  if (!emulator.server) return;
  scene in;
  in.kinesis = emulator.url();
  in.authority = emulator.authority();
  in.consumer = "fleet";
  in.packed = 20;
  in.count = records_wanted(20'000);
  in.first = [](kinesis::client const& c) {
    testing::run(c.update_shard_count("ticks", 8));
    wait_until_active(c);
  };
  in.second = [](kinesis::client const& c) {
    merge_last(c);
    split_first(c, std::uint64_t{1} << 60);
  };
  run_fleet(in);
}
