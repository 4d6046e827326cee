// What programs ask of the places of their results, of each alike.
#include <results/open.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/temporary_folder.hpp"
#ifdef WEIR_HAS_POSTGRES
#include "framework/state/postgres/server.hpp"
#endif

#include <command_line/event_loop.hpp>

#include <weir/error.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace results;
using command_line::store_kind;
using command_line::store_name;

namespace {

// What a transaction of these statements finds; undone unless `kept`.
enum class end { kept, undone };
weir::task<std::vector<rows>> run_all(database& in, std::vector<statement> all, end how) {
  std::unique_ptr<transaction> const work = co_await in.begin();
  std::vector<rows> found = co_await work->run(std::move(all));
  if (how == end::kept) co_await work->commit();
  co_return found;
}
std::vector<rows> run(database& in, std::vector<statement> all, end how = end::kept) {
  return command_line::event_loop().run(run_all(in, std::move(all), how));
}

statement insert(std::string name, std::int64_t number) {
  return {"INSERT INTO things VALUES($1, $2) ON CONFLICT(name) DO UPDATE SET number = excluded.number",
          std::vector<value>{std::move(name), number}};
}
rows things(database& in) { return run(in, {statement("SELECT name, number FROM things ORDER BY name")})[0]; }

void check_place(store_name const& name) {
  auto const first = open_database(name);
  run(*first, {statement("CREATE TABLE things(name TEXT PRIMARY KEY, number BIGINT)"), insert("b", -5), insert("a", 7)});
  CHECK(things(*first) == rows{{"a", "7"}, {"b", "-5"}});
  CHECK(run(*first, {insert("a", 8), statement("SELECT number FROM things WHERE name = 'a'")}, end::undone)[1] == rows{{"8"}});
  CHECK(things(*first) == rows{{"a", "7"}, {"b", "-5"}});
  CHECK_THROWS_AS(run(*first, {insert("a", 8), statement("SELECT nothing FROM things")}), weir::error);
  CHECK(things(*first) == rows{{"a", "7"}, {"b", "-5"}});

  auto const second = open_database(name);
  run(*second, {insert("a", 9), statement("INSERT INTO things VALUES('c', NULL)")});
  CHECK(things(*first) == rows{{"a", "9"}, {"b", "-5"}, {"c", ""}});
  CHECK(run(*second, {second->list_tables()})[0] == rows{{"things"}});
}

}  // namespace

TEST_CASE("a file of SQLite keeps what was committed, and nothing else") {
  weir::test::temporary_folder const folder;
  check_place({store_kind::sqlite, folder.file("results")});
}

#ifdef WEIR_HAS_POSTGRES
TEST_CASE("a database of PostgreSQL keeps what was committed, and nothing else") {
  if (auto* const server = weir::test::postgres_server::running()) check_place({store_kind::postgres, server->conninfo()});
}

TEST_CASE("tables are found again when the user, called like a schema, gets that schema") {
  auto* const server = weir::test::postgres_server::running();
  if (!server) return;
  run(*open_database({store_kind::postgres, server->conninfo()}), {statement("CREATE ROLE named SUPERUSER LOGIN")});
  store_name const place{store_kind::postgres, server->conninfo("user=named")};
  run(*open_database(place), {statement("CREATE TABLE found_again(name TEXT)"), statement("INSERT INTO found_again VALUES('a')")});
  run(*open_database(place), {statement("CREATE SCHEMA named")});
  auto const again = open_database(place);
  auto const tables = run(*again, {again->list_tables()})[0];
  CHECK(std::count(tables.begin(), tables.end(), std::vector<std::string>{"found_again"}) == 1);
  CHECK(run(*again, {statement("SELECT name FROM found_again")})[0] == rows{{"a"}});
}
#endif

TEST_CASE("a store without tables is no place for results") {
  weir::test::fails_with(weir::errc::invalid_option, [] { open_database({store_kind::redis, "localhost"}); }, "SQLite or PostgreSQL");
  weir::test::fails_with(
      weir::errc::invalid_option, [] { open_checkpoints({store_kind::rocksdb, "folder"}); }, "SQLite, PostgreSQL or DynamoDB");
}
