#include <weir/redis/state_store.hpp>

#include <weir/context.hpp>

#include "conformance/state_store_conformance.hpp"
#include "redis_server.hpp"
#include "support/skip.hpp"

using namespace weir;
using namespace std::chrono_literals;
using test::entry;
using test::fails_with;
using test::head;
using test::put;

namespace {

checkpoint_key const key("bars", "ticks", "shard-1");
checkpoint_update const first(head(1, position(17, 0, 3), 1'723'161'255'342'000'001),
                              {put("window", "a", "open"), put("dedup", "b", "seen")});
saved_checkpoint const stored(first.head, {entry("dedup", "b", "seen"), entry("window", "a", "open")});

std::string const head_key = "weir:{bars}:ticks:shard-1:head";
std::string const state_key = "weir:{bars}:ticks:shard-1:state";
std::string const order_key = "weir:{bars}:ticks:shard-1:order";
std::string const index_key = "weir:{bars}";

bool no_redis() { return !test::has_redis() && test::skip("needs the program redis-server"); }

}  // namespace

TEST_CASE("the state store in Redis does what every state store must do", "[redis][state]") {
  if (no_redis()) return;
  auto const where = test::shared_redis().options();
  test::state_store_conformance(std::make_unique<redis::state_store>(where), [&](std::unique_ptr<weir::state_store> old) {
    old.reset();
    return std::make_unique<redis::state_store>(where);
  });
}

TEST_CASE("a checkpoint in Redis can be read with redis-cli", "[redis][state]") {
  if (no_redis()) return;
  auto& server = test::shared_redis();
  redis::state_store store(server.options());
  testing::run(store.commit(key, first));
  CHECK(server({"HMGET", head_key, "format", "position", "written_at", "version", "writer", "entries"}) ==
        "1 17.0.3 2024-08-08T23:54:15.342000001Z 1 run-1 2");
  CHECK(server({"SMEMBERS", index_key}) == "ticks:shard-1");
  CHECK(server({"ZRANGE", order_key, "0", "-1"}) == std::string("dedup\0\1b window\0\1a", 18));
  CHECK(server({"HSTRLEN", state_key, std::string("window\0\1a", 9)}) == "12");
  checkpoint_key const odd("a}:b", "", "%\n");
  testing::run(store.commit(odd, first));
  CHECK(server({"EXISTS", "weir:{a%7D%3Ab}::%25%0A:head"}) == "1");
}

TEST_CASE("state of many pages is loaded whole and in order", "[redis][state]") {
  if (no_redis()) return;
  redis::state_store store(test::shared_redis().options());
  std::vector<state_change> changes;
  test::expected_entries expected;
  for (int i = 0; i < 6'000; ++i) changes.push_back(put("w", std::to_string(i), std::string(static_cast<std::size_t>(i % 300), 'x')));
  for (int i = 0; i < 5; ++i) changes.push_back(put("large", std::to_string(i), std::string(2'500'000, 'y')));
  expected.take(changes);
  testing::run(store.commit(key, checkpoint_update(head(1, position(1)), changes)));
  auto const found = testing::run(store.load(key)).value();
  CHECK(found.entries.size() == 6'005);
  CHECK((found.entries == expected.all()));
  std::uint64_t bytes = 0;
  for (state_entry const& e : found.entries) bytes += e.operator_id.size() + e.key.size() + e.value.size();
  CHECK(testing::run(store.list("bars")) == std::vector{checkpoint_listing(key, found.head, 6'005, bytes)});
  // The first of a page may be erased, and a prefix may span pages.
  std::vector const erased{state_change::erase_prefix("w", "1"), state_change::erase("large", "3")};
  expected.take(erased);
  testing::run(store.commit(key, checkpoint_update(head(2, position(2)), erased)));
  CHECK((testing::run(store.load(key)).value().entries == expected.all()));
}

TEST_CASE("what was damaged in the server is an error and not a wrong restart", "[redis][state]") {
  if (no_redis()) return;
  auto& server = test::shared_redis();
  redis::state_store store(server.options());
  checkpoint_key const other("bars", "ticks", "shard-2");
  testing::run(store.commit(key, first));
  testing::run(store.commit(other, first));
  std::string const field("window\0\1a", 9), dedup("dedup\0\1b", 8);
  std::string value = server({"HGET", state_key, field});
  std::string flipped = value, cut = value.substr(0, 5);
  flipped[9] = static_cast<char>(flipped[9] ^ 1);
  std::vector<std::vector<std::string>> const in_head{{"HSET", head_key, "position", "17.0.4"},
                                                      {"HSET", head_key, "position", "x"},
                                                      {"HSET", head_key, "rank", "0"},
                                                      {"HSET", head_key, "written_at", "2024-08-08T23:54:15.342000002Z"},
                                                      {"HSET", head_key, "version", "2"},
                                                      {"HSET", head_key, "writer", "run-2"},
                                                      {"HSET", head_key, "entries", "3"},
                                                      {"HSET", head_key, "format", "x"},
                                                      {"HSET", head_key, "sum", ""},
                                                      {"HDEL", head_key, "writer"},
                                                      {"HDEL", head_key, "format"},
                                                      {"COPY", "weir:{bars}:ticks:shard-2:head", head_key, "REPLACE"}};
  std::vector<std::vector<std::string>> const missing{{"DEL", head_key},
                                                      {"DEL", state_key},
                                                      {"DEL", order_key},
                                                      {"DEL", index_key},
                                                      {"HDEL", state_key, field},
                                                      {"ZREM", order_key, field},
                                                      {"DEL", head_key, state_key, order_key}};
  std::vector<std::vector<std::string>> const in_state{{"HSET", state_key, field, flipped},
                                                       {"HSET", state_key, field, cut},
                                                       {"HSET", state_key, field, server({"HGET", state_key, dedup})},
                                                       {"COPY", "weir:{bars}:ticks:shard-2:state", state_key, "REPLACE"}};
  for (auto const* kind : {&in_head, &missing, &in_state}) {
    for (auto const& damage : *kind) {
      INFO(damage[0] << " " << damage[1] << " " << damage[damage.size() - 1]);
      server({"FLUSHALL"});
      testing::run(store.commit(key, first));
      testing::run(store.commit(other, first));
      server(damage);
      fails_with(
          errc::corrupt, [&] { testing::run(store.load(key)); }, "checkpoint: cannot load", "stream ticks", "shard-1", "pipeline bars",
          server.socket());
      if (kind != &in_state) fails_with(errc::corrupt, [&] { testing::run(store.commit(key, checkpoint_update(head(2, position(20))))); });
      if (kind == &in_head) fails_with(errc::corrupt, [&] { testing::run(store.list("bars")); });
      if (damage[1] != index_key) CHECK(testing::run(store.load(other)) == stored);
      testing::run(store.erase(key));
      CHECK(testing::run(store.load(key)) == std::nullopt);
      testing::run(store.commit(key, first));
      CHECK(testing::run(store.load(key)) == stored);
    }
  }
}

TEST_CASE("a checkpoint of a later version is refused and left alone", "[redis][state]") {
  if (no_redis()) return;
  auto& server = test::shared_redis();
  redis::state_store store(server.options());
  testing::run(store.commit(key, first));
  server({"HSET", head_key, "format", "2"});
  for (int call = 0; call != 4; ++call) {
    fails_with(
        errc::incompatible,
        [&] {
          if (call == 0) testing::run(store.load(key));
          if (call == 1) testing::run(store.commit(key, checkpoint_update(head(2, position(20)))));
          if (call == 2) testing::run(store.list("bars"));
          if (call == 3) testing::run(store.erase(key));
        },
        "later version of Weir", "its format is 2", "knows 1", server.socket());
  }
  server({"HSET", head_key, "format", "1"});
  CHECK(testing::run(store.load(key)) == stored);
}

TEST_CASE("keys of another program are refused and left alone", "[redis][state]") {
  if (no_redis()) return;
  auto& server = test::shared_redis();
  redis::state_store store(server.options());
  for (auto const& taken : {head_key, state_key, order_key, index_key}) {
    INFO(taken);
    server({"FLUSHALL"});
    server({"SET", taken, "mine"});
    fails_with(errc::incompatible, [&] { testing::run(store.load(key)); }, taken, "string", "another space");
    fails_with(errc::incompatible, [&] { testing::run(store.commit(key, first)); }, taken, "string");
    fails_with(errc::incompatible, [&] { testing::run(store.erase(key)); }, taken, "string");
    if (taken == index_key) fails_with(errc::incompatible, [&] { testing::run(store.list("bars")); }, taken);
    CHECK(server({"GET", taken}) == "mine");
    CHECK(server({"DBSIZE"}) == "1");
  }
}

TEST_CASE("stores of another space or database do not see each other", "[redis][state]") {
  if (no_redis()) return;
  auto const where = test::shared_redis().options();
  redis::state_store one(where);
  testing::run(one.commit(key, first));
  auto elsewhere = where;
  elsewhere.space = "other";
  redis::state_store two(elsewhere);
  CHECK(testing::run(two.load(key)) == std::nullopt);
  elsewhere = where;
  elsewhere.database = 3;
  redis::state_store three(elsewhere);
  CHECK(testing::run(three.load(key)) == std::nullopt);
  testing::run(three.commit(key, first));
  CHECK(testing::run(three.load(key)) == stored);
  redis::state_store again(where);
  CHECK(testing::run(again.load(key)) == stored);
  elsewhere.database = 16;
  elsewhere.patience = 0ms;
  redis::state_store none(elsewhere);
  fails_with(errc::invalid_option, [&] { testing::run(none.load(key)); }, "DB index is out of range");
}

TEST_CASE("options that cannot be used are refused when the store is made", "[redis][state]") {
  auto const refused = [](redis::options o, char const* why) {
    fails_with(errc::invalid_option, [&] { redis::state_store store(o); }, "redis: cannot make the store", why);
  };
  refused({.host = ""}, "no server");
  refused({.port = 0}, "no server");
  refused({.user = "bars"}, "no password");
  refused({.space = ""}, "the space");
  refused({.space = "a:b"}, "the space");
  refused({.connect_timeout = 0ms}, "timeout");
  refused({.reply_timeout = -1ms}, "timeout");
  refused({.patience = -1ms}, "patience");
  refused({.socket = std::string(101, 'x')}, "too long");
}

TEST_CASE("a password, a user of the access lists, and TCP", "[redis][state]") {
  if (no_redis()) return;
  test::redis_server server({"--requirepass", "secret"});
  redis::options where{.port = server.port(), .patience = 0ms};
  auto const denied = [&](char const* says) {
    redis::state_store store(where);
    fails_with(errc::access_denied, [&] { testing::run(store.load(key)); }, says, "127.0.0.1:" + std::to_string(server.port()));
  };
  denied("NOAUTH");
  where.password = "wrong";
  denied("WRONGPASS");
  where.password = "secret";
  {
    redis::state_store store(where);
    testing::run(store.commit(key, first));
    CHECK(testing::run(store.load(key)) == stored);
  }
  where.user = "nobody";
  denied("WRONGPASS");
  redis::state_store admin({.socket = server.socket(), .password = "secret"});
  CHECK(testing::run(admin.load(key)) == stored);
}

TEST_CASE("a user who may run scripts and nothing else of the server is enough", "[redis][state]") {
  if (no_redis()) return;
  auto& server = test::shared_redis();
  server({"ACL", "SETUSER", "bars", "reset", "on", ">secret", "~weir:*", "+eval", "+evalsha", "+select", "+type", "+exists", "+@hash",
          "+@sortedset", "+@set", "+unlink"});
  redis::state_store store({.socket = server.socket(), .user = "bars", .password = "secret"});
  testing::run(store.commit(key, first));
  CHECK(testing::run(store.load(key)) == stored);
  CHECK(testing::run(store.list("bars")).size() == 1);
  testing::run(store.erase(key));
  server({"ACL", "SETUSER", "bars", "-eval", "-evalsha"});
  fails_with(errc::access_denied, [&] { testing::run(store.load(key)); }, "NOPERM", "access lists");
  server({"ACL", "DELUSER", "bars"});
}

TEST_CASE("a commit that began is finished though its pipeline is cancelled", "[redis][state]") {
  if (no_redis()) return;
  redis::state_store store(test::shared_redis().options());
  testing::simulation world;
  auto work = [](redis::state_store& s) -> task<> {
    context& own = co_await current_context();
    own.cancel();
    co_await s.commit(key, first);
  };
  world.run(work(store));
  CHECK(testing::run(store.load(key)) == stored);
}

TEST_CASE("a commit to Redis that was never awaited writes nothing", "[redis][state]") {
  if (no_redis()) return;
  redis::state_store store(test::shared_redis().options());
  { auto const dropped = store.commit(key, first); }
  CHECK(testing::run(store.load(key)) == std::nullopt);
}
