// Rows that are written in the transaction of a commit.
#include <weir/sqlite/table.hpp>

#include <weir/application.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/sink.hpp>
#include <weir/sqlite/database.hpp>
#include <weir/testing/faulty_source.hpp>
#include <weir/testing/run.hpp>

#include "conformance/state_store_conformance.hpp"
#include "support/fails_with.hpp"
#include "support/temporary_folder.hpp"

using namespace weir;
using test::fails_with;
using test::head;

namespace {

checkpoint_key const key("bars", "ticks", "shard-1");

struct bar {
  std::string symbol;
  std::int64_t start;
  double close;
};
static_assert(transactional_sink<sqlite::table<bar>>);

std::shared_ptr<sqlite::state_store> store_with_bars(std::filesystem::path const& file) {
  auto store = std::make_shared<sqlite::state_store>(file);
  store->in_transaction(
      [](sqlite::database& db) { db.execute("CREATE TABLE IF NOT EXISTS bars(symbol TEXT, start INTEGER, close REAL CHECK(close > 0))"); });
  return store;
}
sqlite::table<bar> bars_in(std::shared_ptr<sqlite::state_store> store) {
  return {std::move(store), "INSERT INTO bars VALUES(?, ?, ?)", [](bar const& b) { return std::tuple(b.symbol, b.start, b.close); }};
}
checkpoint_update with(std::uint64_t version, std::shared_ptr<store_write> w) {
  return {head(version, position(version)), {}, {std::move(w)}};
}
std::string content(std::filesystem::path const& file) {
  sqlite::database db(file, sqlite::open_mode::read_only);
  auto rows = db.prepare("SELECT symbol, start, close FROM bars ORDER BY rowid");
  std::string all;
  while (rows.step()) all += std::string(rows.text(0)) + " " + std::string(rows.text(1)) + " " + std::string(rows.text(2)) + ";";
  return all;
}

}  // namespace

TEST_CASE("rows of a table are there with their commit, and only then", "[sqlite][sink]") {
  test::temporary_folder folder;
  auto const file = folder / "bars.sqlite";
  auto const store = store_with_bars(file);
  auto const bars = bars_in(store);
  auto const rows = bars.write({{"BTC", 60, 1.5}, {"ETH", 60, 2.5}});
  CHECK(content(file) == "");
  testing::run(store->commit(key, with(1, rows)));
  CHECK(content(file) == "BTC 60 1.5;ETH 60 2.5;");
  testing::run(store->commit(key, with(1, rows)));  // the same again, as after a lost answer
  CHECK(content(file) == "BTC 60 1.5;ETH 60 2.5;");
  testing::run(store->commit(key, with(2, bars.write({{"BTC", 120, 1.75}}))));
  CHECK(content(file) == "BTC 60 1.5;ETH 60 2.5;BTC 120 1.75;");
}

TEST_CASE("a row that is refused undoes the commit, and says why", "[sqlite][sink]") {
  test::temporary_folder folder;
  auto const file = folder / "bars.sqlite";
  auto const store = store_with_bars(file);
  auto const bars = bars_in(store);
  testing::run(store->commit(key, with(1, bars.write({{"BTC", 60, 1.5}}))));
  fails_with(
      errc::rejected, [&] { testing::run(store->commit(key, with(2, bars.write({{"ETH", 60, 2.5}, {"ETH", 120, -1}})))); },
      "CHECK constraint failed");
  CHECK(content(file) == "BTC 60 1.5;");
  CHECK(testing::run(store->load(key))->head.version == 1);
  testing::run(store->commit(key, with(2, bars.write({{"ETH", 60, 2.5}}))));
  CHECK(content(file) == "BTC 60 1.5;ETH 60 2.5;");
}

TEST_CASE("a commit that is stale writes no rows", "[sqlite][sink]") {
  test::temporary_folder folder;
  auto const file = folder / "bars.sqlite";
  auto const store = store_with_bars(file);
  auto const bars = bars_in(store);
  testing::run(store->commit(key, with(1, bars.write({{"BTC", 60, 1.5}}))));
  fails_with(errc::stale, [&] { testing::run(store->commit(key, with(3, bars.write({{"ETH", 60, 2.5}})))); }, "version 1");
  CHECK(content(file) == "BTC 60 1.5;");
}

TEST_CASE("rows of another store are refused before anything is written", "[sqlite][sink]") {
  test::temporary_folder folder;
  auto const store = store_with_bars(folder / "a.sqlite"), other = store_with_bars(folder / "b.sqlite");
  fails_with(errc::misuse, [&] { testing::run(other->commit(key, with(1, bars_in(store).write({{"BTC", 60, 1.5}})))); }, "another store");
  CHECK_FALSE(testing::run(other->load(key)));
  CHECK(content(folder / "a.sqlite") == "");
}

TEST_CASE("a pipeline writes its rows with its checkpoints, and says so", "[sqlite][sink]") {
  test::temporary_folder folder;
  auto const file = folder / "bars.sqlite";
  std::vector<std::string> said;
  auto const input = testing::script<bar>("ticks").elements({{"BTC", 60, 1.5}, {"ETH", 60, 2.5}}).fail("lost").element({"BTC", 120, 1.75});
  for (int start = 1; start <= 2; ++start) {
    auto const store = store_with_bars(file);
    settings s;
    s.checkpoints = store;
    s.commit.records = 1;
    s.log = logger(log_level::info, [&](log_level, std::string_view text) { said.emplace_back(text); });
    application app(std::move(s));
    app.use_source(std::make_shared<testing::faulty_source<bar>>(input), [&](auto& pipeline) {
      pipeline.use_sink("bars", bars_in(store)).use_stream([](stream<bar> in, stream_context& context) -> task<> {
        while (bar* const b = co_await in.next()) co_await context.sink<bar>("bars").write(*b);
      });
    });
    if (start == 1) CHECK_THROWS_AS(testing::run(app.serve()), error);
    else testing::run(app.serve());
  }
  CHECK(said.front() == "application: ticks -> bars: effects exactly once (transactional sqlite)");
  CHECK(content(file) == "BTC 60 1.5;ETH 60 2.5;BTC 120 1.75;");
}
