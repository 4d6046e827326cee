#include <bar_event.hpp>
#include <bar_keeper.hpp>

#include "oracle.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <command_line/event_loop.hpp>
#include <results/sqlite_database.hpp>

#include <weir/error.hpp>
#include <weir/file/line_file.hpp>

#include <sqlite3.h>

#include <algorithm>
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

std::unique_ptr<bar_store> open_bars(std::string const& file, bar_origin const& origin, std::int64_t window = minute) {
  return command_line::event_loop().run(bar_store::open(std::make_unique<results::sqlite_database>(file), origin, window));
}

// One run of the program, as far as the bars are concerned.
struct run {
  explicit run(temporary_folder const& folder, char const* source = "file a")
      : store(open_bars(folder.file("bars"), bar_origin{"files", source})),
        events(folder.file("events"), "events", closed_event_beginning),
        keeper(*store, &events) {
    loop.run(keeper.resume());
  }
  void keep(std::vector<closed_bar> const& bars) { loop.run(keeper.store(bars)); }
  void settle() { loop.run(keeper.settle()); }
  command_line::event_loop loop;
  std::unique_ptr<bar_store> store;
  weir::file::line_file events;
  bar_keeper keeper;
};

std::vector<std::string> table(temporary_folder const& folder) { return test::bars_in(folder.file("bars")); }

std::size_t lines(std::string const& text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace

TEST_CASE("bars are stored as a table anyone can read, and announced") {
  temporary_folder const folder;
  run r(folder);
  r.keep({closed("ETH", 0, 2, "2683.80000000"), closed("BTC", 60)});
  CHECK(table(folder) == std::vector<std::string>{"BTC,60000,10.50,10.50,10.50,10.50,2,1",
                                                  "ETH,0,2683.80000000,2683.80000000,2683.80000000,2683.80000000,4,2"});
  CHECK(lines(folder.read("events")) == 2);
  CHECK_THAT(folder.read("events"), Catch::StartsWith(R"({"event":"bar:closed","symbol":"ETH","window_start":0,"window_end":60000,)"));
  CHECK(r.keeper.closed() == 2);
}

TEST_CASE("bars that are given a second time change nothing and are not announced again") {
  temporary_folder const folder;
  std::vector<closed_bar> bars;
  for (int i = 0; i != 300; ++i) bars.push_back(closed(i % 3 ? "A" : "B", 60 * i));
  {
    run r(folder);
    r.keep(bars);
    r.settle();
  }
  auto const stored = table(folder);
  auto const events = folder.read("events");
  run again(folder);
  again.keep(bars);
  CHECK(table(folder) == stored);
  CHECK(folder.read("events") == events);
  CHECK(lines(events) == 300);
  CHECK(again.keeper.closed() == 0);
}

TEST_CASE("a bar that has grown takes the place of the one before, and is announced with the next revision") {
  temporary_folder const folder;
  run r(folder);
  r.keep({closed("A", 0, 1)});
  r.keep({closed("A", 0, 3)});
  CHECK(table(folder) == std::vector<std::string>{"A,0,10.50,10.50,10.50,10.50,6,3"});
  CHECK_THAT(folder.read("events"), Catch::Contains("\"trades\":1,\"revision\":1}\n") && Catch::Contains("\"trades\":3,\"revision\":2}\n"));
}

TEST_CASE("an early bar is stored and not announced; the same one is announced when it closes") {
  temporary_folder const folder;
  run r(folder);
  r.keep({closed("A", 0, 2, "10.50", weir::pane::early)});
  CHECK(table(folder) == std::vector<std::string>{"A,0,10.50,10.50,10.50,10.50,4,2"});
  CHECK(folder.read("events").empty());
  r.keep({closed("A", 0, 2, "10.50", weir::pane::early)});
  r.keep({closed("A", 0, 2)});
  CHECK(lines(folder.read("events")) == 1);
  CHECK_THAT(folder.read("events"), Catch::Contains("\"revision\":1}"));
}

TEST_CASE("a bar of two inputs shows the trades of both, in whatever order they are given, and each input may give its part again") {
  temporary_folder const folder;
  run(folder, "file a").keep({closed("A", 0, 1, "10")});
  run(folder, "file b").keep({closed("A", 0, 2, "12")});
  std::vector<std::string> const both{"A,0,10,12,10,12,6,3"};
  CHECK(table(folder) == both);
  run(folder, "file a").keep({closed("A", 0, 1, "10")});
  CHECK(table(folder) == both);
}

TEST_CASE(
    "an announcement that was decided but not written is made by the next run, an announced one is not repeated after a settled end") {
  temporary_folder const folder;
  run(folder).keep({closed("A", 0)});
  // As after a crash between the commit and the file: the event is remembered, the file does not have it.
  folder.write("events", "");
  {
    run r(folder);
    CHECK(lines(folder.read("events")) == 1);
    r.keep({closed("A", 60)});
    CHECK(lines(folder.read("events")) == 2);
    r.settle();
    CHECK(r.loop.run(r.store->pending_events(10)).empty());
  }
  run const r(folder);
  CHECK(lines(folder.read("events")) == 2);
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
}

TEST_CASE("bars of a built-in market and of files do not mix") {
  temporary_folder const folder;
  { run const r(folder); }
  CHECK_THROWS_WITH(open_bars(folder.file("bars"), bar_origin{"the built-in market", "m"}), Catch::Contains("made of files"));
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
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(folder.file("other").c_str(), &db) == SQLITE_OK);
  REQUIRE(sqlite3_exec(db, "CREATE TABLE people(name)", nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(db);
  CHECK_THROWS_WITH(open_bars(folder.file("other"), bar_origin{"files", "s"}), Catch::Contains("something else"));
}

TEST_CASE("a second program that writes the same bars is noticed before anything is stored") {
  temporary_folder const folder;
  run first(folder);
  run second_one(folder);
  first.keep({closed("A", 0)});
  CHECK_THROWS_WITH(second_one.keep({closed("A", 0, 2)}), Catch::Contains("another program wrote"));
  first.keep({closed("B", 0)});
  CHECK(table(folder) == std::vector<std::string>{"A,0,10.50,10.50,10.50,10.50,2,1", "B,0,10.50,10.50,10.50,10.50,2,1"});
}
