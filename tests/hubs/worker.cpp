// A worker that shares an event hub by blobs, and writes each event into a file of SQLite that all of them share:
//   event_hub_worker --hub tcp://HOST:PORT --blobs URL --account NAME --key KEY --file FILE --name WORKER
// The blobs are those of the group $Default of the hub "ticks" at "localhost". SIGTERM drains.
#include <weir/azure/storage_credential.hpp>
#include <weir/eventhubs/use_event_hub_stream.hpp>
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
  std::string partition, body, worker;
};

using effects = sqlite::table<effect>;

weir::task<> keep(std::string worker, stream<eventhubs::record> events, stream_context& context) {
  auto const out = context.sink<effect>("effects");
  while (eventhubs::record* e = co_await events.next()) {
    effect row;
    row.partition = e->partition();
    row.body = e->payload();
    row.worker = worker;
    co_await out.write(row);
  }
}

int run(std::map<std::string, std::string> const& given) {
  auto const store = std::make_shared<sqlite::state_store>(given.at("--file"), std::chrono::seconds(30));
  store->in_transaction([](sqlite::database& db) {
    db.execute("CREATE TABLE IF NOT EXISTS effects(nth INTEGER PRIMARY KEY, partition TEXT, body TEXT, worker TEXT)");
  });
  effects const table(store, "INSERT INTO effects(partition, body, worker) VALUES(?, ?, ?)",
                      [](effect const& e) { return std::tuple(e.partition, e.body, e.worker); });
  settings s;
  s.name = "fleet";
  s.checkpoints = store;
  s.commit = commit_policy(500, std::chrono::milliseconds(200));
  s.log = logger(log_level::info);
  application app(std::move(s));
  eventhubs::options o;
  o.connection_string = "Endpoint=sb://localhost/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=c2VjcmV0;EntityPath=ticks";
  o.client.endpoint = given.at("--hub");
  o.client.net.proxies_from = nullptr;
  o.sharing.emplace();
  o.sharing->blobs.url = given.at("--blobs");
  o.sharing->blobs.by = azure::shared_key(given.at("--account"), given.at("--key"));
  o.sharing->blobs.http.proxies_from = nullptr;
  o.sharing->how.interval = std::chrono::seconds(1);
  o.sharing->how.expiry = std::chrono::seconds(6);
  o.sharing->checkpoint_every = std::chrono::milliseconds(200);
  std::string const name = given.at("--name");
  app.use_event_hub_stream(o, [&](auto& pipeline) {
    pipeline.use_sink("effects", table).use_stream([name](stream<eventhubs::record> events, stream_context& context) {
      return keep(name, std::move(events), context);
    });
  });
  return app.run();
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> given;
  for (int i = 1; i + 1 < argc; i += 2) given.insert_or_assign(argv[i], argv[i + 1]);
  for (char const* const needed : {"--hub", "--blobs", "--account", "--key", "--file", "--name"}) {
    if (given.contains(needed)) continue;
    std::cerr << "usage: event_hub_worker --hub tcp://HOST:PORT --blobs URL --account NAME --key KEY --file FILE --name WORKER\n";
    return 2;
  }
  try {
    return run(given);
  } catch (std::exception const& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
