// The same as a program does it: over HTTP, signed, into a file of SQLite.
#include <weir/application.hpp>
#include <weir/instant.hpp>
#include <weir/kinesis/use_kinesis_stream.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/sqlite/state_store.hpp>
#include <weir/sqlite/table.hpp>

#include "properties/dice.hpp"
#include "support/catch.hpp"
#include "support/keeping_in.hpp"
#include "support/kinesis_server.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

using namespace weir;
using namespace std::chrono_literals;
using test::kinesis_fault;

namespace {

struct row {
  std::string key, shard;
  std::int64_t number = 0;
};

class served_stream {
public:
  served_stream() : server(by_the_system_clock()) { server.create("ticks", 2); }

  void put(int records) {
    for (int i = 0; i != records; ++i) {
      std::string const key = "k" + std::to_string(dice_.upto(19));
      server.put("ticks", key, std::to_string(next[key]++));
    }
  }
  void reshard() {
    test::kinesis_stream const now = server.stream("ticks");
    auto const open = now.open();
    auto const id = [&](std::size_t i) { return now.shards()[open[i]].id(); };
    if (open.size() > 3) server.merge("ticks", id(0), id(1));
    else server.split("ticks", id(static_cast<std::size_t>(dice_.upto(static_cast<int>(open.size()) - 1))));
  }
  void fail() {
    static std::array<kinesis_fault, 15> const all{kinesis_fault::throttle(),
                                                   kinesis_fault::empty(500),
                                                   kinesis_fault::empty(503),
                                                   kinesis_fault::close(),
                                                   kinesis_fault::lose_reply(),
                                                   kinesis_fault::cut_reply(),
                                                   kinesis_fault::late(20ms),
                                                   kinesis_fault::refuse("ExpiredIteratorException", "old"),
                                                   kinesis_fault::refuse("KMSThrottlingException"),
                                                   kinesis_fault::refuse("InternalFailure", "", 500),
                                                   kinesis_fault::hang(),
                                                   kinesis_fault::empty(429),
                                                   kinesis_fault::refuse("ExpiredTokenException"),
                                                   kinesis_fault::refuse("RequestTimeTooSkewed", "", 403),
                                                   kinesis_fault::refuse("ServiceUnavailable", "<html>a proxy's</html>", 502)};
    server.fail("GetRecords", all[failures++ % all.size()], 1, 2);
    if (failures % 4 == 0) server.fail("GetShardIterator", all[failures % all.size()]);
    if (failures % 6 == 0) server.fail("ListShards", all[failures % 7]);
    if (failures % 9 == 0) server.expire_iterators();
  }

  test::kinesis_server server;
  std::map<std::string, std::int64_t> next;
  std::size_t failures = 0;

private:
  // Or the records that are put first would be too old when the first request comes.
  static test::kinesis_server::options by_the_system_clock() {
    test::kinesis_server::options o;
    o.clock = [] { return to_instant(std::chrono::system_clock::now()); };
    return o;
  }
  test::dice dice_{5};
};

}  // namespace

TEST_CASE("a program reads a stream over HTTP into SQLite, each record once and in the order of its key", "[kinesis][delivery]") {
  test::temporary_folder const folder;
  auto const store = std::make_shared<sqlite::state_store>(folder.file("checkpoints.sqlite"));
  store->in_transaction([](sqlite::database& db) { db.execute("CREATE TABLE seen(key, number, shard)"); });
  sqlite::table<row> const seen(store, "INSERT INTO seen VALUES(?, ?, ?)",
                                [](row const& r) { return std::tuple(r.key, r.number, r.shard); });
  served_stream ticks;
  ticks.put(500);
  std::size_t handled = 0, put = 500;
  constexpr std::size_t all = 5'000;
  for (std::size_t until = 1'000; until <= all; until += 1'000) {  // each time in another process, as it were
    application app(test::keeping_in(store, 50));
    kinesis::options o;
    o.stream = "ticks";
    o.client = ticks.server.client_options();
    o.client.http.request_timeout = 300ms;  // for who hangs
    o.limit = 100;
    o.poll = 2ms;
    o.idle_poll = 10ms;
    o.discover = 100ms;
    o.limits = std::make_shared<kinesis::read_limits>(kinesis::read_rate(500, 1e9));
    app.use_kinesis_stream(std::move(o), [&](auto& pipeline) {
      pipeline.use_sink("seen", seen).use_stream([&](stream<kinesis::record> in, stream_context& context) -> task<> {
        auto const out = context.sink<row>("seen");
        while (kinesis::record* r = co_await in.next()) {
          row const one{std::string(r->partition_key()), std::string(r->shard_id()), std::stoll(std::string(r->data()))};
          co_await out.write(one);
          if (++handled % 100 == 0) {
            std::size_t const more = std::min<std::size_t>(200, all - put);
            put += more;
            ticks.put(static_cast<int>(more));
            if (put < all && handled % 200 == 0) ticks.reshard();
            ticks.fail();
          }
          if (handled == until) app.stop();
        }
      });
    });
    CHECK(app.run() == 0);
  }
  sqlite::database db(folder.file("checkpoints.sqlite"));
  auto select = db.prepare("SELECT key, number FROM seen ORDER BY rowid");
  std::map<std::string, std::int64_t> next;
  while (select.step()) REQUIRE(select.integer(1) == next[std::string(select.text(0))]++);
  CHECK(next == ticks.next);
  CHECK(ticks.failures >= 45);
  CHECK(db.number("SELECT count(DISTINCT shard) FROM seen") > 10);
}
