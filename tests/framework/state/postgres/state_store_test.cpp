#include <weir/error.hpp>
#include <weir/postgres/state_store.hpp>
#include <weir/testing/simulation.hpp>

#include "conformance/state_store_conformance.hpp"
#include "framework/state/postgres/fresh_store.hpp"
#include "framework/state/postgres/server.hpp"
#include "support/skip.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

namespace {
checkpoint_key const key("bars", "ticks", "shard-1");
}

TEST_CASE("a PostgreSQL store does what every state store must", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto const options = fresh_options(server->conninfo());
  state_store_conformance(std::make_unique<postgres::state_store>(options),
                          [&](std::unique_ptr<state_store> before) -> std::unique_ptr<state_store> {
                            before = nullptr;
                            return std::make_unique<postgres::state_store>(options);
                          });
}

TEST_CASE("a PostgreSQL store with one connection lets its callers wait for each other", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto options = fresh_options(server->conninfo());
  options.connections = 1;
  postgres::state_store store(options);
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&store, t] {
      checkpoint_key const own("bars", "ticks", std::to_string(t));
      for (std::uint64_t i = 1; i <= 20; ++i)
        testing::run(store.commit(own, checkpoint_update(head(i, position(i)), {put("w", std::to_string(i), "1")})));
    });
  for (auto& t : threads) t.join();
  auto const all = testing::run(store.list("bars"));
  CHECK(all.size() == 4);
  for (auto const& l : all) CHECK(std::pair(l.head.version, l.entries) == std::pair(std::uint64_t{20}, std::uint64_t{20}));
}

TEST_CASE("of two stores that commit upon the same version, one wins and the other is stale", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto const options = fresh_options(server->conninfo());
  constexpr std::uint64_t rounds = 60;
  std::atomic<std::uint64_t> won = 0, lost = 0, other = 0;
  std::atomic<std::uint64_t> at_round[2] = {0, 0};
  auto const race = [&](std::size_t me) {
    postgres::state_store store(options);
    std::string const name = "run-" + std::to_string(me);
    for (std::uint64_t v = 1; v <= rounds; ++v) {
      at_round[me] = v;
      while (at_round[1 - me] < v) std::this_thread::yield();
      try {
        // What the one puts, the other erases: were they mixed, there would be none or both.
        testing::run(store.commit(key, checkpoint_update(head(v, position(v), 0, name),
                                                         {state_change::erase_prefix("w", ""), put("w", name, std::to_string(v))})));
        ++won;
      } catch (error const& e) {
        ++(e.code() == errc::stale ? lost : other);
      }
    }
  };
  std::thread one(race, 0), two(race, 1);
  one.join();
  two.join();
  CHECK(won == rounds);
  CHECK(lost == rounds);
  CHECK(other == 0);
  postgres::state_store store(options);
  auto const found = testing::run(store.load(key)).value();
  CHECK(found ==
        saved_checkpoint(head(rounds, position(rounds), 0, found.head.writer), {entry("w", found.head.writer, std::to_string(rounds))}));
}

TEST_CASE("workers that start at the same time make the tables once", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  auto const options = fresh_options(server->conninfo());
  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t != 6; ++t)
    threads.emplace_back([&, t] {
      try {
        postgres::state_store store(options);
        checkpoint_key const own("bars", "ticks", std::to_string(t));
        testing::run(store.commit(own, checkpoint_update(head(1, position(1)))));
      } catch (std::exception const& e) {
        ++failed;
      }
    });
  for (auto& t : threads) t.join();
  CHECK(failed == 0);
  postgres::state_store store(options);
  CHECK(testing::run(store.list("bars")).size() == 6);
}

TEST_CASE("a commit goes on to its end though its context is cancelled", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  postgres::state_store store(fresh_options(server->conninfo()));
  testing::simulation world;
  auto const commit = [](testing::simulation& in, postgres::state_store& to) -> task<> {
    in.main().cancel();
    checkpoint_update first(head(1, position(1)), {put("w", "a", "1")});
    co_await to.commit(key, std::move(first));
  };
  world.run(commit(world, store));
  CHECK(testing::run(store.load(key)) == saved_checkpoint(head(1, position(1)), {entry("w", "a", "1")}));
}

TEST_CASE("a commit of any size is whole: thousands of entries, large ones, and thousands of prefixes", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  postgres::state_store store(fresh_options(server->conninfo()));
  expected_entries expected;
  std::uint64_t version = 0;
  auto const commit = [&](std::vector<state_change> const& changes) {
    ++version;
    expected.take(changes);
    testing::run(store.commit(key, checkpoint_update(head(version, position(version)), changes)));
    CHECK(testing::run(store.load(key)) == saved_checkpoint(head(version, position(version)), expected.all()));
  };
  std::vector<state_change> puts, prefixes, erased;
  for (int i = 0; i != 25'000; ++i) puts.push_back(put("w", std::to_string(i * 7919 % 25'000), "v" + std::to_string(i)));
  commit(puts);
  for (int i = 0; i != 2'000; ++i) prefixes.push_back(state_change::erase_prefix("w", "1" + std::to_string(i)));
  prefixes.push_back(put("w", "1", "again"));
  commit(prefixes);
  for (int i = 0; i != 5'000; ++i) erased.push_back(state_change::erase("w", std::to_string(i * 3)));
  commit(erased);
  std::vector<state_change> large;
  for (int i = 0; i != 6; ++i) large.push_back(put("large", std::to_string(i), std::string(5'000'000, static_cast<char>('a' + i))));
  commit(large);
}

TEST_CASE("psql shows what is stored", "[postgres][checkpoint]") {
  postgres_server* const server = postgres_server::running();
  if (!server) return;
  if (std::system("command -v psql >/dev/null") != 0 && skip("no psql")) return;
  auto const options = fresh_options(server->conninfo());
  postgres::state_store store(options);
  testing::run(store.commit(key, checkpoint_update(head(1, position(17), 1'723'161'255'342'000'001), {put("window", "BTC", "123")})));
  auto const shows = [&](std::string const& sql) {
    std::string const command =
        "psql -X -A -t '" + server->conninfo() + "' -c 'SET search_path TO " + in_quotes(options.schema) + "' -c \"" + sql + '"';
    std::string out;
    FILE* const in = ::popen(command.c_str(), "r");
    for (int c = std::fgetc(in); c != EOF; c = std::fgetc(in)) out += static_cast<char>(c);
    ::pclose(in);
    return out;
  };
  CHECK(shows("SELECT * FROM overview") == "SET\nbars|ticks|shard-1|17|2024-08-08T23:54:15.342000001Z|1|run-1|1\n");
  CHECK(shows("SELECT encode(operator, 'escape'), encode(key, 'escape'), length(value) FROM entries") == "SET\nwindow|BTC|3\n");
}
