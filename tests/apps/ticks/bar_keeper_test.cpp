#include <bar_event.hpp>
#include <bar_keeper.hpp>

#include "oracle.hpp"
#include "support/catch.hpp"
#include "temporary_folder.hpp"

#include <weir/error.hpp>

#include <sqlite3.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace ticks;
using ticks::test::temporary_folder;

namespace {

constexpr std::int64_t minute = 60'000'000'000;

tick make(std::uint64_t position, char const* name, std::int64_t seconds, char const* price = "10.50", char const* size = "2") {
  return tick(symbol::from(name).value(), decimal::parse(price).value(), decimal::parse(size).value(),
              trade_order{seconds * 1'000'000'000, static_cast<std::int64_t>(position)}, weir::position(position));
}

// One run of the program, as far as the bars are concerned.
struct run {
  explicit run(temporary_folder const& folder, char const* source = "file a", std::int64_t window = minute)
      : store(folder.file("bars"), bar_origin{"files", source}, window),
        events(folder.file("events"), "events", closed_event_beginning),
        keeper(store, window, &events) {}
  bool fold(tick const& t) { return keeper.of(t.name).fold(t); }
  bar_store store;
  line_file events;
  bar_keeper keeper;
};

std::vector<std::string> table(temporary_folder const& folder) { return test::bars_in(folder.file("bars")); }

std::size_t lines(std::string const& text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace

TEST_CASE("bars are stored as a table anyone can read") {
  temporary_folder const folder;
  run r(folder);
  r.fold(make(1, "ETH", 5, "2683.80000000", "0.5"));
  r.fold(make(2, "ETH", 6, "2690.1", "0.25000"));
  r.fold(make(3, "BTC", 65));
  r.keeper.commit();
  CHECK(table(folder) ==
        std::vector<std::string>{"BTC,60000,10.50,10.50,10.50,10.50,2,1", "ETH,0,2683.80000000,2690.1,2683.80000000,2690.1,0.75000,2"});
}

TEST_CASE("what is not committed is not stored, and is folded again when it is delivered again") {
  temporary_folder const folder;
  {
    run r(folder);
    r.fold(make(1, "A", 5));
    r.keeper.commit();
    r.fold(make(2, "A", 6));
    r.fold(make(3, "B", 7));
  }
  run again(folder);
  CHECK_FALSE(again.fold(make(1, "A", 5)));
  CHECK(again.fold(make(2, "A", 6)));
  CHECK(again.fold(make(3, "B", 7)));
  again.keeper.commit();
  CHECK(table(folder) == std::vector<std::string>{"A,0,10.50,10.50,10.50,10.50,4,2", "B,0,10.50,10.50,10.50,10.50,2,1"});
}

TEST_CASE("a whole input that is delivered a second time changes nothing") {
  temporary_folder const folder;
  auto const all = [&] {
    run r(folder);
    std::uint64_t position = 0;
    for (int i = 0; i != 1'000; ++i) {
      ++position;
      r.fold(make(position, i % 3 ? "A" : "B", i));
      if (i % 7 == 0) r.keeper.commit();
    }
    r.keeper.commit();
    r.keeper.finish();
  };
  all();
  auto const bars = table(folder);
  auto const events = folder.read("events");
  all();
  CHECK(table(folder) == bars);
  CHECK(folder.read("events") == events);
  CHECK(lines(events) == bars.size());
}

TEST_CASE("positions of different inputs are kept apart") {
  temporary_folder const folder;
  {
    run r(folder, "file a");
    r.fold(make(100, "A", 5));
    r.keeper.commit();
  }
  run r(folder, "file b");
  CHECK(r.fold(make(1, "A", 6)));
  r.keeper.commit();
  run first(folder, "file a");
  CHECK_FALSE(first.fold(make(100, "A", 5)));
  CHECK(table(folder) == std::vector<std::string>{"A,0,10.50,10.50,10.50,10.50,4,2"});
}

TEST_CASE("a bar is announced when it closes, and what is open at the end of the data") {
  temporary_folder const folder;
  run r(folder);
  r.fold(make(1, "A", 5));
  r.fold(make(2, "B", 6));
  r.keeper.commit();
  CHECK(folder.read("events").empty());
  r.fold(make(3, "A", 65));
  r.keeper.commit();
  CHECK(lines(folder.read("events")) == 1);
  CHECK_THAT(folder.read("events"), Catch::Contains(R"("symbol":"A","window_start":0,)"));
  r.keeper.finish();
  CHECK(lines(folder.read("events")) == 3);
  CHECK(r.store.pending_events(10).empty());
  CHECK(r.store.open_bars(10).empty());
}

TEST_CASE(
    "an announcement that was decided but not written is made by the next run, an announced one is not repeated after a settled end") {
  temporary_folder const folder;
  {
    run r(folder);
    r.fold(make(1, "A", 5));
    r.fold(make(2, "A", 65));
    r.keeper.commit();
  }
  // As after a crash between the commit and the file: the event is remembered, the file does not have it.
  folder.write("events", "");
  {
    run r(folder);
    CHECK(lines(folder.read("events")) == 1);
    r.fold(make(3, "A", 125));
    r.keeper.commit();
    CHECK(lines(folder.read("events")) == 2);
    r.keeper.settle();
  }
  run r(folder);
  CHECK(lines(folder.read("events")) == 2);
}

TEST_CASE("bars of many symbols are closed at the end of the data") {
  temporary_folder const folder;
  run r(folder);
  for (std::uint64_t i = 0; i != 2'500; ++i) r.fold(make(i + 1, ("S" + std::to_string(i)).c_str(), 5));
  r.keeper.commit();
  r.keeper.finish();
  CHECK(lines(folder.read("events")) == 2'500);
  CHECK(r.keeper.figures().closed == 2'500);
}

TEST_CASE("the last bars are those of the latest windows, by symbol and window") {
  temporary_folder const folder;
  run r(folder);
  std::uint64_t position = 0;
  for (int i = 0; i != 5; ++i)
    for (auto const* name : {"B", "A"}) r.fold(make(++position, name, i * 60));
  r.keeper.commit();
  auto const last = r.store.last_bars(3);
  REQUIRE(last.size() == 3);
  CHECK(last[0].name.view() == "A");
  CHECK(last[0].start == 4 * minute);
  CHECK(last[1].name.view() == "B");
  CHECK(last[1].start == 3 * minute);
  CHECK(last[2].start == 4 * minute);
  CHECK(r.store.count() == 10);
}

TEST_CASE("a file with bars of another window is refused with both lengths") {
  temporary_folder const folder;
  { run const r(folder); }
  CHECK_THROWS_WITH(bar_store(folder.file("bars"), bar_origin{"files", "file a"}, 1'000'000'000),
                    Catch::Contains("1m") && Catch::Contains("1s"));
}

TEST_CASE("bars of a built-in market and of files do not mix") {
  temporary_folder const folder;
  { run const r(folder); }
  CHECK_THROWS_WITH(bar_store(folder.file("bars"), bar_origin{"the built-in market", "m"}, minute), Catch::Contains("made of files"));
}

TEST_CASE("every file of bars has an identity, which it keeps") {
  temporary_folder const folder;
  std::string const first = bar_store(folder.file("a"), bar_origin{"files", "s"}, minute).id();
  CHECK(first.size() == 16);
  CHECK(bar_store(folder.file("a"), bar_origin{"files", "t"}, minute).id() == first);
  CHECK(bar_store(folder.file("b"), bar_origin{"files", "s"}, minute).id() != first);
}

TEST_CASE("a file that is something else is refused") {
  temporary_folder const folder;
  folder.write("text", std::string(5'000, 'x'));
  CHECK_THROWS_WITH(bar_store(folder.file("text"), bar_origin{"files", "s"}, minute),
                    Catch::Contains("text") && Catch::Contains("not a database"));
  CHECK_THROWS_WITH(bar_store(folder.path().string(), bar_origin{"files", "s"}, minute), Catch::Contains(folder.path().string()));
  CHECK_THROWS_WITH(bar_store(folder.file("no/such/folder/bars"), bar_origin{"files", "s"}, minute),
                    Catch::Contains("no/such/folder/bars"));
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(folder.file("other").c_str(), &db) == SQLITE_OK);
  REQUIRE(sqlite3_exec(db, "CREATE TABLE people(name)", nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(db);
  CHECK_THROWS_WITH(bar_store(folder.file("other"), bar_origin{"files", "s"}, minute), Catch::Contains("something else"));
}

TEST_CASE("a second program that writes the same bars is noticed before anything is stored") {
  temporary_folder const folder;
  run first(folder);
  run second(folder);
  first.fold(make(1, "A", 5));
  second.fold(make(1, "A", 5));
  first.keeper.commit();
  CHECK_THROWS_WITH(second.keeper.commit(), Catch::Contains("another program wrote"));
  first.fold(make(2, "A", 6));
  first.keeper.commit();
  CHECK(table(folder) == std::vector<std::string>{"A,0,10.50,10.50,10.50,10.50,4,2"});
}
