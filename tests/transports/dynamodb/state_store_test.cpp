#include <weir/dynamodb/state_store.hpp>

#include <weir/context.hpp>
#include <weir/net/http_client.hpp>

#include "conformance/state_store_conformance.hpp"
#include "conformance/versioned_state.hpp"
#include "support.hpp"
#include "support/dynalite.hpp"

#include <set>

using namespace weir;
using dynamodb::attribute_value;
using dynamodb::item;
using test::checkpoint_at;
using test::entry;
using test::fails_with;
using test::head;
using test::put;
using test::update_to;

namespace {

checkpoint_key const key("bars", "ticks", "shard-1");
checkpoint_update const first(head(1, position(17, 0, 3), 1'723'161'255'342'000'001),
                              {put("window", "a", "open"), put("dedup", "b", "seen")});
saved_checkpoint const stored(first.head, {entry("dedup", "b", "seen"), entry("window", "a", "open")});

// A server for the test, and stores on it.
class stand {
public:
  stand() : server_(test::dynalite()) {}
  bool absent() const { return server_ == nullptr; }
  dynamodb::client client() const { return dynamodb::client(options()); }
  dynamodb::client_options options() const { return test::dynamodb_at(server_->url()); }
  std::unique_ptr<weir::state_store> store() const { return std::make_unique<dynamodb::state_store>(client()); }
  // Which gives up at once.
  std::unique_ptr<weir::state_store> impatient_store() const {
    auto o = options();
    o.retry = retry_policy().attempts(1);
    return std::make_unique<dynamodb::state_store>(dynamodb::client(o));
  }
  void fate(int after, std::string const& how) const {
    net::http_client const http;
    CHECK(testing::run(http.send(net::request("GET", server_->url() + "/fate?after=" + std::to_string(after) + "&how=" + how))).status ==
          200);
  }
  // The sort keys of a checkpoint's items.
  std::set<std::string> parts() const {
    dynamodb::query_request r("weir-checkpoints", "checkpoint = :c",
                              dynamodb::names_and_values().value(":c", attribute_value::string("bars/ticks/shard-1")));
    std::set<std::string> out;
    do {
      auto const page = testing::run(client().query(r));
      for (item const& i : page.items) out.insert(*i.at("part").as_string());
      r.from = page.next;
    } while (!r.from.empty());
    return out;
  }

private:
  std::unique_ptr<test::node_server> server_;
};

}  // namespace

TEST_CASE("the state store in DynamoDB does what every state store must do", "[dynamodb][state]") {
  stand const s;
  if (s.absent()) return;
  test::state_store_conformance(s.store(), [&](std::unique_ptr<weir::state_store> old) {
    old.reset();
    return s.store();
  });
}

TEST_CASE("a checkpoint in DynamoDB can be read with any client", "[dynamodb][state]") {
  stand const s;
  if (s.absent()) return;
  testing::run(s.store()->commit(key, first));
  auto const row = testing::run(s.client().get(
      "weir-checkpoints", {{"checkpoint", attribute_value::string("bars/ticks/shard-1")}, {"part", attribute_value::string("head")}}));
  REQUIRE(row);
  CHECK(*row->at("position").as_string() == "17.0.3");
  CHECK(*row->at("written_at").as_string() == "2024-08-08T23:54:15.342000001Z");
  CHECK(row->at("version").as_unsigned() == 1);
  CHECK(*row->at("writer").as_string() == "run-1");
}

TEST_CASE("a worker that dies at any request of a commit leaves the old checkpoint or the new one, whole", "[dynamodb][state][crash]") {
  stand const s;
  if (s.absent()) return;
  std::uint64_t n = 0;
  for (; n != 10; ++n) testing::run(s.store()->commit(key, update_to(n + 1)));  // so that the next ones put segments together
  for (char const* const how : {"dead", "request", "reply"}) {
    for (int after = 0;; ++after) {
      INFO(how << " after " << after << " requests, version " << n + 1);
      auto const mortal = s.impatient_store();
      s.fate(after, how);
      bool failed = false;
      try {
        testing::run(mortal->commit(key, update_to(n + 1)));
      } catch (error const& e) {
        INFO(e.what());
        CHECK(e.code() == errc::unavailable);
        failed = true;
      }
      s.fate(-1, "");
      auto const found = testing::run(s.store()->load(key));
      REQUIRE(found);
      std::uint64_t const at = found->head.version;
      CHECK((at == n + 1 || (failed && at == n)));
      CHECK((*found == checkpoint_at(at)));
      n = at;
      if (failed) {  // the worker that comes next, or this one again
        auto const next = after % 2 == 0 ? s.store() : s.impatient_store();
        testing::run(next->commit(key, update_to(n + 1)));
        ++n;
      }
      CHECK((testing::run(s.store()->load(key)) == checkpoint_at(n)));
      if (!failed && after > 12) break;
    }
  }
  auto const survivor = s.store();
  testing::run(survivor->commit(key, update_to(n + 1)));
  CHECK(s.parts().size() <= 12);  // and nothing of the dead is left
  testing::run(survivor->erase(key));
  CHECK(s.parts().empty());
}

TEST_CASE("a commit whose answer was lost is there once", "[dynamodb][state]") {
  stand const s;
  if (s.absent()) return;
  auto const store = s.store();
  std::uint64_t n = 0;
  for (int after = 0; after != 8; ++after) {
    INFO("the answer to request " << after << " is lost");
    s.fate(after, "reply");
    testing::run(store->commit(key, update_to(++n)));
    s.fate(-1, "");
    CHECK((testing::run(s.store()->load(key)) == checkpoint_at(n)));
  }
}

TEST_CASE("a worker that was away is refused, and leaves nothing behind", "[dynamodb][state]") {
  stand const s;
  if (s.absent()) return;
  auto const a = s.store(), b = s.store();
  testing::run(a->commit(key, update_to(1)));
  CHECK((testing::run(b->load(key)) == checkpoint_at(1)));
  testing::run(b->commit(key, update_to(2)));
  auto const before = s.parts();
  auto late = update_to(2);
  late.head.writer = "late";
  fails_with(errc::stale, [&] { testing::run(a->commit(key, late)); }, "the store has version 2", "another worker");
  CHECK((testing::run(b->load(key)) == checkpoint_at(2)));
  CHECK(s.parts() == before);
}

TEST_CASE("what was begun and never finished is passed over, and deleted with the first commit of the next worker", "[dynamodb][state]") {
  stand const s;
  if (s.absent()) return;
  testing::run(s.store()->commit(key, update_to(1)));
  s.fate(3, "dead");  // behind the table, the head and the segment, before the new head
  auto const mortal = s.impatient_store();
  CHECK_THROWS_AS(testing::run(mortal->commit(key, update_to(2))), error);
  s.fate(-1, "");
  auto const left = s.parts();
  CHECK(left.size() == 3);
  CHECK((testing::run(s.store()->load(key)) == checkpoint_at(1)));
  testing::run(s.store()->commit(key, update_to(2)));
  CHECK((testing::run(s.store()->load(key)) == checkpoint_at(2)));
  CHECK(s.parts().size() == 3);
}

TEST_CASE("a checkpoint that was damaged in the table is refused, and can be erased", "[dynamodb][state]") {
  stand const s;
  if (s.absent()) return;
  auto const damage = [&](std::string const& part, std::string const& attribute, attribute_value v) {
    dynamodb::update_request r("weir-checkpoints",
                               {{"checkpoint", attribute_value::string("bars/ticks/shard-1")}, {"part", attribute_value::string(part)}});
    r.update = "SET #a = :v";
    r.with.name("#a", attribute).value(":v", std::move(v));
    CHECK(testing::run(s.client().update(r)).done);
  };
  auto const segment = [&] {
    for (std::string const& p : s.parts())
      if (p != "head") return p;
    return std::string();
  };
  for (auto const& [part, attribute, value] :
       std::vector<std::tuple<std::string, std::string, attribute_value>>{{"segment", "data", attribute_value::binary({std::byte(1)})},
                                                                          {"segment", "data", attribute_value::string("x")},
                                                                          {"head", "position", attribute_value::string("18")},
                                                                          {"head", "segments", attribute_value::list({})},
                                                                          {"head", "version", attribute_value::string("x")},
                                                                          {"head", "commit", attribute_value::number(7)}}) {
    INFO(part << ' ' << attribute);
    testing::run(s.store()->commit(key, first));
    damage(part == "head" ? part : segment(), attribute, value);
    fails_with(
        errc::corrupt, [&] { testing::run(s.store()->load(key)); }, "checkpoint: cannot load", "partition shard-1", "pipeline bars",
        "table weir-checkpoints");
    fails_with(errc::corrupt, [&] { testing::run(s.store()->list("bars")); });
    CHECK(testing::run(s.store()->keys()) == std::vector{key});
    testing::run(s.store()->erase(key));
    CHECK(testing::run(s.store()->load(key)) == std::nullopt);
    CHECK(s.parts().empty());
  }
}

TEST_CASE("a table is made, or missed, or refused, and stores share one", "[dynamodb][state]") {
  stand const s;
  if (s.absent()) return;
  dynamodb::state_store strict(s.client(), {.when_missing = dynamodb::missing_table::refuse});
  fails_with(errc::not_found, [&] { testing::run(strict.load(key)); }, "it does not exist", "table weir-checkpoints");
  testing::run(s.store()->commit(key, first));
  CHECK(testing::run(strict.load(key)) == stored);
  testing::run(s.client().create_table(dynamodb::table_definition("other", dynamodb::key_attribute("leaseKey"))));
  dynamodb::state_store wrong(s.client(), {.table = "other"});
  fails_with(errc::incompatible, [&] { testing::run(wrong.load(key)); }, "table other");
  dynamodb::state_store elsewhere(s.client(), {.table = "elsewhere"});
  CHECK(testing::run(elsewhere.load(key)) == std::nullopt);
  fails_with(errc::invalid_option, [&] { dynamodb::state_store(s.client(), {.table = ""}); }, "has no name");
}

TEST_CASE("a commit in DynamoDB that began is finished though its pipeline is cancelled", "[dynamodb][state]") {
  stand const s;
  if (s.absent()) return;
  auto const store = s.store();
  testing::simulation world;
  auto work = [](weir::state_store& to) -> task<> {
    context& own = co_await current_context();
    own.cancel();
    co_await to.commit(key, first);
  };
  world.run(work(*store));
  CHECK(testing::run(store->load(key)) == stored);
}
