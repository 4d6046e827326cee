#include <weir/error.hpp>
#include <weir/postgres/detail/checkpoint_rows.hpp>
#include <weir/postgres/state_store.hpp>
#include <weir/when_all.hpp>

#include "conformance/state_store_conformance.hpp"
#include "framework/state/postgres/cutting_proxy.hpp"
#include "framework/state/postgres/fresh_store.hpp"
#include "framework/state/postgres/server.hpp"

#include <poll.h>

#include <atomic>
#include <random>
#include <thread>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

namespace {

checkpoint_key const key("bars", "ticks", "shard-1");

// What the n-th commit changes: some of each kind, many enough that a crash finds it half-way.
std::vector<state_change> changes_of(std::uint64_t n) {
  std::vector<state_change> out;
  for (std::uint64_t i = 0; i != 300; ++i)
    out.push_back(put("w", std::to_string((n * 131 + i * 7) % 1000), std::string(100 + i, static_cast<char>('a' + n % 26))));
  for (std::uint64_t i = 0; i != 40; ++i) out.push_back(state_change::erase("w", std::to_string((n * 17 + i * 11) % 1000)));
  out.push_back(state_change::erase_prefix("w", std::to_string(n % 100)));
  out.push_back(put("counter", "", std::to_string(n)));
  return out;
}

checkpoint_update update_of(std::uint64_t n) { return {head(n, position(n), static_cast<instant>(n)), changes_of(n)}; }

saved_checkpoint expected_after(std::uint64_t n) {
  expected_entries all;
  for (std::uint64_t i = 1; i <= n; ++i) all.take(changes_of(i));
  return saved_checkpoint(head(n, position(n), static_cast<instant>(n)), all.all());
}

// Whoever waits for an advisory lock is let go on by the end of the transaction on `on`.
task<> end_when_waited_for(postgres::connection& on, bool& ended, bool const& loaded) {
  for (bool waited_for = false; !waited_for && !loaded;) {
    postgres::statement look("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    postgres::result const found = co_await on.query(std::move(look));
    waited_for = found.integer(0, 0) != 0;
  }
  ended = true;
  co_await on.execute("COMMIT");
}
task<> load_meanwhile(postgres::state_store& store, bool const& ended, bool& loaded) {
  co_await store.load(key);
  loaded = true;
  CHECK(ended);
}
task<> load_beside_commit(std::string conninfo, std::string lock, postgres::state_store& store) {
  postgres::connection on{postgres::connection_options(std::move(conninfo))};
  co_await on.open();
  co_await on.execute("BEGIN; SELECT pg_advisory_xact_lock(" + lock + ")");
  bool ended = false, loaded = false;
  std::vector<task<>> both;
  both.push_back(load_meanwhile(store, ended, loaded));
  both.push_back(end_when_waited_for(on, ended, loaded));
  auto together = when_all(std::move(both));
  co_await std::move(together);
}

}  // namespace

TEST_CASE("a load waits for a commit that is under way, as of a worker that was killed", "[postgres][checkpoint][crash]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto const options = fresh_options(server->conninfo());
  postgres::state_store store(options);
  testing::run(store.commit(key, update_of(1)));
  auto const lock = std::to_string(postgres::detail::lock_of(options.schema, key));
  testing::run(load_beside_commit(server->conninfo(), lock, store));
}

TEST_CASE("the server is killed in the middle of commits and started again: each commit lands once", "[postgres][checkpoint][crash]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto options = fresh_options(server->conninfo());
  options.patience = 5min;
  std::atomic<std::uint64_t> done = 0;
  std::atomic<bool> enough = false;
  std::string failure;
  std::thread worker([&] {
    try {
      postgres::state_store store(options);
      for (std::uint64_t n = 1; !enough; ++n) {
        testing::run(store.commit(key, update_of(n)));
        done = n;
      }
    } catch (std::exception const& e) {
      failure = e.what();
      enough = true;
    }
  });
  std::mt19937 dice(7);
  for (int round = 0; round != 6; ++round) {
    std::uint64_t const wanted = done + 3 + dice() % 5;
    while (done < wanted && !enough) ::poll(nullptr, 0, 1);
    ::poll(nullptr, 0, static_cast<int>(dice() % 15));
    std::uint64_t const said = done;
    server->kill();
    server->start();
    postgres::state_store other(options);
    auto const found = testing::run(other.load(key));
    CHECK((found && found->head.version >= said));
    if (found) CHECK(*found == expected_after(found->head.version));
  }
  enough = true;
  worker.join();
  CHECK(failure == "");
  postgres::state_store store(options);
  CHECK(testing::run(store.load(key)) == expected_after(done));
  CHECK(done >= 18);
}

TEST_CASE("the connection is cut around a commit: it lands once, whether it had arrived or not", "[postgres][checkpoint][crash]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  cutting_proxy proxy(server->sockets(), server->port());
  auto const options = fresh_options(proxy.conninfo());
  postgres::state_store store(options);
  std::uint64_t n = 0;
  for (int round = 0; round != 6; ++round)
    for (cut const how : {cut::before_commit, cut::with_commit, cut::before_reply}) {
      testing::run(store.commit(key, update_of(++n)));
      proxy.next(how);
      testing::run(store.commit(key, update_of(++n)));
      INFO("round " << round << ", " << static_cast<int>(how));
      CHECK(proxy.has_cut());
      CHECK(testing::run(store.load(key)) == expected_after(n));
    }
}

TEST_CASE("a commit that arrived unnoticed before another worker's is stale, not repeated", "[postgres][checkpoint][crash]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  cutting_proxy proxy(server->sockets(), server->port());
  auto options = fresh_options(proxy.conninfo());
  options.patience = 0ms;
  postgres::state_store store(options);
  testing::run(store.commit(key, update_of(1)));
  proxy.next(cut::before_reply);
  fails_with(
      errc::unavailable, [&] { testing::run(store.commit(key, update_of(2))); }, "after 1 try", "not known whether the commit arrived");
  SECTION("the same again finds out") {
    testing::run(store.commit(key, update_of(2)));
    CHECK(testing::run(store.load(key)) == expected_after(2));
  }
  SECTION("another worker goes on from it") {
    auto direct = options;
    direct.connection.conninfo = server->conninfo();
    postgres::state_store other(direct);
    testing::run(other.commit(key, update_of(3)));
    fails_with(errc::stale, [&] { testing::run(store.commit(key, update_of(2))); }, "the store has version 3");
    CHECK(testing::run(store.load(key)) == expected_after(3));
  }
}

TEST_CASE("a server that falls silent within a commit is given up, and the commit made on another connection",
          "[postgres][checkpoint][crash]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  cutting_proxy proxy(server->sockets(), server->port());
  auto options = fresh_options(proxy.conninfo());
  options.connection.statement_timeout = 300ms;
  postgres::state_store store(options);
  testing::run(store.commit(key, update_of(1)));
  proxy.next(cut::silence);
  testing::run(store.commit(key, update_of(2)));
  CHECK(proxy.has_cut());
  CHECK(testing::run(store.load(key)) == expected_after(2));
}

TEST_CASE("connections that the server has ended are made anew", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto const options = fresh_options(server->conninfo());
  postgres::state_store store(options);
  testing::run(store.commit(key, update_of(1)));
  SECTION("one by one") {
    ask(server->conninfo(),
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = 'weir'");
  }
  SECTION("by an orderly restart") {
    server->stop();
    server->start();
  }
  testing::run(store.commit(key, update_of(2)));
  CHECK(testing::run(store.load(key)) == expected_after(2));
}

TEST_CASE("a server that stays away is reported after a while, and what was stored is there when it is back", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto options = fresh_options(server->conninfo());
  options.patience = 200ms;
  postgres::state_store store(options);
  testing::run(store.commit(key, update_of(1)));
  server->stop();
  fails_with(
      errc::unavailable, [&] { testing::run(store.commit(key, update_of(2))); }, "postgres: cannot connect", "tries",
      "look whether the server runs");
  fails_with(errc::unavailable, [&] { testing::run(store.load(key)); });
  postgres::state_store never(options);
  fails_with(errc::unavailable, [&] { testing::run(never.load(key)); }, "as weir");
  server->start();
  CHECK(testing::run(store.load(key)) == expected_after(1));
  testing::run(store.commit(key, update_of(2)));
  CHECK(testing::run(store.load(key)) == expected_after(2));
}
