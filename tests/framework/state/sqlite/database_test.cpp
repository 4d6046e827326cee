#include <weir/sqlite/database.hpp>

#include <weir/error.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::fails_with;

TEST_CASE("values of every type are bound and read back", "[sqlite][database]") {
  sqlite::database db(":memory:");
  db.execute("CREATE TABLE t(a, b, c, d, e, f)");
  std::vector<std::byte> const blob{std::byte(0), std::byte(255), std::byte(7)};
  db.prepare("INSERT INTO t VALUES(?, ?, ?, ?, ?, ?)")
      .run(std::numeric_limits<std::int64_t>::min(), 0.1, std::string("a\0b", 3), std::span<std::byte const>(blob), nullptr, "");
  CHECK(db.changes() == 1);
  auto row = db.prepare("SELECT a, b, c, d, e, f, typeof(b), typeof(c), typeof(d), typeof(f) FROM t");
  REQUIRE(row.step());
  CHECK(row.integer(0) == std::numeric_limits<std::int64_t>::min());
  CHECK(row.real(1) == 0.1);
  CHECK(row.text(2) == std::string_view("a\0b", 3));
  CHECK(std::vector<std::byte>(row.blob(3).begin(), row.blob(3).end()) == blob);
  CHECK(row.is_null(4));
  CHECK(row.text(4).empty());
  CHECK_FALSE(row.is_null(5));
  CHECK(row.text(5).empty());
  CHECK(row.text(6) == "real");
  CHECK(row.text(7) == "text");
  CHECK(row.text(8) == "blob");
  CHECK(row.text(9) == "text");
  CHECK_FALSE(row.step());
}

TEST_CASE("an empty blob or text is not a null", "[sqlite][database]") {
  sqlite::database db(":memory:");
  auto types = db.prepare("SELECT typeof(?), typeof(?)");
  types.bind(1, std::string_view());
  types.bind(2, std::span<std::byte const>());
  REQUIRE(types.step());
  CHECK(types.text(0) == "text");
  CHECK(types.text(1) == "blob");
}

TEST_CASE("integers of other types are bound, and refused when they do not fit", "[sqlite][database]") {
  sqlite::database db(":memory:");
  auto echo = db.prepare("SELECT ?");
  auto const of = [&](auto value) {
    echo.reset();
    echo.bind(1, value);
    REQUIRE(echo.step());
    return echo.integer(0);
  };
  CHECK(of(7) == 7);
  CHECK(of(std::uint32_t(4'000'000'000)) == 4'000'000'000);
  CHECK(of(true) == 1);
  CHECK(of(std::uint64_t(std::numeric_limits<std::int64_t>::max())) == std::numeric_limits<std::int64_t>::max());
  echo.reset();
  fails_with(errc::out_of_range, [&] { echo.bind(1, std::numeric_limits<std::uint64_t>::max()); }, "parameter 1", "18446744073709551615");
}

TEST_CASE("a statement is run again with other values", "[sqlite][database]") {
  sqlite::database db(":memory:");
  db.execute("CREATE TABLE t(n INTEGER PRIMARY KEY); CREATE TABLE u(n)");
  auto insert = db.prepare("INSERT INTO t VALUES(?)");
  for (int i = 0; i < 10; ++i) insert.run(i);
  fails_with(errc::rejected, [&] { insert.run(3); }, "UNIQUE constraint failed: t.n", "INSERT INTO t", ":memory:");
  insert.run(99);
  CHECK(db.number("SELECT count(*) FROM t") == 11);
  auto moved = std::move(insert);
  moved.run(100);
  CHECK(db.number("SELECT max(n) FROM t") == 100);
  CHECK(db.number("SELECT n FROM t WHERE n = 12345") == 0);
}

TEST_CASE("mistakes in SQL and in its use are told with SQLite's words", "[sqlite][database]") {
  sqlite::database db(":memory:");
  fails_with(errc::rejected, [&] { db.execute("SELEC 1"); }, "sqlite: cannot run \"SELEC 1\" (:memory:)", "near \"SELEC\": syntax error");
  fails_with(errc::rejected, [&] { db.prepare("SELECT * FROM absent"); }, "no such table: absent");
  fails_with(errc::misuse, [&] { db.prepare("SELECT 1; SELECT 2"); }, "more than one statement");
  fails_with(errc::misuse, [&] { db.prepare(""); }, "empty");
  fails_with(errc::misuse, [&] { db.prepare(std::string_view()); }, "empty");
  fails_with(errc::misuse, [&] { db.prepare("-- only a comment"); }, "empty");
  fails_with(errc::misuse, [&] { db.prepare("SELECT ?").bind(2, 1); }, "cannot bind an integer");
  CHECK_NOTHROW(db.prepare("SELECT 1 ; \n"));
}

TEST_CASE("a transaction is undone unless it is committed", "[sqlite][database]") {
  test::temporary_folder folder;
  sqlite::database db(folder / "d");
  db.execute("CREATE TABLE t(n)");
  {
    sqlite::transaction const dropped(db);
    db.execute("INSERT INTO t VALUES(1)");
  }
  CHECK(db.number("SELECT count(*) FROM t") == 0);
  sqlite::transaction kept(db);
  db.execute("INSERT INTO t VALUES(2)");
  kept.commit();
  fails_with(errc::misuse, [&] { kept.commit(); }, "committed before");
  CHECK(db.number("SELECT n FROM t") == 2);
}

TEST_CASE("two processes may make one database at the same time", "[sqlite][database]") {
  test::temporary_folder folder;
  auto const work = [&](int from) {
    sqlite::database db(folder / "d", sqlite::open_mode::create, 20s);
    db.execute("CREATE TABLE IF NOT EXISTS t(n)");
    for (int i = 0; i < 20; ++i) {
      sqlite::transaction one(db);
      db.prepare("INSERT INTO t VALUES(?)").run(from + i);
      one.commit();
    }
  };
  for (int round = 0; round < 5; ++round) {
    std::cout.flush();  // what it holds would be written by the child too
    pid_t const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      try {
        work(100);
      } catch (std::exception const&) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    work(200);
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(sqlite::database(folder / "d").number("SELECT count(DISTINCT n) + count(*) FROM t") == 80);
    for (char const* name : {"d", "d-wal", "d-shm"}) std::filesystem::remove(folder / name);
  }
}

TEST_CASE("a file that is no database is refused with the reason", "[sqlite][database]") {
  test::temporary_folder folder;
  std::ofstream(folder / "ticks.csv") << std::string(5000, 'x');
  fails_with(
      errc::corrupt, [&] { sqlite::database db(folder / "ticks.csv"); },
      "sqlite: cannot open the database (" + (folder / "ticks.csv").string() + ")", "file is not a database", "nothing was written");
  std::ifstream unchanged(folder / "ticks.csv");
  CHECK(std::string(std::istreambuf_iterator<char>(unchanged), {}) == std::string(5000, 'x'));
}

TEST_CASE("a database that was cut off or overwritten is noticed", "[sqlite][database]") {
  test::temporary_folder folder;
  auto const file = folder / "d";
  {
    sqlite::database db(file);
    db.execute("CREATE TABLE t(n, s)");
    auto insert = db.prepare("INSERT INTO t VALUES(?, ?)");
    sqlite::transaction all(db);
    for (int i = 0; i < 1000; ++i) insert.run(i, std::string(100, 'x'));
    all.commit();
  }
  SECTION("cut off") { std::filesystem::resize_file(file, 9000); }
  SECTION("overwritten") {
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(4096);
    out << std::string(40'000, '\xff');
  }
  fails_with(errc::corrupt, [&] { sqlite::database(file).number("SELECT count(s || n) FROM t"); }, "malformed", "backup");
}

TEST_CASE("what cannot be a database file is refused with the reason", "[sqlite][database]") {
  test::temporary_folder folder;
  fails_with(errc::invalid_option, [&] { sqlite::database db(""); }, "no file is named");
  fails_with(errc::io, [&] { sqlite::database db(folder.path()); }, folder.path().string(), "it is a folder");
  fails_with(
      errc::not_found, [&] { sqlite::database db(folder / "no/d"); }, (folder / "no/d").string(),
      "the folder " + (folder / "no").string() + " does not exist");
  fails_with(errc::not_found, [&] { sqlite::database db(folder / "d", sqlite::open_mode::existing); }, "the file does not exist");
  fails_with(errc::not_found, [&] { sqlite::database db(folder / "d", sqlite::open_mode::read_only); }, "the file does not exist");
  fails_with(errc::io, [&] { sqlite::database db("/dev/null"); }, "not a regular file");
  fails_with(errc::invalid_option, [&] { sqlite::database db(folder / "d", sqlite::open_mode::create, -1ms); }, "busy timeout");
  std::ofstream(folder / "file") << "x";
  fails_with(errc::not_found, [&] { sqlite::database db(folder / "file/d"); }, "does not exist");
}

TEST_CASE("names which SQLite takes for something else are files", "[sqlite][database]") {
  test::temporary_folder folder;
  auto const before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (char const* name : {"file:x?mode=memory", "a?b#c%20d", "päge"}) {
    INFO(name);
    sqlite::database(name).execute("CREATE TABLE t(n)");
    CHECK(std::filesystem::is_regular_file(folder / name));
  }
  std::filesystem::current_path(before);
}

TEST_CASE("a read-only database refuses to be written", "[sqlite][database]") {
  test::temporary_folder folder;
  sqlite::database(folder / "d").execute("CREATE TABLE t(n)");
  sqlite::database db(folder / "d", sqlite::open_mode::read_only);
  CHECK(db.number("SELECT count(*) FROM t") == 0);
  fails_with(errc::access_denied, [&] { db.execute("INSERT INTO t VALUES(1)"); }, "readonly database", "writable");
}

TEST_CASE("a file without the right to write is refused when it is opened for writing", "[sqlite][database]") {
  if (::geteuid() == 0 && test::skip("root may write everywhere")) return;
  test::temporary_folder folder;
  sqlite::database(folder / "d").execute("CREATE TABLE t(n)");
  ::chmod((folder / "d").c_str(), 0444);
  fails_with(errc::access_denied, [&] { sqlite::database db(folder / "d"); }, "read-only");
  ::chmod((folder / "d").c_str(), 0);
  fails_with(errc::access_denied, [&] { sqlite::database db(folder / "d"); }, "Permission denied");
}
