// Workers that are processes: they share a stream of an emulator by leases in another, are killed and ended, and shards change meanwhile.
#include <weir/error.hpp>
#include <weir/kinesis/client.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/child_program.hpp"
#include "support/dynalite.hpp"
#include "support/kinesis_emulators.hpp"
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
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::child_program;
using steady = std::chrono::steady_clock;

namespace {

constexpr int keys = 64;

// Puts records "0", "1", ... of each key by AWS's own SDK; what is refused comes again before anything behind it.
constexpr char const* sdk_writer = R"js(
const k = require('@aws-sdk/client-kinesis'), http = require('http')
const {NodeHttpHandler} = require('@smithy/node-http-handler')
const [url, stream, count, keys, pause] = [process.argv[1], process.argv[2], +process.argv[3], +process.argv[4], +process.argv[5]]
const c = new k.KinesisClient({endpoint: url, region: 'us-east-1', credentials: {accessKeyId: 'A', secretAccessKey: 'b'},
  requestHandler: new NodeHttpHandler({httpAgent: new http.Agent({keepAlive: false})})})
;(async () => {
  for (let at = 0; at < count;) {
    let records = []
    for (; at < count && records.length < 500; ++at)
      records.push({PartitionKey: 'k' + at % keys, Data: Buffer.from('' + Math.floor(at / keys))})
    while (records.length) {
      let r
      try { r = await c.send(new k.PutRecordsCommand({StreamName: stream, Records: records})) }
      catch (e) { if (e.name !== 'ResourceInUseException') throw e; await new Promise(go => setTimeout(go, 20)); continue }
      const failed = new Set(records.filter((_, i) => r.Records[i].ErrorCode).map(x => x.PartitionKey))
      if (failed.size) throw new Error('the emulator refuses records')
      records = []
    }
    if (pause) await new Promise(go => setTimeout(go, pause))
  }
})().catch(e => { console.error(e); process.exit(1) })
)js";

// A program beside the test, whose output is added to a file.
std::unique_ptr<child_program> run_beside(std::filesystem::path const& folder, std::vector<std::string> command, std::string const& log) {
  command.insert(command.begin(), {"/bin/sh", "-c", R"(exec "$@" >>"$0" 2>&1)", log});
  return std::make_unique<child_program>(folder, command, std::vector<std::string>{"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test"});
}

class fleet {
public:
  fleet(std::string program, std::string kinesis, std::string dynamodb, test::temporary_folder const& folder)
      : program_(std::move(program)), kinesis_(std::move(kinesis)), dynamodb_(std::move(dynamodb)), folder_(folder) {}

  void start() {
    std::string const name = "w" + std::to_string(started_++);
    std::vector<std::string> const command{program_, "--kinesis", kinesis_, "--dynamodb", dynamodb_, "--stream",   "ticks", "--table",
                                           "app",    "--file",    file(),   "--name",     name,      "--failover", "2000"};
    workers_.emplace_back(name, run_beside(folder_.path(), command, log()));
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
  std::string const program_, kinesis_, dynamodb_;
  test::temporary_folder const& folder_;
  std::vector<std::pair<std::string, std::unique_ptr<child_program>>> workers_;
  int started_ = 0;
};

std::int64_t records_wanted(std::int64_t by_default) {
  char const* const given = std::getenv("WEIR_LEASE_RECORDS");
  return given && *given ? std::atoll(given) : by_default;
}

kinesis::client client_of(std::string const& url) {
  kinesis::client_options o;
  o.where.region = "us-east-1";
  o.where.url = url;
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

// Each record of each key once, and in order.
void check_effects(fleet const& f, std::int64_t count) {
  sqlite::database db(f.file());
  CHECK(db.number("SELECT count(*) FROM effects") == count);
  CHECK(db.number("SELECT count(*) FROM (SELECT DISTINCT key, data FROM effects)") == count);
  CHECK(
      db.number("SELECT count(*) FROM (SELECT cast(data AS INTEGER) AS n, row_number() OVER (PARTITION BY key ORDER BY nth) - 1 AS at FROM "
                "effects) WHERE n != at") == 0);
}

void run_fleet(test::node_server const& emulator, std::int64_t count, int pause) {
  auto const program = test::program_of("WEIR_KINESIS_WORKER");
  if (!program && test::skip("WEIR_KINESIS_WORKER names no program")) return;
  auto const sdk = test::npm_package("@aws-sdk/client-kinesis", "3.1143.0");
  if (!sdk && test::skip("needs @aws-sdk/client-kinesis from npm")) return;
  auto const dynamodb = test::dynalite();
  if (!dynamodb) return;
  kinesis::client const c = client_of(emulator.url());
  testing::run(c.create_stream("ticks", 4));
  wait_until_active(c);
  test::temporary_folder const folder;
  fleet f(*program, emulator.url(), dynamodb->url(), folder);
  auto const writer = run_beside(
      *sdk,
      {"/usr/bin/node", "-e", sdk_writer, emulator.url(), "ticks", std::to_string(count), std::to_string(keys), std::to_string(pause)},
      (folder.path() / "writer").string());
  f.start();
  f.start();
  // What happens when so much of it is done, in hundredths.
  std::vector<std::pair<std::int64_t, std::function<void()>>> story{
      {10, [&] { f.start(); }},
      {20,
       [&] {
         auto const open = open_shards(c);
         testing::run(c.split_shard("ticks", open[0].id, kinesis::hash_key(std::uint64_t{1} << 61, 0)));
         wait_until_active(c);
       }},
      {35,
       [&] {
         f.kill();
         f.start();
       }},
      {50,
       [&] {
         auto const open = open_shards(c);
         testing::run(c.merge_shards("ticks", open[2].id, open[3].id));
         wait_until_active(c);
       }},
      {60,
       [&] {
         CHECK(f.end() == 128 + SIGTERM);
         f.start();
       }},
      {75, [&] { f.kill(); }},
      {85, [&] { f.start(); }},
  };
  auto const longest = steady::now() + std::chrono::seconds(120 + count / 500);
  std::int64_t done = 0;
  for (auto next = story.begin(); done < count && steady::now() < longest;) {
    ::usleep(20'000);
    done = f.effects();
    if (next != story.end() && done * 100 >= count * next->first) (next++)->second();
    auto const fallen = f.fallen();
    if (!fallen.empty()) {
      INFO(f.said());
      FAIL(fallen[0]);
    }
  }
  INFO(f.said());
  CHECK(writer->wait() == 0);
  while (f.running() != 0) CHECK(f.end() == 128 + SIGTERM);
  check_effects(f, count);
}

}  // namespace

TEST_CASE("a fleet over kinesalite: workers come, go and are killed, shards split and merge, each record has its effect once",
          "[kinesis][leases][peer]") {
  auto const emulator = test::kinesalite();
  if (emulator) run_fleet(*emulator, records_wanted(20'000), 100);
}

TEST_CASE("a fleet over kinesis-mock: workers come, go and are killed, shards split and merge, each record has its effect once",
          "[kinesis][leases][peer]") {
  auto const emulator = test::kinesis_mock();  // what it takes to put a record grows with those in the shard
  if (emulator) run_fleet(*emulator, std::min<std::int64_t>(records_wanted(4'000), 8'000), 200);
}
