#include <weir/error.hpp>
#include <weir/postgres/state_store.hpp>

#include "conformance/state_store_conformance.hpp"
#include "framework/state/postgres/fresh_store.hpp"
#include "framework/state/postgres/server.hpp"
#include "support/skip.hpp"
#include "support/small_disk.hpp"

#include <fstream>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

namespace {

checkpoint_key const key("bars", "ticks", "shard-1");

}  // namespace

TEST_CASE("whatever is changed in the tables behind the store's back, is an error and not another state", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto const options = fresh_options(server->conninfo());
  postgres::state_store store(options);
  testing::run(store.commit(key, checkpoint_update(head(1, position(5), 7), {put("w", "a", "1"), put("w", "b", "2")})));
  std::string const checkpoints = in_quotes(options.schema) + ".checkpoints", entries = in_quotes(options.schema) + ".entries";
  std::vector<std::string> const heads{
      "id = DEFAULT", "position = '4'", "position = 'x'", "written_at = '1970-01-01T00:00:00.000000008Z'", "version = 2", "version = -1",
      "writer = 'y'", "entries = 1",    "checksum = 1234"};
  std::vector<std::string> const rows{"operator = 'x'", "key = 'c'", "value = '3'", "checksum = 1", "checkpoint = checkpoint + 1"};
  std::vector<std::string> changes;
  for (auto const& h : heads) changes.push_back("UPDATE " + checkpoints + " SET " + h);
  for (auto const& r : rows) changes.push_back("UPDATE " + entries + " SET " + r + " WHERE key = 'a'");
  changes.push_back("DELETE FROM " + entries + " WHERE key = 'b'");
  changes.push_back("INSERT INTO " + entries + " SELECT checkpoint, operator, 'more', value, checksum FROM " + entries +
                    " WHERE key = 'b'");
  for (auto const& change : changes) {
    INFO(change);
    ask(server->conninfo(), change);
    fails_with(
        errc::corrupt, [&] { testing::run(store.load(key)); }, "checkpoint: cannot load", "stream ticks", "partition shard-1",
        "pipeline bars", "erase");
    testing::run(store.erase(key));
    CHECK(testing::run(store.load(key)) == std::nullopt);
    ask(server->conninfo(), "DELETE FROM " + entries);
    testing::run(store.commit(key, checkpoint_update(head(1, position(5), 7), {put("w", "a", "1"), put("w", "b", "2")})));
  }
  ask(server->conninfo(), "UPDATE " + checkpoints + " SET writer = 'y'");
  fails_with(errc::corrupt, [&] { testing::run(store.list("bars")); });
  fails_with(errc::corrupt, [&] { testing::run(store.commit(key, checkpoint_update(head(2, position(6))))); });
}

TEST_CASE("tables of another program, or of a later version, are left alone", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto const options = fresh_options(server->conninfo());
  std::string const schema = in_quotes(options.schema);
  SECTION("another program's") {
    ask(server->conninfo(), "CREATE SCHEMA " + schema);
    ask(server->conninfo(), "CREATE TABLE " + schema + ".checkpoints(name text)");
    postgres::state_store store(options);
    fails_with(errc::incompatible, [&] { testing::run(store.load(key)); }, "another program", options.schema, "another schema");
    CHECK(ask(server->conninfo(), "SELECT count(*) FROM pg_tables WHERE schemaname LIKE '" + options.schema + "'") == "1");
  }
  SECTION("a later version's, which came while this one runs") {
    postgres::state_store store(options);
    testing::run(store.commit(key, checkpoint_update(head(1, position(1)))));
    ask(server->conninfo(), "UPDATE " + schema + ".weir_state_format SET version = 2");
    postgres::state_store other(options);
    fails_with(errc::incompatible, [&] { testing::run(other.load(key)); }, "later version of Weir", "version 2", "knows 1");
    ask(server->conninfo(),
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = 'weir'");
    fails_with(errc::incompatible, [&] { testing::run(store.commit(key, checkpoint_update(head(2, position(2))))); });
  }
  SECTION("a version that never was") {
    postgres::state_store store(options);
    testing::run(store.load(key));
    for (char const* const sql : {".weir_state_format SET version = 0", ".weir_state_format SET version = -3"}) {
      ask(server->conninfo(), "UPDATE " + schema + sql);
      postgres::state_store other(options);
      fails_with(errc::corrupt, [&] { testing::run(other.load(key)); }, "its version is");
    }
  }
}

TEST_CASE("a user who may not write is told so, and may read", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto const options = fresh_options(server->conninfo());
  postgres::state_store store(options);
  testing::run(store.commit(key, checkpoint_update(head(1, position(1)), {put("w", "a", "1")})));
  SECTION("on a server that only reads") {
    auto reading = options;
    reading.connection.conninfo += " options='-c default_transaction_read_only=on'";
    postgres::state_store reader(reading);
    fails_with(
        errc::access_denied, [&] { testing::run(reader.commit(key, checkpoint_update(head(2, position(2)), {put("w", "a", "2")}))); },
        "read-only transaction", "25006", "primary");
    CHECK(testing::run(reader.load(key)) == saved_checkpoint(head(1, position(1)), {entry("w", "a", "1")}));
    reading.schema = "never made";
    postgres::state_store maker(reading);
    fails_with(errc::access_denied, [&] { testing::run(maker.load(key)); }, "25006");
  }
  SECTION("for want of rights") {
    ask(server->conninfo(),
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'reader') THEN CREATE ROLE reader LOGIN; END IF; END $$");
    ask(server->conninfo(), "GRANT USAGE ON SCHEMA " + in_quotes(options.schema) + " TO reader");
    ask(server->conninfo(), "GRANT SELECT ON ALL TABLES IN SCHEMA " + in_quotes(options.schema) + " TO reader");
    auto reading = options;
    reading.connection.conninfo += " user=reader";
    postgres::state_store reader(reading);
    fails_with(errc::access_denied, [&] { testing::run(reader.commit(key, checkpoint_update(head(2, position(2))))); }, "42501", "grant");
    CHECK(testing::run(reader.load(key)) == saved_checkpoint(head(1, position(1)), {entry("w", "a", "1")}));
  }
  CHECK(testing::run(store.load(key)) == saved_checkpoint(head(1, position(1)), {entry("w", "a", "1")}));
}

TEST_CASE("a commit that waits too long for a lock fails, and changes nothing", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto options = fresh_options(server->conninfo());
  options.connection.statement_timeout = 150ms;
  options.patience = 0ms;
  postgres::state_store store(options);
  testing::run(store.commit(key, checkpoint_update(head(1, position(1)), {put("w", "a", "1")})));
  auto const held = [](std::string conninfo, std::string lock, postgres::state_store& other) -> task<> {
    postgres::connection on{postgres::connection_options(std::move(conninfo))};
    co_await on.open();
    co_await on.execute(std::move(lock));
    checkpoint_update next(head(2, position(2)), {put("w", "a", "2")});
    co_await other.commit(key, std::move(next));
  };
  std::string const lock = "BEGIN; LOCK TABLE " + in_quotes(options.schema) + ".entries IN ACCESS EXCLUSIVE MODE";
  fails_with(errc::timed_out, [&] { testing::run(held(server->conninfo(), lock, store)); }, "57014", "after 1 try");
  CHECK(testing::run(store.load(key)) == saved_checkpoint(head(1, position(1)), {entry("w", "a", "1")}));
  testing::run(store.commit(key, checkpoint_update(head(2, position(2)), {put("w", "a", "2")})));
}

TEST_CASE("on a full disk of the server a commit fails with the reason, and the checkpoint before is intact", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  small_disk disk(3000);
  if (!disk.works() && skip("needs the right to mount a small disk")) return;
  std::filesystem::create_directory(disk / "space");
  postgres_server::give(disk / "space");
  std::ofstream(disk / "something else") << std::string(1'000'000, 'x');
  ask(server->conninfo(), "CREATE TABLESPACE small LOCATION '" + (disk / "space").string() + "'");
  auto options = fresh_options(server->conninfo("options='-c default_tablespace=small'"));
  {
    postgres::state_store store(options);
    std::uint64_t last = 0;
    bool full = false;
    for (std::uint64_t n = 1; n != 200 && !full; ++n) {
      try {
        testing::run(store.commit(key, checkpoint_update(head(n, position(n)), {put("w", std::to_string(n), std::string(50'000, 'v'))})));
        last = n;
      } catch (error const& e) {
        INFO(e.what());
        CHECK(e.code() == errc::no_space);
        CHECK(std::string(e.what()).find("make room on the server's disk") != std::string::npos);
        full = true;
      }
    }
    CHECK(full);
    CHECK(last > 3);
    auto const found = testing::run(store.load(key)).value();
    CHECK(found.head.version == last);
    CHECK(found.entries.size() == last);
    std::filesystem::remove(disk / "something else");
    testing::run(store.commit(key, checkpoint_update(head(last + 1, position(last + 1)), {state_change::erase_prefix("w", "")})));
    CHECK(testing::run(store.load(key)) == saved_checkpoint(head(last + 1, position(last + 1))));
  }
  ask(server->conninfo(), "DROP SCHEMA " + in_quotes(options.schema) + " CASCADE");
  ask(server->conninfo(), "DROP TABLESPACE small");
}

TEST_CASE("what is beyond the store's limits is refused before it is sent", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto const options = fresh_options(server->conninfo());
  postgres::state_store store(options);
  std::string random;
  for (unsigned i = 0, x = 1; i != 3000; ++i) random += static_cast<char>(((x = x * 1103515245 + 12345) >> 16) % 255 + 1);
  std::string const fits = random.substr(0, 2600), too_long = random.substr(0, 2601);
  checkpoint_key const longest("bars", "ticks", random.substr(0, 2591));
  testing::run(store.commit(
      longest, checkpoint_update(head(1, position(1)), {put("", fits, "1"), put(fits, "", "2"), state_change::erase_prefix("", fits)})));
  CHECK(testing::run(store.load(longest)).value().entries.size() == 1);
  fails_with(
      errc::too_large, [&] { testing::run(store.commit(key, checkpoint_update(head(1, position(1)), {put("", too_long, "1")}))); },
      "2,600 bytes");
  fails_with(
      errc::too_large,
      [&] { testing::run(store.commit(checkpoint_key("bars", "ticks", random.substr(0, 2592)), checkpoint_update(head(1, position(1))))); },
      "2,600 bytes");
  CHECK(testing::run(store.load(key)) == std::nullopt);
}

TEST_CASE("options that cannot be are refused when the store is made", "[postgres][checkpoint]") {
  postgres::state_store_options options(postgres::connection_options("host=/nowhere"));
  auto const refused = [&] { fails_with(errc::invalid_option, [&] { postgres::state_store store(options); }); };
  options.schema = "";
  refused();
  options.schema = std::string(64, 's');
  refused();
  options.schema = "weir";
  options.connections = 0;
  refused();
  options.connections = 1;
  options.patience = -1ms;
  refused();
  options.patience = 0ms;
  options.connection.conninfo = "password=secret nonsense";
  refused();
  options.connection.conninfo = "";
  options.connection.connect_timeout = 0ms;
  refused();
}
