#include <weir/sqlite/checkpoint_store.hpp>

#include <weir/sqlite/database.hpp>

#include "conformance/checkpoint_store_conformance.hpp"
#include "support/temporary_folder.hpp"

#include <fstream>

using namespace weir;
using namespace std::chrono_literals;
using test::bytes_of;
using test::fails_with;

namespace {

checkpoint_key const key("bars", "ticks", "shard-1");
saved_checkpoint const some(position(17, 0, 3), 1'723'161'255'342'000'001, bytes_of("open windows"));

void save(std::filesystem::path const& file, checkpoint_key const& k, saved_checkpoint const& c) {
  sqlite::checkpoint_store store(file);
  testing::run(store.save(k, c));
}
std::optional<saved_checkpoint> load(std::filesystem::path const& file) {
  sqlite::checkpoint_store store(file);
  return testing::run(store.load(key));
}

}  // namespace

TEST_CASE("the checkpoint store in SQLite does what every checkpoint store must do", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  auto const file = folder / "app.checkpoint";
  test::checkpoint_store_conformance(std::make_unique<sqlite::checkpoint_store>(file), [&](std::unique_ptr<weir::checkpoint_store> old) {
    old.reset();
    return std::make_unique<sqlite::checkpoint_store>(file);
  });
}

TEST_CASE("checkpoints can be read with the sqlite3 shell", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  save(folder / "c", key, some);
  sqlite::database db(folder / "c", sqlite::open_mode::read_only);
  auto rows =
      db.prepare("SELECT pipeline, stream, partition, position, written_at, state, length(checksum), typeof(state) FROM checkpoints");
  REQUIRE(rows.step());
  CHECK(rows.text(0) == "bars");
  CHECK(rows.text(1) == "ticks");
  CHECK(rows.text(2) == "shard-1");
  CHECK(rows.text(3) == "17.0.3");
  CHECK(rows.text(4) == "2024-08-08T23:54:15.342000001Z");
  CHECK(rows.text(5) == "open windows");
  CHECK(rows.integer(6) == 16);
  CHECK(rows.text(7) == "blob");
  CHECK_FALSE(rows.step());
  CHECK(db.number("PRAGMA user_version") == 1);
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

TEST_CASE("a row that was damaged is an error and not a wrong restart", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  auto const file = folder / "c";
  save(file, key, some);
  save(file, checkpoint_key("bars", "ticks", "shard-2"), some);
  char const* const damage = GENERATE("position = '17.0.4'", "position = 'x'", "written_at = '2024-08-08T23:54:15.342000002Z'",
                                      "state = x'6f70656e2077696e646f7774'", "state = x''", "checksum = '0000000000000000'",
                                      "checksum = ''", "partition = 'shard-3'");
  INFO(damage);
  sqlite::database(file).execute(std::string("UPDATE checkpoints SET ") + damage + " WHERE partition = 'shard-1'");

  sqlite::checkpoint_store store(file);
  checkpoint_key const found = std::string_view(damage) == "partition = 'shard-3'" ? checkpoint_key("bars", "ticks", "shard-3") : key;
  auto const what = "does not match its checksum";
  fails_with(
      errc::corrupt, [&] { testing::run(store.load(found)); }, "checkpoint: cannot load (stream ticks, partition " + found.partition,
      file.string(), what);
  fails_with(errc::corrupt, [&] { testing::run(store.list("bars")); }, what);
  fails_with(errc::corrupt, [&] { testing::run(store.save(found, saved_checkpoint(position(1), 0))); }, what);
  CHECK(testing::run(store.load(checkpoint_key("bars", "ticks", "shard-2"))) == some);

  testing::run(store.erase(found));
  CHECK(testing::run(store.load(found)) == std::nullopt);
  testing::run(store.save(found, some));
  CHECK(testing::run(store.load(found)) == some);
}

TEST_CASE("a later checkpoint of who is running replaces one whose state was damaged", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  sqlite::checkpoint_store store(folder / "c");
  testing::run(store.save(key, some));
  sqlite::database(folder / "c").execute("UPDATE checkpoints SET state = x'00'");
  fails_with(errc::corrupt, [&] { testing::run(store.load(key)); });
  testing::run(store.save(key, saved_checkpoint(position(18), 0)));
  CHECK(testing::run(store.load(key)) == saved_checkpoint(position(18), 0));
}

TEST_CASE("a file of a later version is refused and left alone", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  auto const file = folder / "c";
  save(file, key, some);
  sqlite::database(file).execute("PRAGMA user_version = 2");
  fails_with(
      errc::incompatible, [&] { sqlite::checkpoint_store store(file); }, "checkpoint: cannot use the file (" + file.string() + ")",
      "later version of Weir", "version 2", "knows 1");
  sqlite::database(file).execute("PRAGMA user_version = 1");
  CHECK(load(file) == some);
}

TEST_CASE("a database of another program is refused and left alone", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  auto const file = folder / "bars.sqlite";
  sqlite::database(file).execute("CREATE TABLE bars(symbol TEXT)");
  fails_with(errc::incompatible, [&] { sqlite::checkpoint_store store(file); }, file.string(), "another program", "another name");
  CHECK(sqlite::database(file).number("SELECT count(*) FROM sqlite_schema") == 1);
}

TEST_CASE("several stores use one file, and none goes back behind another", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  sqlite::checkpoint_store one(folder / "c"), other(folder / "c");
  testing::run(one.save(key, saved_checkpoint(position(5), 0)));
  testing::run(other.save(key, saved_checkpoint(position(8), 0)));
  fails_with(errc::stale, [&] { testing::run(one.save(key, saved_checkpoint(position(7), 0))); }, "position 8 already");
  testing::run(one.save(key, saved_checkpoint(position(9), 0)));
  CHECK(testing::run(other.load(key)) == saved_checkpoint(position(9), 0));
}

TEST_CASE("behind somebody else's lock a save fails after the busy timeout, and the next one works", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  sqlite::checkpoint_store store(folder / "c", 1ms);
  testing::run(store.save(key, saved_checkpoint(position(5), 0)));
  sqlite::database other(folder / "c");
  {
    sqlite::transaction const lock(other);
    fails_with(
        errc::busy, [&] { testing::run(store.save(key, saved_checkpoint(position(6), 0))); }, "sqlite: ", "database is locked",
        "another connection or process holds the lock");
    CHECK(testing::run(store.load(key)) == saved_checkpoint(position(5), 0));
  }
  testing::run(store.save(key, saved_checkpoint(position(6), 0)));
}

TEST_CASE("a file that was deleted or replaced under the store is noticed", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  sqlite::checkpoint_store store(folder / "c");
  testing::run(store.save(key, saved_checkpoint(position(5), 0)));
  std::filesystem::remove(folder / "c");
  fails_with(
      errc::io, [&] { testing::run(store.save(key, saved_checkpoint(position(6), 0))); }, "moved or deleted", (folder / "c").string());
}

TEST_CASE("a save that was never awaited saves nothing", "[sqlite][checkpoint]") {
  test::temporary_folder folder;
  sqlite::checkpoint_store store(folder / "c");
  { auto const dropped = store.save(key, some); }
  CHECK(testing::run(store.load(key)) == std::nullopt);
}
