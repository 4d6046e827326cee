#include <weir/error.hpp>
#include <weir/postgres/connection.hpp>
#include <weir/spawn.hpp>
#include <weir/testing/simulation.hpp>
#include <weir/timeout.hpp>

#include "framework/state/postgres/fresh_store.hpp"
#include "framework/state/postgres/server.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_future.hpp>

#include <optional>
#include <string>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

namespace {

// Connects, and says which user the server sees.
task<std::string> user_of(postgres::connection_options options) {
  postgres::connection on(std::move(options));
  co_await on.open();
  postgres::statement s("SELECT current_user");
  postgres::result const found = co_await on.query(std::move(s));
  co_return std::string(found.text(0, 0));
}

std::string by_tcp(postgres_server const& server, std::string const& host) {
  return "host=" + host + " port=" + std::to_string(server.port()) + " user=weir dbname=postgres";
}

}  // namespace

TEST_CASE("a host is found by its name, its address, or the folder of its socket", "[postgres]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  CHECK(testing::run(user_of(server->conninfo())) == "weir");
  CHECK(testing::run(user_of(by_tcp(*server, "localhost"))) == "weir");
  CHECK(testing::run(user_of(by_tcp(*server, "127.0.0.1"))) == "weir");
  CHECK(testing::run(user_of("postgresql://weir@localhost:" + std::to_string(server->port()) + "/postgres")) == "weir");
  CHECK(testing::run(user_of(by_tcp(*server, "nothing.invalid,localhost"))) == "weir");
  CHECK(testing::run(user_of(by_tcp(*server, "/nowhere,localhost"))) == "weir");
}

TEST_CASE("why a connection cannot be made is told, without the password", "[postgres]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  ask(server->conninfo(), "DROP ROLE IF EXISTS guarded");
  ask(server->conninfo(), "CREATE ROLE guarded LOGIN PASSWORD 'open sesame'");
  auto const refused = [](errc code, std::string const& conninfo, auto const&... parts) {
    fails_with(code, [&] { testing::run(user_of(conninfo)); }, "postgres: cannot connect", parts...);
    try {
      testing::run(user_of(conninfo));
    } catch (error const& e) {
      CHECK(std::string(e.what()).find("sesame") == std::string::npos);
      CHECK(std::string(e.what()).find("LOCATION") == std::string::npos);
    }
  };
  std::string const guarded = by_tcp(*server, "localhost") + " user=guarded";
  CHECK(testing::run(user_of(guarded + " password='open sesame'")) == "guarded");
  refused(errc::access_denied, guarded + " password='close sesame'", "28P01", "password authentication failed for user \"guarded\"",
          "pg_hba.conf");
  refused(errc::access_denied, guarded, "wants a password");
  refused(errc::access_denied, server->conninfo("user=nobody-here"), "28000", "does not exist", "as nobody-here");
  refused(errc::not_found, server->conninfo("dbname=nowhere password=sesame"), "3D000", "database \"nowhere\" does not exist",
          "/nowhere as weir");
  refused(errc::unavailable, "host=/nowhere user=weir password=sesame", "No such file or directory", "whether the server runs");
  refused(errc::unavailable, "host=127.0.0.1 port=1 user=weir", "Connection refused");
  refused(errc::unavailable, "host=nothing.invalid user=weir", "cannot find the host nothing.invalid");
  refused(errc::invalid_option, "host=x password=sesame nonsense", "cannot be read");
  refused(errc::invalid_option, "postgresql://weir:sesame@[x/", "cannot be read");
}

TEST_CASE("a server that does not answer is waited for as long as is allowed", "[postgres]") {
  boost::asio::io_context loop;
  boost::asio::ip::tcp::acceptor mute(loop, boost::asio::ip::tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
  postgres::connection_options options("host=127.0.0.1 user=weir port=" + std::to_string(mute.local_endpoint().port()));
  options.connect_timeout = 100ms;
  fails_with(errc::timed_out, [&] { testing::run(user_of(options)); }, "did not answer within 100 ms", "127.0.0.1");
}

TEST_CASE("a statement that takes too long is ended by the server, and the connection stays", "[postgres]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto const work = [](std::string conninfo) -> task<> {
    postgres::connection_options options(std::move(conninfo));
    options.statement_timeout = 100ms;
    postgres::connection on(std::move(options));
    co_await on.open();
    std::optional<error> failure;
    try {
      co_await on.execute("SELECT pg_sleep(60)");
    } catch (error const& e) {
      failure = e;
    }
    CHECK(failure.value().code() == errc::timed_out);
    CHECK(failure->code() == condition::retryable);
    CHECK(on.is_open());
    co_await on.execute("SELECT 1");
  };
  testing::run(work(server->conninfo()));
}

TEST_CASE("cancelled within a statement, a connection is closed and can be opened again", "[postgres]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  boost::asio::io_context loop;
  auto const work = [](std::string conninfo) -> task<bool> {
    postgres::connection on{postgres::connection_options(std::move(conninfo))};
    co_await on.open();
    std::optional<error> failure;
    try {
      co_await with_timeout(20ms, on.execute("SELECT pg_sleep(60)"));
    } catch (error const& e) {
      failure = e;
    }
    CHECK(failure.value().code() == errc::timed_out);
    CHECK_FALSE(on.is_open());
    co_await on.open();
    co_await on.execute("SELECT 1");
    co_return true;
  };
  auto done = spawn(loop, work(server->conninfo()), boost::asio::use_future);
  loop.run();
  CHECK(done.get());
}

TEST_CASE("an event loop that is destroyed takes waiting connections and stores with it", "[postgres]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto const options = fresh_options(server->conninfo());
  postgres::state_store store(options);
  checkpoint_key const key("bars", "ticks", "shard-1");
  testing::run(store.commit(key, checkpoint_update(checkpoint_head(position(1), 0, 1, "run-1"))));
  auto const wait = [](std::string conninfo) -> task<> {
    postgres::connection on{postgres::connection_options(std::move(conninfo))};
    co_await on.open();
    co_await on.execute("SELECT pg_sleep(60)");
  };
  for (int steps = 0; steps != 30; ++steps) {
    boost::asio::io_context loop;
    spawn(loop, wait(server->conninfo()), boost::asio::detached);
    spawn(loop, store.load(key), boost::asio::detached);
    for (int i = 0; i != steps; ++i) loop.run_one_for(5ms);
  }
  CHECK(testing::run(store.load(key)).value().head.position == position(1));
}
