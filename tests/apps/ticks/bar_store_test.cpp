#include <bar_event.hpp>
#include <bar_store.hpp>

#include "oracle.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <command_line/event_loop.hpp>
#include <results/own_transaction.hpp>
#include <results/sqlite_database.hpp>

#include <weir/error.hpp>
#include <weir/sqlite/state_store.hpp>
#include <weir/state_store.hpp>

#include <sqlite3.h>

#include <memory>
#include <string>
#include <vector>

using namespace ticks;
using weir::test::temporary_folder;

namespace {

constexpr std::int64_t second = 1'000'000'000, minute = 60 * second;

// A bar of trades of one price and size 2, in the minute that starts at `start` seconds.
closed_bar closed(char const* name, std::int64_t start, int trades = 1, char const* price = "10.50",
                  weir::pane pane = weir::pane::on_time) {
  bar b;
  for (int i = 0; i != trades; ++i) {
    auto const added = b.add(trade_order{(start + i) * second, start + i}, decimal::parse(price).value(), decimal::parse("2").value());
    REQUIRE(added);
  }
  return closed_bar(symbol::from(name).value(), weir::time_window(start * second, start * second + minute), b, 0, pane);
}

void check(std::string const& file, bar_origin const& origin, std::int64_t window = minute,
           progress_place progress = progress_place::elsewhere) {
  results::sqlite_database in(file);
  command_line::event_loop().run(bar_store::check(in, origin, window, progress));
}
std::unique_ptr<bar_store> open_bars(std::string const& file, bar_origin const& origin, std::int64_t window = minute) {
  return command_line::event_loop().run(bar_store::open(std::make_shared<results::sqlite_database>(file), origin, window));
}

// One run of the program, as far as the bars are concerned.
struct run {
  explicit run(temporary_folder const& folder, char const* source = "file a", char const* group = "")
      : file(std::make_shared<results::sqlite_database>(folder.file("bars"))),
        store(loop.run(bar_store::open(file, bar_origin{"files", source}, minute, group))) {}
  std::vector<bar_change> keep(std::vector<closed_bar> const& bars) {
    auto changes = loop.run(store->merge(bars));
    auto const write = results::own_transaction(file, store->statements_of(changes));
    loop.run(write->write(weir::checkpoint_key("ticks", "a", "0"), 1));
    return changes;
  }
  command_line::event_loop loop;
  std::shared_ptr<results::sqlite_database> file;
  std::unique_ptr<bar_store> store;
};

std::vector<std::string> table(temporary_folder const& folder) { return test::bars_in(folder.file("bars")); }

void execute(std::string const& file, char const* sql) {
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &db) == SQLITE_OK);
  CHECK(sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(db);
}

}  // namespace

TEST_CASE("bars are stored as a table anyone can read, and each that closed is an event") {
  temporary_folder const folder;
  run r(folder);
  auto const changes = r.keep({closed("ETH", 0, 2, "2683.80000000"), closed("BTC", 60)});
  CHECK(table(folder) == std::vector<std::string>{"BTC,60000,10.50,10.50,10.50,10.50,2,1",
                                                  "ETH,0,2683.80000000,2683.80000000,2683.80000000,2683.80000000,4,2"});
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].closed);
  CHECK(changes[0].is_new);
  CHECK_THAT(closed_event(changes[0]), Catch::StartsWith(R"({"event":"bar:closed","symbol":"ETH","window_start":0,"window_end":60000,)") &&
                                           Catch::EndsWith(R"("trades":2,"revision":1})"));
}

TEST_CASE("bars that are given a second time change nothing, and have the same events") {
  temporary_folder const folder;
  std::vector<closed_bar> bars;
  for (int i = 0; i != 300; ++i) bars.push_back(closed(i % 3 ? "A" : "B", 60 * i));
  std::vector<std::string> events;
  for (bar_change const& b : run(folder).keep(bars)) events.push_back(closed_event(b));
  auto const stored = table(folder);
  std::vector<std::string> again;
  for (bar_change const& b : run(folder).keep(bars)) {
    CHECK_FALSE(b.is_new);
    again.push_back(closed_event(b));
  }
  CHECK(table(folder) == stored);
  CHECK(again == events);
  CHECK(events.size() == 300);
}

TEST_CASE("a bar that has grown takes the place of the one before, with the next revision") {
  temporary_folder const folder;
  run r(folder);
  CHECK(r.keep({closed("A", 0, 1)})[0].revision == 1);
  auto const grown = r.keep({closed("A", 0, 3)});
  CHECK(table(folder) == std::vector<std::string>{"A,0,10.50,10.50,10.50,10.50,6,3"});
  CHECK(grown[0].revision == 2);
  CHECK(grown[0].is_new);
}

TEST_CASE("an early bar is stored and is not closed; the same one is new when it closes") {
  temporary_folder const folder;
  run r(folder);
  CHECK_FALSE(r.keep({closed("A", 0, 2, "10.50", weir::pane::early)})[0].closed);
  CHECK(table(folder) == std::vector<std::string>{"A,0,10.50,10.50,10.50,10.50,4,2"});
  auto const both = r.keep({closed("A", 0, 2, "10.50", weir::pane::early), closed("A", 0, 2)});
  CHECK_FALSE(both[0].is_new);
  CHECK(both[1].is_new);
  CHECK(both[1].revision == 1);
}

TEST_CASE("a bar of two inputs shows the trades of both, in whatever order they are given, and each input may give its part again") {
  temporary_folder const folder;
  run(folder, "file a").keep({closed("A", 0, 1, "10")});
  CHECK(run(folder, "file b").keep({closed("A", 0, 2, "12")})[0].revision == 2);
  std::vector<std::string> const both{"A,0,10,12,10,12,6,3"};
  CHECK(table(folder) == both);
  CHECK_FALSE(run(folder, "file a").keep({closed("A", 0, 1, "10")})[0].is_new);
  CHECK(table(folder) == both);
}

TEST_CASE("the last bars are those of the latest windows, by symbol and window") {
  temporary_folder const folder;
  run r(folder);
  for (int i = 0; i != 5; ++i) r.keep({closed("B", 60 * i), closed("A", 60 * i)});
  auto const last = r.loop.run(r.store->last_bars(3));
  REQUIRE(last.size() == 3);
  CHECK(last[0].key.name.view() == "A");
  CHECK(last[0].key.start == 4 * minute);
  CHECK(last[1].key.name.view() == "B");
  CHECK(last[1].key.start == 3 * minute);
  CHECK(last[2].key.start == 4 * minute);
  CHECK(r.loop.run(r.store->count()) == 10);
}

TEST_CASE("a file with bars of another window is refused with both lengths") {
  temporary_folder const folder;
  { run const r(folder); }
  CHECK_THROWS_WITH(open_bars(folder.file("bars"), bar_origin{"files", "file a"}, second), Catch::Contains("1m") && Catch::Contains("1s"));
  CHECK_THROWS_WITH(check(folder.file("bars"), bar_origin{"files", "file a"}, second), Catch::Contains("1m") && Catch::Contains("1s"));
}

TEST_CASE("bars of a built-in market and of files do not mix") {
  temporary_folder const folder;
  { run const r(folder); }
  CHECK_THROWS_WITH(open_bars(folder.file("bars"), bar_origin{"the built-in market", "m"}), Catch::Contains("made of files"));
}

TEST_CASE("a file of bars that an earlier version made is refused, and stays as it is") {
  temporary_folder const folder;
  execute(folder.file("bars"),
          "CREATE TABLE bars_meta(name TEXT PRIMARY KEY, value TEXT NOT NULL);"
          "INSERT INTO bars_meta VALUES('version', '2'), ('window', '60000000000'), ('kind', 'files'), ('id', 'abc')");
  for (progress_place const progress : {progress_place::here, progress_place::elsewhere})
    CHECK_THROWS_WITH(check(folder.file("bars"), bar_origin{"files", "file a"}, minute, progress),
                      Catch::Contains("bars: cannot use " + folder.file("bars")) &&
                          Catch::Contains("those of version 2, this program knows version 3") && Catch::Contains("under another name"));
  CHECK_THROWS_WITH(open_bars(folder.file("bars"), bar_origin{"files", "file a"}), Catch::Contains("version 2"));
  execute(folder.file("bars"), "SELECT 1 FROM bars_meta");
}

TEST_CASE("bars whose progress is elsewhere ask where; with checkpoints beside them all is well") {
  temporary_folder const folder;
  bar_origin const origin{"files", "file a"};
  { run const r(folder); }
  check(folder.file("bars"), origin);
  CHECK_THROWS_WITH(check(folder.file("bars"), origin, minute, progress_place::here), Catch::Contains("--checkpoint"));
  { weir::sqlite::state_store const checkpoints(folder.file("both")); }
  check(folder.file("both"), origin, minute, progress_place::here);
  (void)open_bars(folder.file("both"), origin);
  check(folder.file("both"), origin, minute, progress_place::here);
}

TEST_CASE("every file of bars has an identity, which it keeps") {
  temporary_folder const folder;
  std::string const first = open_bars(folder.file("a"), bar_origin{"files", "s"})->id();
  CHECK(first.size() == 16);
  CHECK(open_bars(folder.file("a"), bar_origin{"files", "t"})->id() == first);
  CHECK(open_bars(folder.file("b"), bar_origin{"files", "s"})->id() != first);
}

TEST_CASE("a file that is something else is refused") {
  temporary_folder const folder;
  folder.write("text", std::string(5'000, 'x'));
  CHECK_THROWS_WITH(open_bars(folder.file("text"), bar_origin{"files", "s"}), Catch::Contains("text") && Catch::Contains("not a database"));
  CHECK_THROWS_WITH(open_bars(folder.path().string(), bar_origin{"files", "s"}), Catch::Contains(folder.path().string()));
  CHECK_THROWS_WITH(open_bars(folder.file("no/such/folder/bars"), bar_origin{"files", "s"}), Catch::Contains("no/such/folder/bars"));
  execute(folder.file("other"), "CREATE TABLE people(name)");
  CHECK_THROWS_WITH(open_bars(folder.file("other"), bar_origin{"files", "s"}), Catch::Contains("something else"));
  CHECK_THROWS_WITH(check(folder.file("other"), bar_origin{"files", "s"}), Catch::Contains("something else"));
}

TEST_CASE("when a second program begins to write the same bars, the first stores nothing more, and says why") {
  temporary_folder const folder;
  run first(folder);
  first.keep({closed("A", 0)});
  run second_one(folder, "file b");
  CHECK_THROWS_WITH(first.keep({closed("A", 0, 2)}), Catch::Contains("another_program_writes_these_bars"));
  second_one.keep({closed("B", 0)});
  CHECK(table(folder) == std::vector<std::string>{"A,0,10.50,10.50,10.50,10.50,2,1", "B,0,10.50,10.50,10.50,10.50,2,1"});
}

TEST_CASE("programs of one group write the same bars, until one of another begins") {
  temporary_folder const folder;
  run first(folder, "stream", "leases t"), second_one(folder, "stream", "leases t");
  first.keep({closed("A", 0)});
  second_one.keep({closed("B", 0)});
  first.keep({closed("B", 0, 2)});  // a symbol that has come over
  CHECK(table(folder) == std::vector<std::string>{"A,0,10.50,10.50,10.50,10.50,2,1", "B,0,10.50,10.50,10.50,10.50,4,2"});
  run const alone(folder, "stream");
  CHECK_THROWS_WITH(first.keep({closed("A", 60)}), Catch::Contains("another_program_writes_these_bars"));
  CHECK_THROWS_WITH(second_one.keep({closed("B", 60)}), Catch::Contains("another_program_writes_these_bars"));
}
