#include <weir/redis/state_store.hpp>

#include <weir/sleep.hpp>
#include <weir/spawn.hpp>

#include "conformance/state_store_conformance.hpp"
#include "cutting_proxy.hpp"
#include "redis_server.hpp"
#include "support/skip.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

using namespace weir;
using namespace std::chrono_literals;
using test::entry;
using test::fails_with;
using test::head;
using test::put;
using test::script_fate;

namespace {

checkpoint_key const key("bars", "ticks", "shard-1");

// What each commit does is seen in the next: a counter of a name of its own, and a prefix that goes.
checkpoint_update update_to(std::uint64_t n) {
  return {head(n, position(n)),
          {put("w", "count", std::to_string(n)), put("dedup", std::to_string(n), "x"),
           state_change::erase_prefix("dedup", std::to_string(n - 1))}};
}
saved_checkpoint checkpoint_at(std::uint64_t n) {
  return saved_checkpoint(head(n, position(n)), {entry("dedup", std::to_string(n), "x"), entry("w", "count", std::to_string(n))});
}

bool no_redis() { return !test::has_redis() && test::skip("needs the program redis-server"); }

redis::options through(test::cutting_proxy const& p, std::chrono::milliseconds patience) {
  return {.socket = p.socket(), .reply_timeout = 5min, .patience = patience};
}

}  // namespace

TEST_CASE("a commit whose connection is cut is there once, wherever it was cut", "[redis][state]") {
  if (no_redis()) return;
  auto& server = test::shared_redis();
  test::cutting_proxy proxy(server.socket());
  redis::state_store store(through(proxy, 10min));
  std::uint64_t n = 0;
  for (script_fate const fate :
       {script_fate::lose_request, script_fate::tear_request, script_fate::lose_reply, script_fate::tear_reply, script_fate::hurry}) {
    for (std::size_t times = 1; times <= 3; ++times) {
      INFO("fate " << static_cast<int>(fate) << ", " << times << " times");
      ++n;
      proxy.next(std::vector(times, fate));
      testing::run(store.commit(key, update_to(n)));
      CHECK(testing::run(store.load(key)) == checkpoint_at(n));
      proxy.next(std::vector(times, fate));
      CHECK(testing::run(store.load(key)) == checkpoint_at(n));
      proxy.next(std::vector(times, fate));
      CHECK(testing::run(store.list("bars")).at(0).head == head(n, position(n)));
    }
  }
  proxy.next({script_fate::lose_reply});
  testing::run(store.erase(key));
  CHECK(testing::run(store.load(key)) == std::nullopt);
}

TEST_CASE("who does not wait for a lost answer may commit the same again", "[redis][state]") {
  if (no_redis()) return;
  auto& server = test::shared_redis();
  test::cutting_proxy proxy(server.socket());
  redis::state_store store(through(proxy, 0ms));
  std::uint64_t n = 0;
  for (script_fate const fate : {script_fate::lose_request, script_fate::lose_reply}) {
    ++n;
    proxy.next({fate});
    fails_with(errc::unavailable, [&] { testing::run(store.commit(key, update_to(n))); }, "redis: lost the connection", proxy.socket());
    bool const arrived = fate == script_fate::lose_reply;
    CHECK(testing::run(store.load(key)) == (arrived ? std::optional(checkpoint_at(n)) : std::nullopt));
    testing::run(store.commit(key, update_to(n)));
    CHECK(testing::run(store.load(key)) == checkpoint_at(n));
    n = 1;
  }
}

TEST_CASE("behind a lost answer, what another worker committed meanwhile is not overwritten", "[redis][state]") {
  if (no_redis()) return;
  auto& server = test::shared_redis();
  test::cutting_proxy proxy(server.socket());
  redis::state_store store(through(proxy, 10min)), other(server.options());
  testing::run(store.commit(key, update_to(1)));
  auto const theirs = checkpoint_update(head(2, position(2), 0, "run-2"), {put("w", "count", "theirs")});
  proxy.next({script_fate::lose_request});
  bool done = false;
  proxy.before_each([&] {
    if (!std::exchange(done, true)) testing::run(other.commit(key, theirs));
  });
  fails_with(errc::stale, [&] { testing::run(store.commit(key, update_to(2))); }, "the store has version 2");
  CHECK(testing::run(store.load(key)).value().head == theirs.head);
}

TEST_CASE("what a server answers in place of doing it becomes a clear error", "[redis][state]") {
  if (no_redis()) return;
  auto& server = test::shared_redis();
  test::cutting_proxy proxy(server.socket());
  struct expected {
    char const *reply, *advice;
    errc code;
  };
  redis::state_store impatient(through(proxy, 0ms));
  for (expected const& e : {expected{"-LOADING Redis is loading the dataset in memory\r\n", "has loaded", errc::unavailable},
                            {"-BUSY Redis is busy running a script.\r\n", "script", errc::unavailable},
                            {"-MASTERDOWN Link with MASTER is down\r\n", "replication", errc::unavailable},
                            {"-MISCONF Errors writing to the AOF file: No space left on device\r\n", "disk", errc::no_space},
                            {"-READONLY You can't write against a read only replica.\r\n", "primary", errc::access_denied},
                            {"-MOVED 3999 127.0.0.1:6381\r\n", "Cluster", errc::invalid_option},
                            {"-ERR something nobody knows\r\n", "log", errc::rejected},
                            {"+OK\r\n", "", errc::malformed},
                            {"*1\r\n$4\r\nhead\r\n", "", errc::malformed},
                            {"HTTP/1.1 400 Bad Request\r\n\r\n", "Redis server", errc::malformed}}) {
    INFO(e.reply);
    proxy.answers_with(e.reply);
    proxy.next({script_fate::answer});
    fails_with(e.code, [&] { testing::run(impatient.commit(key, update_to(1))); }, "redis: cannot ", e.advice);
    CHECK(testing::run(impatient.load(key)) == std::nullopt);
  }
  redis::state_store patient(through(proxy, 10min));
  proxy.answers_with("-LOADING Redis is loading the dataset in memory\r\n");
  proxy.next(std::vector(4, script_fate::answer));
  testing::run(patient.commit(key, update_to(1)));
  CHECK(testing::run(patient.load(key)) == checkpoint_at(1));
}

TEST_CASE("a server that answers nothing is given up after its time, and the strand is free meanwhile", "[redis][state]") {
  if (no_redis()) return;
  auto& server = test::shared_redis();
  test::cutting_proxy proxy(server.socket());
  redis::state_store store({.socket = proxy.socket(), .reply_timeout = 100ms, .patience = 0ms});
  proxy.next({script_fate::swallow});
  boost::asio::io_context loop;
  std::exception_ptr failure;
  int turns = 0;
  spawn(loop, store.commit(key, update_to(1)), [&](std::exception_ptr e) { failure = e; });
  while (!failure) turns += static_cast<int>(loop.run_one_for(1ms)) + 1;
  CHECK(turns > 20);  // the loop came round while the commit waited
  fails_with(errc::unavailable, [&] { std::rethrow_exception(failure); }, "no answer in time", proxy.socket());
  testing::run(store.commit(key, update_to(1)));
}

TEST_CASE("an event loop that is destroyed while a commit waits takes it along", "[redis][state]") {
  if (no_redis()) return;
  auto& server = test::shared_redis();
  test::cutting_proxy proxy(server.socket());
  auto store = std::make_unique<redis::state_store>(through(proxy, 10min));
  proxy.next({script_fate::swallow});
  bool called = false;
  {
    boost::asio::io_context loop;
    spawn(loop, store->commit(key, update_to(1)), [&](std::exception_ptr) { called = true; });
    while (proxy.scripts() == 0) loop.run_one_for(1ms);
    store.reset();
  }
  CHECK_FALSE(called);
}

TEST_CASE("a commit between the pages of a load makes it begin again, and too many make it give up", "[redis][state]") {
  if (no_redis()) return;
  auto& server = test::shared_redis();
  test::cutting_proxy proxy(server.socket());
  redis::state_store store(through(proxy, 0ms)), other(server.options());
  std::vector<state_change> many;
  for (int i = 0; i < 3000; ++i) many.push_back(put("w", std::to_string(i), "1"));
  testing::run(other.commit(key, checkpoint_update(head(1, position(1)), many)));
  std::uint64_t version = 1;
  int scripts = 0;
  auto const change = [&] {
    ++version;
    for (auto& c : many) c.entry.value = test::bytes_of(std::to_string(version));
    testing::run(other.commit(key, checkpoint_update(head(version, position(version)), many)));
  };
  proxy.before_each([&] {
    if (++scripts == 2 || scripts == 5) change();  // before the second page, twice
  });
  auto const found = testing::run(store.load(key)).value();
  CHECK(found.head.version == 3);
  CHECK(std::all_of(found.entries.begin(), found.entries.end(), [](state_entry const& e) { return e.value == test::bytes_of("3"); }));
  proxy.before_each(change);
  fails_with(errc::busy, [&] { testing::run(store.load(key)); }, "changed while it was read", "partition shard-1");
}

TEST_CASE("a connection that the server closed at rest is replaced, and scripts that it forgot are sent", "[redis][state]") {
  if (no_redis()) return;
  auto& server = test::shared_redis();
  auto where = server.options();
  where.patience = 0ms;
  redis::state_store store(where);
  for (std::uint64_t n = 1; n <= 10; ++n) {
    testing::run(store.commit(key, update_to(n)));
    if (n % 2 == 0) server({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    if (n % 3 == 0) server({"SCRIPT", "FLUSH"});
    CHECK(testing::run(store.load(key)) == checkpoint_at(n));
  }
}

TEST_CASE("a server without memory, a replica, and one that evicts refuse a commit and keep what was there", "[redis][state]") {
  if (no_redis()) return;
  test::redis_server server;
  redis::options where = server.options();
  where.patience = 0ms;
  redis::state_store store(where);
  testing::run(store.commit(key, update_to(1)));
  server({"CONFIG", "SET", "maxmemory", "100kb"});
  fails_with(errc::no_space, [&] { testing::run(store.commit(key, update_to(2))); }, "OOM", "more memory", server.socket());
  CHECK(testing::run(store.load(key)) == checkpoint_at(1));
  server({"CONFIG", "SET", "maxmemory", "0"});
  testing::run(store.commit(key, update_to(2)));

  server({"REPLICAOF", "127.0.0.1", "1"});
  fails_with(errc::access_denied, [&] { testing::run(store.commit(key, update_to(3))); }, "READONLY", "primary");
  CHECK(testing::run(store.load(key)) == checkpoint_at(2));
  server({"REPLICAOF", "NO", "ONE"});
  testing::run(store.commit(key, update_to(3)));

  server({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"});
  redis::state_store other(where);
  fails_with(errc::incompatible, [&] { testing::run(other.load(key)); }, "maxmemory-policy is allkeys-lru", "noeviction");
  server({"CONFIG", "SET", "maxmemory-policy", "volatile-lru"});
  CHECK(testing::run(other.load(key)) == checkpoint_at(3));
}

TEST_CASE("a commit may wait for replicas", "[redis][state]") {
  if (no_redis()) return;
  test::redis_server primary;
  redis::options where{.socket = primary.socket(), .reply_timeout = 3s, .patience = 0ms, .replicas = 1};
  redis::state_store store(where);
  fails_with(errc::unavailable, [&] { testing::run(store.commit(key, update_to(1))); }, "0 of 1 replicas", "may be tried again");
  CHECK(testing::run(store.load(key)) == checkpoint_at(1));
  fails_with(
      errc::unavailable, [&] { testing::run(store.commit(key, update_to(1))); }, "0 of 1 replicas");  // the same again: it asks again
  test::redis_server const replica({"--replicaof", "127.0.0.1 " + std::to_string(primary.port()), "--repl-diskless-sync-delay", "0"});
  where.reply_timeout = 5min;
  where.patience = 10min;
  redis::state_store patient(where);
  testing::run(patient.commit(key, update_to(1)));
  testing::run(patient.commit(key, update_to(2)));
  redis::state_store reader(replica.options());
  CHECK(testing::run(reader.load(key)) == checkpoint_at(2));
}

TEST_CASE("without a server a call fails with the reason, at once or when its patience is over", "[redis][state]") {
  redis::state_store nobody({.port = test::free_port(), .patience = 0ms});
  fails_with(errc::unavailable, [&] { testing::run(nobody.load(key)); }, "redis: cannot connect (127.0.0.1:", "Connection refused");
  redis::state_store patient({.socket = "/nowhere/redis.sock", .patience = 100ms});
  fails_with(errc::unavailable, [&] { testing::run(patient.load(key)); }, "/nowhere/redis.sock", "No such file", "tries");
  redis::state_store unknown({.host = "no-such-host.invalid", .patience = 0ms});
  fails_with(errc::unavailable, [&] { testing::run(unknown.load(key)); }, "no-such-host.invalid");
}
