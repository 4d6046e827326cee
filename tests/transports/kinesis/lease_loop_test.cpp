// What happens to a lease while its shard is about to be begun, or is gone; in virtual time, over a table and a store in memory.
#include "lease_world.hpp"

#include "support/catch.hpp"
#include "support/kinesis_fault.hpp"

#include <chrono>
#include <string>
#include <utility>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::lease;
using test::lease_world;
using shares = std::map<std::string, int>;

namespace {

constexpr auto failover = 10s;  // as it is by default

void store_is_away() { throw error(errc::unavailable, "store: cannot commit", "it is away"); }

task<> slow_to_create(kinesis::lease_write const& w) {
  if (w.what() == kinesis::lease_write_kind::create) co_await sleep_for(8s);
}

}  // namespace

TEST_CASE("a worker that ends just when a shard is to be read ends at once, and gives the lease back", "[kinesis][leases]") {
  lease_world w(1);
  w.play([&](async_scope& scope) -> task<> {
    auto& one = w.start(scope);
    one.store->after_commit = [&one] { lease_world::end(one); };  // which is the fence
    co_await sleep_for(2s);
    CHECK(one.over);
    CHECK(w.shares() == shares{{"", 1}});
  });
}

TEST_CASE("a worker that ends while a shard cannot be begun ends at once, and gives the lease back", "[kinesis][leases]") {
  lease_world w(1);
  w.play([&](async_scope& scope) -> task<> {
    auto& one = w.start(scope);
    one.store->after_commit = store_is_away;
    co_await sleep_for(2s);
    lease_world::end(one);
    co_await sleep_for(100ms);
    CHECK(one.over);
    CHECK(w.shares() == shares{{"", 1}});
    CHECK(w.log.count("let go of") == 0);  // which would be for a while
  });
}

TEST_CASE("a shard that could not be begun is begun at once when its lease was lost and has come back", "[kinesis][leases]") {
  lease_world w(1);
  w.change = [](kinesis::options& o) { o.leases->how.failover = 1s; };
  w.put(1);
  w.play([&](async_scope& scope) -> task<> {
    auto& one = w.start(scope);
    one.store->after_commit = store_is_away;  // tried again after 0.5, 1, 2 and 4 s
    co_await sleep_for(1200ms);
    lease row = w.table->at(w.stream.id(0)).value();
    row.owner = "other";
    ++row.counter;
    w.table->put(row);
    while (w.log.count("a lease is lost") == 0) co_await sleep_for(10ms);
    one.store->after_commit = nullptr;
    row.owner.clear();
    w.table->put(row);
    while (w.log.count("a lease was taken") != 2) co_await sleep_for(10ms);
    bool const done = co_await w.wait_for_all(500ms);
    CHECK(done);
  });
  CHECK(w.wrong() == "");
}

TEST_CASE("a shard that the stream has forgotten ends behind a fence: a commit that is still on its way is refused", "[kinesis][leases]") {
  lease_world w(1);
  w.play([&](async_scope& scope) -> task<> {
    auto& first = w.start(scope);
    co_await sleep_for(5s);
    first.store->longest = 1min;
    w.put(1);
    co_await sleep_for(5s);
    first.desk->cut = true;
    w.stream.split(0, w.now());
    w.stream.stream().trim(w.now() + 1);
    w.start(scope);
    co_await sleep_for(2min);
    CHECK(w.table->at(w.stream.id(0))->checkpoint.ended());
    CHECK(w.log.count("error: kinesis: records are lost") == 1);
    CHECK(w.rows.rows().empty());
  });
}

TEST_CASE("a shard that was read to its end before the stream has forgotten it is not said to be lost", "[kinesis][leases]") {
  lease_world w(1);
  w.play([&](async_scope& scope) -> task<> {
    auto& first = w.start(scope);
    co_await sleep_for(3500ms);
    first.desk->cut = true;
    w.stream.split(0, w.now());
    co_await sleep_for(5s);  // the end is committed, and cannot be written into the lease
    lease_world::kill(first);
    w.stream.stream().trim(w.now() + 1);
    w.start(scope);
    co_await sleep_for(30s);
    CHECK(w.table->at(w.stream.id(0))->checkpoint.ended());
    CHECK(w.log.count("records are lost") == 0);
  });
}

TEST_CASE("what a shard has become is looked for at its end, also when another listing fails meanwhile", "[kinesis][leases]") {
  lease_world w(2);
  w.change = [](kinesis::options& o) { o.poll = o.idle_poll = 100ms; };
  auto& service = *w.stream.service;
  bool refuses = false;
  std::size_t passed = 0;
  service.before = [&](test::simulated_kinesis::call const& c) {
    if (c.operation != "ListShards" || !refuses) return;
    bool const is_for_the_first = passed == 0 && w.table->at(w.stream.id(0))->checkpoint.ended();
    if (is_for_the_first) ++passed;
    else service.fail("ListShards", test::kinesis_fault::refuse("LimitExceededException"));
  };
  w.play([&](async_scope& scope) -> task<> {
    auto& one = w.start(scope);
    co_await sleep_for(5s);
    one.desk->before_write = slow_to_create;
    refuses = true;
    lease unknown;
    unknown.key = "shardId-000000000099";  // listed for again and again, while it is about to be begun
    w.table->put(unknown);
    while (w.log.count("a lease was taken") != 3) co_await sleep_for(10ms);
    w.stream.split(0, w.now());
    while (passed == 0) co_await sleep_for(10ms);
    instant const listed = w.now();
    w.stream.split(1, w.now());  // and ends while the leases of what the first has become are being made
    co_await sleep_for(7s);
    CHECK(w.table->at(w.stream.id(1))->checkpoint.ended());
    refuses = false;
    while (!w.table->at(w.stream.id(4))) co_await sleep_for(100ms);
    CHECK(std::chrono::nanoseconds(w.now() - listed) < 20s);
  });
}

TEST_CASE("the shards of a worker that dies are read by another within one and a quarter of the time of failover", "[kinesis][leases]") {
  for (int nth = 0; nth != 20; ++nth) {
    CAPTURE(nth);
    lease_world w(2);
    w.play([&](async_scope& scope) -> task<> {
      auto& first = w.start(scope);
      co_await sleep_for(5s);
      auto& second = w.start(scope);
      co_await sleep_for(40s + nth * 700ms);
      REQUIRE(w.shares() == shares{{"w0", 1}, {"w1", 1}});
      lease_world::kill(first);
      instant const died = w.now();
      w.put(3);
      while (second.handled.size() != 2) co_await sleep_for(10ms);
      CHECK(std::chrono::nanoseconds(w.now() - died) <= failover * 5 / 4 + 300ms);  // what requests take
      bool const done = co_await w.wait_for_all(1min);
      CHECK(done);
    });
    CHECK(w.wrong() == "");
  }
}
