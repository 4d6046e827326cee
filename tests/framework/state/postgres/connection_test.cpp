#include <weir/error.hpp>
#include <weir/postgres/connection.hpp>
#include <weir/postgres/transaction.hpp>
#include <weir/testing/run.hpp>

#include "framework/state/postgres/server.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace weir;
using namespace weir::test;

namespace {

// Runs one statement on a connection of its own.
task<postgres::result> ran(std::string conninfo, postgres::statement s) {
  postgres::connection on{postgres::connection_options(std::move(conninfo))};
  co_await on.open();
  co_return co_await on.query(std::move(s));
}
postgres::result ask(postgres_server& server, std::string sql, postgres::parameters values = {},
                     postgres::value_format format = postgres::value_format::text) {
  return testing::run(ran(server.conninfo(), postgres::statement(std::move(sql), std::move(values), format)));
}

}  // namespace

TEST_CASE("values go to the server and come back, in both formats", "[postgres]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  std::string every;
  for (int i = 0; i != 256; ++i) every += static_cast<char>(i);
  for (auto const format : {postgres::value_format::text, postgres::value_format::binary}) {
    postgres::parameters values;
    values.integer(std::numeric_limits<std::int64_t>::min()).integer(-1).real(0.1).text("p\xc3\xa4ge").bytes(every).null();
    auto const got = ask(*server, "SELECT $1, $2::int4, $3 = 0.1, $4::text, $5, $6::text, 7::int2, encode($5, 'hex')", values, format);
    CHECK(got.rows() == 1);
    CHECK(got.columns() == 8);
    CHECK(got.integer(0, 0) == std::numeric_limits<std::int64_t>::min());
    CHECK(got.integer(0, 1) == -1);
    CHECK(got.text(0, 2) == (format == postgres::value_format::text ? std::string("t") : std::string("\1")));
    CHECK(got.text(0, 3) == "p\xc3\xa4ge");
    if (format == postgres::value_format::binary) CHECK(got.bytes(0, 4) == every);
    CHECK(got.is_null(0, 5));
    CHECK_FALSE(got.is_null(0, 4));
    CHECK(got.integer(0, 6) == 7);
    CHECK(got.text(0, 7).size() == 512);
    CHECK(got.text(0, 7).substr(0, 6) == "000102");
  }
}

TEST_CASE("arrays are rows for unnest, empty ones none", "[postgres]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  std::vector<std::string_view> const texts{"a", "", std::string_view("\0\xff", 2)};
  std::vector<std::int64_t> const numbers{1, -2, std::numeric_limits<std::int64_t>::max()};
  postgres::parameters values;
  values.byte_strings(texts).integers(numbers);
  auto const got = ask(*server, "SELECT b, n FROM unnest($1::bytea[], $2::int8[]) AS t(b, n)", values, postgres::value_format::binary);
  REQUIRE(got.rows() == 3);
  for (int i = 0; i != 3; ++i) {
    CHECK(got.bytes(i, 0) == texts[static_cast<std::size_t>(i)]);
    CHECK(got.integer(i, 1) == numbers[static_cast<std::size_t>(i)]);
  }
  postgres::parameters nothing;
  nothing.byte_strings({}).integers({});
  CHECK(ask(*server, "SELECT * FROM unnest($1::bytea[], $2::int8[])", nothing).rows() == 0);
}

TEST_CASE("what a result or a parameter cannot be is refused", "[postgres]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  postgres::parameters values;
  fails_with(errc::malformed, [&] { values.text(std::string_view("a\0b", 3)); }, "parameter 1", "zero byte");
  auto const got = ask(*server, "SELECT 'x', NULL");
  fails_with(errc::misuse, [&] { (void)got.text(1, 0); }, "no row 1");
  fails_with(errc::misuse, [&] { (void)got.text(0, 2); }, "2 columns");
  fails_with(errc::misuse, [&] { (void)got.text(-1, 0); });
  fails_with(errc::malformed, [&] { (void)got.integer(0, 0); }, "not an integer");
  fails_with(errc::malformed, [&] { (void)got.integer(0, 1); }, "null");
  postgres::result const empty;
  CHECK(empty.rows() == 0);
  CHECK(empty.affected() == 0);
  fails_with(errc::misuse, [&] { (void)empty.text(0, 0); });
}

TEST_CASE("a failed statement leaves the connection open", "[postgres]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  postgres::connection on{postgres::connection_options(server->conninfo())};
  auto const try_on = [&on](std::string sql) -> task<> {
    co_await on.open();
    postgres::statement s(std::move(sql));
    co_await on.query(std::move(s));
  };
  fails_with(errc::misuse, [&] { testing::run(on.query(postgres::statement("SELECT 1"))); }, "not open");
  fails_with(
      errc::rejected, [&] { testing::run(try_on("SELEC 1")); }, "postgres: cannot run \"SELEC 1\"", "syntax error", "42601", "as weir");
  fails_with(errc::rejected, [&] { testing::run(try_on("SELECT * FROM nothing")); }, "42P01");
  fails_with(errc::rejected, [&] { testing::run(try_on("SELECT 1/0")); }, "division by zero");
  fails_with(errc::rejected, [&] { testing::run(try_on("SELECT 1; SELECT 2")); }, "multiple commands");
  CHECK(on.is_open());
  testing::run(try_on("SELECT 1"));
  fails_with(errc::misuse, [&] { testing::run(try_on("COPY (SELECT 1) TO STDOUT")); }, "COPY");
  CHECK_FALSE(on.is_open());
  testing::run(try_on("SELECT 1"));
  fails_with(errc::unavailable, [&] { testing::run(try_on("SELECT pg_terminate_backend(pg_backend_pid())")); }, "57P01");
  CHECK_FALSE(on.is_open());
  testing::run(try_on("SELECT 1"));
}

TEST_CASE("several statements go in one round trip; behind a failure none is run, and those before it are undone", "[postgres]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto const work = [](std::string conninfo) -> task<> {
    postgres::connection on{postgres::connection_options(std::move(conninfo))};
    co_await on.open();
    co_await on.execute("CREATE TEMP TABLE t(n int); INSERT INTO t VALUES(0)");
    std::vector<postgres::statement> all;
    for (int i = 1; i != 200; ++i) all.emplace_back("INSERT INTO t VALUES(" + std::to_string(i) + ")");
    all.emplace_back("SELECT count(*) FROM t");
    auto const done = co_await on.query_all(std::move(all));
    CHECK(done.size() == 200);
    CHECK(done[0].affected() == 1);
    CHECK(done[0].command() == "INSERT 0 1");
    CHECK(done[199].integer(0, 0) == 200);
    std::vector<postgres::statement> failing;
    failing.emplace_back("DELETE FROM t");
    failing.emplace_back("SELECT 1/0");
    failing.emplace_back("INSERT INTO t VALUES(7)");
    std::string message;
    try {
      co_await on.query_all(std::move(failing));
    } catch (error const& e) {
      message = e.what();
    }
    CHECK(message.find("cannot run \"SELECT 1/0\"") != std::string::npos);
    CHECK(on.is_open());
    postgres::statement count("SELECT count(*) FROM t");
    auto const left = co_await on.query(std::move(count));
    CHECK(left.integer(0, 0) == 200);
    std::vector<postgres::statement> nothing;
    auto const none = co_await on.query_all(std::move(nothing));
    CHECK(none.empty());
  };
  testing::run(work(server->conninfo()));
}

TEST_CASE("rows are handed over as they arrive, and large values go both ways at once", "[postgres]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto const work = [](std::string conninfo) -> task<> {
    postgres::connection on{postgres::connection_options(std::move(conninfo))};
    co_await on.open();
    std::int64_t sum = 0, rows = 0;
    auto add = [&](postgres::result const& some, int row) {
      sum += some.integer(row, 0);
      ++rows;
    };
    postgres::statement series("SELECT generate_series(1, 50000)", {}, postgres::value_format::binary);
    co_await on.each_row(std::move(series), std::ref(add));
    CHECK(rows == 50'000);
    CHECK(sum == 1'250'025'000);
    postgres::statement ends_early("SELECT 1 / (50 - n) FROM generate_series(1, 100) AS n");
    std::string message;
    try {
      co_await on.each_row(std::move(ends_early), std::ref(add));
    } catch (error const& e) {
      message = e.what();
    }
    CHECK(message.find("division by zero") != std::string::npos);
    CHECK(on.is_open());
    std::vector<postgres::statement> echoes;
    std::string const large(8'000'000, 'x');
    for (int i = 0; i != 5; ++i) {
      postgres::parameters value;
      value.bytes(large);
      echoes.emplace_back("SELECT $1::bytea", std::move(value), postgres::value_format::binary);
    }
    auto const back = co_await on.query_all(std::move(echoes));
    CHECK(back.size() == 5);
    for (auto const& one : back) CHECK(one.bytes(0, 0) == large);
  };
  testing::run(work(server->conninfo()));
}

TEST_CASE("a transaction is all or nothing", "[postgres]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto const work = [](std::string conninfo) -> task<> {
    postgres::connection on{postgres::connection_options(std::move(conninfo))};
    co_await on.open();
    co_await on.execute("DROP TABLE IF EXISTS moved; CREATE TABLE moved(n int)");
    auto const count = [&on]() -> task<std::int64_t> {
      postgres::statement s("SELECT count(*) FROM moved");
      auto const found = co_await on.query(std::move(s));
      co_return found.integer(0, 0);
    };
    {
      auto all = co_await postgres::transaction::begin(on);
      co_await on.execute("INSERT INTO moved VALUES(1)");
      CHECK(on.in_transaction());
      co_await all.commit();
      CHECK_FALSE(on.in_transaction());
    }
    {
      auto all = co_await postgres::transaction::begin(on, "ISOLATION LEVEL SERIALIZABLE");
      co_await on.execute("INSERT INTO moved VALUES(2)");
      co_await all.rollback();
    }
    std::int64_t n = co_await count();
    CHECK(n == 1);
    {
      auto all = co_await postgres::transaction::begin(on);
      co_await on.execute("INSERT INTO moved VALUES(3)");
    }
    CHECK_FALSE(on.is_open());
    co_await on.open();
    n = co_await count();
    CHECK(n == 1);
    std::string message;
    try {
      auto all = co_await postgres::transaction::begin(on);
      co_await on.execute("INSERT INTO moved VALUES(4)");
      try {
        co_await on.execute("SELECT 1/0");
      } catch (error const&) {
        message = "caught";
      }
      co_await all.commit();
    } catch (error const& e) {
      message = e.what();
    }
    CHECK(message.find("postgres: cannot commit") != std::string::npos);
    CHECK(on.is_open());
    n = co_await count();
    CHECK(n == 1);
    message = "";
    auto outer = co_await postgres::transaction::begin(on);
    try {
      auto inner = co_await postgres::transaction::begin(on);
    } catch (error const& e) {
      message = e.what();
    }
    CHECK(message.find("one is open") != std::string::npos);
    co_await outer.commit();
    message = "";
    try {
      co_await outer.commit();
    } catch (error const& e) {
      message = e.what();
    }
    CHECK(message.find("has ended before") != std::string::npos);
  };
  testing::run(work(server->conninfo()));
}
