#include <weir/sqlite/state_store.hpp>

#include <weir/sqlite/database.hpp>

#include "conformance/state_store_conformance.hpp"
#include "support/temporary_folder.hpp"

#include <fstream>

using namespace weir;
using namespace std::chrono_literals;
using test::entry;
using test::fails_with;
using test::head;
using test::put;

namespace {

checkpoint_key const key("bars", "ticks", "shard-1");
saved_checkpoint const some(head(1, position(17, 0, 3), 1'723'161'255'342'000'001), {entry("window", "BTC", "open windows")});
checkpoint_update const making_some(some.head, {put("window", "BTC", "open windows")});

void commit(std::filesystem::path const& file, checkpoint_key const& k, checkpoint_update const& u) {
  sqlite::state_store store(file);
  testing::run(store.commit(k, u));
}
std::optional<saved_checkpoint> load(std::filesystem::path const& file) {
  sqlite::state_store store(file);
  return testing::run(store.load(key));
}
checkpoint_update nth(std::uint64_t version, std::uint64_t at) { return checkpoint_update(head(version, position(at))); }

}  // namespace

TEST_CASE("the state store in SQLite does what every state store must do", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  auto const file = folder / "app.checkpoint";
  test::state_store_conformance(std::make_unique<sqlite::state_store>(file), [&](std::unique_ptr<weir::state_store> old) {
    old.reset();
    return std::make_unique<sqlite::state_store>(file);
  });
}

TEST_CASE("checkpoints and their state can be read with the sqlite3 shell", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  commit(folder / "c", key, making_some);
  sqlite::database db(folder / "c", sqlite::open_mode::read_only);
  auto heads = db.prepare("SELECT pipeline, stream, partition, position, written_at, version, writer, length(checksum) FROM checkpoints");
  REQUIRE(heads.step());
  std::vector<std::string> columns;
  for (int i = 0; i < 8; ++i) columns.emplace_back(heads.text(i));
  CHECK(columns == std::vector<std::string>{"bars", "ticks", "shard-1", "17.0.3", "2024-08-08T23:54:15.342000001Z", "1", "run-1", "16"});
  CHECK_FALSE(heads.step());
  auto rows = db.prepare("SELECT operator, CAST(key AS TEXT), CAST(value AS TEXT), typeof(key), typeof(value) FROM state");
  REQUIRE(rows.step());
  columns.clear();
  for (int i = 0; i < 5; ++i) columns.emplace_back(rows.text(i));
  CHECK(columns == std::vector<std::string>{"window", "BTC", "open windows", "blob", "blob"});
  CHECK_FALSE(rows.step());
  CHECK(db.number("PRAGMA user_version") == 2);
  CHECK(db.number("PRAGMA application_id") == 0x77656972);
}

TEST_CASE("a commit is on the disk when it returns", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  sqlite::database db(folder / "c");
  CHECK(db.number("PRAGMA synchronous") == 2);  // FULL
  auto mode = db.prepare("PRAGMA journal_mode");
  REQUIRE(mode.step());
  CHECK(mode.text(0) == "wal");
}

TEST_CASE("a checkpoint whose row was damaged is an error and not a wrong restart", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  auto const file = folder / "c";
  commit(file, key, making_some);
  commit(file, checkpoint_key("bars", "ticks", "shard-2"), making_some);
  char const* const damage =
      GENERATE("position = '17.0.4'", "position = 'x'", "written_at = '2024-08-08T23:54:15.342000002Z'", "version = 2", "writer = 'run-2'",
               "checksum = '0000000000000000'", "checksum = ''", "partition = 'shard-3'");
  INFO(damage);
  sqlite::database(file).execute(std::string("UPDATE checkpoints SET ") + damage + " WHERE partition = 'shard-1'");

  sqlite::state_store store(file);
  checkpoint_key const found = std::string_view(damage) == "partition = 'shard-3'" ? checkpoint_key("bars", "ticks", "shard-3") : key;
  auto const what = "does not match its checksum";
  fails_with(
      errc::corrupt, [&] { testing::run(store.load(found)); }, "checkpoint: cannot load (stream ticks, partition " + found.partition,
      file.string(), what);
  fails_with(errc::corrupt, [&] { testing::run(store.list("bars")); }, what);
  fails_with(errc::corrupt, [&] { testing::run(store.commit(found, nth(2, 18))); }, what);
  CHECK(testing::run(store.load(checkpoint_key("bars", "ticks", "shard-2"))) == some);

  testing::run(store.erase(found));
  CHECK(testing::run(store.load(found)) == std::nullopt);
  testing::run(store.commit(found, making_some));
  CHECK(testing::run(store.load(found)) == some);
}

TEST_CASE("state that was damaged is an error and not a wrong restart", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  auto const file = folder / "c";
  commit(file, key, making_some);
  char const* const damage =
      GENERATE("value = x'6f70656e2077696e646f7774'", "value = x''", "key = x'425444'", "operator = 'windov'", "checksum = checksum + 1");
  INFO(damage);
  sqlite::database(file).execute(std::string("UPDATE state SET ") + damage);
  fails_with(
      errc::corrupt, [&] { load(file); }, "checkpoint: cannot load (stream ticks, partition shard-1", "state of operator windo",
      "does not match its checksum", "restore the file from a backup");
}

TEST_CASE("a file of another version is refused and left alone", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  auto const file = folder / "c";
  commit(file, key, making_some);
  sqlite::database(file).execute("PRAGMA user_version = 3");
  fails_with(
      errc::incompatible, [&] { sqlite::state_store store(file); }, "checkpoint: cannot use the file (" + file.string() + ")",
      "a later version of Weir", "version 3", "knows 2");
  sqlite::database(file).execute("PRAGMA user_version = 1");
  fails_with(errc::incompatible, [&] { sqlite::state_store store(file); }, "an earlier version of Weir", "version 1");
  sqlite::database(file).execute("PRAGMA user_version = 2");
  CHECK(load(file) == some);
}

TEST_CASE("a database of another program is refused and left alone", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  auto const file = folder / "bars.sqlite";
  sqlite::database(file).execute("CREATE TABLE bars(symbol TEXT)");
  fails_with(errc::incompatible, [&] { sqlite::state_store store(file); }, file.string(), "another program", "another name");
  CHECK(sqlite::database(file).number("SELECT count(*) FROM sqlite_schema") == 1);
}

TEST_CASE("several stores use one file, and none goes on from what another has replaced", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  sqlite::state_store one(folder / "c"), other(folder / "c");
  testing::run(one.commit(key, nth(1, 5)));
  testing::run(other.commit(key, nth(2, 8)));
  fails_with(errc::stale, [&] { testing::run(one.commit(key, nth(2, 9))); }, "has version 2 at position 8");
  testing::run(one.commit(key, nth(3, 9)));
  CHECK(testing::run(other.load(key)) == saved_checkpoint(head(3, position(9))));
}

TEST_CASE("behind somebody else's lock a commit fails after the busy timeout, and the next one works", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  sqlite::state_store store(folder / "c", 1ms);
  testing::run(store.commit(key, nth(1, 5)));
  sqlite::database other(folder / "c");
  {
    sqlite::transaction const lock(other);
    fails_with(
        errc::busy, [&] { testing::run(store.commit(key, nth(2, 6))); }, "sqlite: ", "database is locked",
        "another connection or process holds the lock");
    CHECK(testing::run(store.load(key)) == saved_checkpoint(head(1, position(5))));
  }
  testing::run(store.commit(key, nth(2, 6)));
}

TEST_CASE("a file that was deleted or replaced under the store is noticed", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  sqlite::state_store store(folder / "c");
  testing::run(store.commit(key, nth(1, 5)));
  std::filesystem::remove(folder / "c");
  fails_with(errc::io, [&] { testing::run(store.commit(key, nth(2, 6))); }, "moved or deleted", (folder / "c").string());
}

TEST_CASE("a commit that was never awaited writes nothing", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  sqlite::state_store store(folder / "c");
  { auto const dropped = store.commit(key, making_some); }
  CHECK(testing::run(store.load(key)) == std::nullopt);
}
