// A worker that shares a stream of Kinesis by leases, and writes each record into a file of SQLite that all of them share:
//   kinesis_worker --kinesis URL --dynamodb URL --stream NAME --table NAME --file FILE --name WORKER --failover MS --consumer NAME --ca
//   FILE
// With a consumer it reads by enhanced fan-out. Keys of AWS are those of the environment. SIGTERM drains.
#include <weir/kinesis/use_kinesis_stream.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/sqlite/state_store.hpp>
#include <weir/sqlite/table.hpp>
#include <weir/stream_context.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <tuple>

using namespace weir;

namespace {

struct effect {
  std::string key, data, shard, worker;
};

using effects = sqlite::table<effect>;

weir::task<> keep(std::string worker, stream<kinesis::record> records, stream_context& context) {
  auto const out = context.sink<effect>("effects");
  while (kinesis::record* r = co_await records.next()) {
    effect row;
    row.key = r->partition_key();
    row.data = r->data();
    row.shard = r->shard_id();
    row.worker = worker;
    co_await out.write(row);
  }
}

int run(std::map<std::string, std::string> const& given) {
  auto const store = std::make_shared<sqlite::state_store>(given.at("--file"), std::chrono::seconds(30));
  store->in_transaction([](sqlite::database& db) {
    db.execute("CREATE TABLE IF NOT EXISTS effects(nth INTEGER PRIMARY KEY, key TEXT, data TEXT, shard TEXT, worker TEXT)");
  });
  effects const table(store, "INSERT INTO effects(key, data, shard, worker) VALUES(?, ?, ?, ?)",
                      [](effect const& e) { return std::tuple(e.key, e.data, e.shard, e.worker); });
  settings s;
  s.name = "fleet";
  s.checkpoints = store;
  s.commit = commit_policy(500, std::chrono::milliseconds(200));
  s.log = logger(log_level::info);
  application app(std::move(s));
  kinesis::options o;
  o.stream = given.at("--stream");
  o.client.where.region = "us-east-1";
  o.client.where.url = given.at("--kinesis");
  o.poll = std::chrono::milliseconds(200);
  o.idle_poll = std::chrono::milliseconds(400);
  o.limit = 1000;
  o.discover = std::chrono::seconds(5);
  if (given.contains("--consumer")) o.consumer = given.at("--consumer");
  if (given.contains("--ca")) {
    o.client.http.ca_file = given.at("--ca");
    o.client.http.proxies_from = nullptr;
  }
  o.leases.emplace();
  o.leases->table = given.at("--table");
  if (given.contains("--name")) o.leases->worker = given.at("--name");
  o.leases->dynamodb.where.url = given.at("--dynamodb");
  if (given.contains("--failover")) o.leases->how.failover = std::chrono::milliseconds(std::stoll(given.at("--failover")));
  std::string const name = given.contains("--name") ? given.at("--name") : "worker";
  app.use_kinesis_stream(o, [&](auto& pipeline) {
    pipeline.use_sink("effects", table).use_stream([name](stream<kinesis::record> records, stream_context& context) {
      return keep(name, std::move(records), context);
    });
  });
  return app.run();
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> given;
  for (int i = 1; i + 1 < argc; i += 2) given.insert_or_assign(argv[i], argv[i + 1]);
  for (char const* const needed : {"--kinesis", "--dynamodb", "--stream", "--table", "--file"}) {
    if (given.contains(needed)) continue;
    std::cerr
        << "usage: kinesis_worker --kinesis URL --dynamodb URL --stream NAME --table NAME --file FILE [--name WORKER] [--failover MS] "
           "[--consumer NAME] [--ca FILE]\n";
    return 2;
  }
  try {
    return run(given);
  } catch (std::exception const& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
