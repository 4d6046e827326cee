// Workers that share a stream by leases, in virtual time, over a table and a store in memory.
#include "lease_world.hpp"

#include <weir/kinesis/shard_end.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::lease;
using kinesis::lease_checkpoint;
using test::lease_world;
using shares = std::map<std::string, int>;

namespace {

constexpr auto failover = 10s;  // as it is by default

std::string last_number(lease_world const& w, std::size_t shard) {
  auto const& s = w.stream.stream().shards().at(shard);
  return s.sequence_number(s.records.back().number);
}

}  // namespace

TEST_CASE("a worker alone makes the leases of all shards, reads them, and gives them back when it ends", "[kinesis][leases]") {
  lease_world w(4);
  w.put(5);
  w.play([&](async_scope& scope) -> task<> {
    w.start(scope);
    bool const done = co_await w.wait_for_all(10s);
    CHECK(done);
    CHECK(w.shares() == shares{{"w0", 4}});
  });
  CHECK(w.wrong() == "");
  CHECK(w.table->all().size() == 4);
  for (std::size_t i = 0; i != 4; ++i) {
    auto const row = w.table->at(w.stream.id(i));
    REQUIRE(row);
    CHECK(row->owner == "");
    CHECK(row->checkpoint.text() == last_number(w, i));  // where KCL would go on
  }
}

TEST_CASE("what is committed is in the leases when they are renewed", "[kinesis][leases]") {
  lease_world w(1);
  w.put(5);
  w.play([&](async_scope& scope) -> task<> {
    auto& one = w.start(scope);
    bool const done = co_await w.wait_for_all(3s);
    CHECK(done);
    co_await sleep_for(failover / 3);
    CHECK(w.table->at(w.stream.id(0))->checkpoint.text() == last_number(w, 0));
    lease_world::kill(one);
  });
  CHECK(w.table->at(w.stream.id(0))->owner == "w0");
}

TEST_CASE("a worker that joins is handed its share, and nothing is lost or done twice", "[kinesis][leases]") {
  lease_world w(4);
  w.put(5);
  w.play([&](async_scope& scope) -> task<> {
    w.start(scope);
    co_await sleep_for(10s);
    auto& second = w.start(scope);
    for (int i = 0; i != 60; ++i) {
      w.put(1);
      co_await sleep_for(1s);
    }
    CHECK(w.shares() == shares{{"w0", 2}, {"w1", 2}});
    bool const done = co_await w.wait_for_all(10s);
    CHECK(done);
    CHECK(w.log.count("is asked for by w1") == 2);
    CHECK(w.log.count("is lost") == 0);
    CHECK(second.handled.size() == 2);
  });
  CHECK(w.wrong() == "");
  CHECK(w.store->zombies == 0);
}

TEST_CASE("a worker that cannot reach the table stops by itself, and comes back", "[kinesis][leases]") {
  lease_world w(1);
  w.play([&](async_scope& scope) -> task<> {
    auto& first = w.start(scope);
    co_await sleep_for(5s);
    first.desk->cut = true;
    co_await sleep_for(failover);
    CHECK(w.log.count("it could not be renewed within the time of failover") == 1);
    w.put(2);
    co_await sleep_for(1min);
    CHECK(w.rows.rows().empty());
    first.desk->cut = false;
    instant const back = w.now();
    bool const done = co_await w.wait_for_all(1min);
    CHECK(done);
    CHECK(std::chrono::nanoseconds(w.now() - back) <= failover);
  });
  CHECK(w.wrong() == "");
}

TEST_CASE("a commit that comes after another worker has taken the lease is refused, also before that one has committed anything",
          "[kinesis][leases]") {
  lease_world w(1);
  w.play([&](async_scope& scope) -> task<> {
    auto& first = w.start(scope);
    co_await sleep_for(5s);
    first.store->longest = 40s;  // it begins while the lease is held
    first.desk->cut = true;
    w.put(1);
    co_await sleep_for(5s);
    auto& second = w.start(scope);
    second.on_record = [&w](kinesis::record const&) -> task<> {
      if (w.rows.rows().empty() && w.now() < test::simulated_begin + 60'000'000'000) co_await sleep_for(1min);
    };
    co_await sleep_for(50s);
    CHECK(second.handled.size() == 1);
    CHECK(w.rows.rows().empty());
    bool const done = co_await w.wait_for_all(5min);
    CHECK(done);
    CHECK(w.log.count("pipeline halted") == 0);
    CHECK_FALSE(second.failure);
  });
  CHECK(w.wrong() == "");
  CHECK(w.store->zombies == 0);
}

TEST_CASE("what a worker has written outside of the store, and not committed, is not there twice when another has its shard",
          "[kinesis][leases]") {
  lease_world w(1);
  w.play([&](async_scope& scope) -> task<> {
    auto& first = w.start(scope);
    co_await sleep_for(5s);
    first.store->longest = 40s;
    w.put(1);
    co_await sleep_for(5s);
    REQUIRE(w.files.rows().size() > 0);
    REQUIRE(w.rows.rows().empty());
    lease_world::kill(first);
    w.start(scope);
    bool const done = co_await w.wait_for_all(1min);
    CHECK(done);
    co_await sleep_for(1min);  // the commit of the first has come to nothing by then
  });
  CHECK(w.wrong() == "");
  CHECK(w.store->zombies == 0);
}

TEST_CASE("a lease that comes back waits until the former reading has ended", "[kinesis][leases]") {
  lease_world w(1);
  w.play([&](async_scope& scope) -> task<> {
    auto& one = w.start(scope);
    co_await sleep_for(5s);
    one.store->longest = 50s;
    one.desk->cut = true;
    w.put(1);
    co_await sleep_for(15s);
    REQUIRE(w.log.count("a lease is lost") == 1);
    one.desk->cut = false;  // and the commit of before is still on its way
    one.store->longest = 0s;
    co_await sleep_for(10s);
    CHECK(w.log.count("a lease was taken") == 2);
    CHECK(w.rows.rows().empty());
    bool const done = co_await w.wait_for_all(1min);
    CHECK(done);
    CHECK(w.log.count("let go of") == 0);
    CHECK(w.log.count("halted") == 0);
  });
  CHECK(w.wrong() == "");
}

TEST_CASE("a shard whose handler fails is left to others, and the lease with it", "[kinesis][leases]") {
  lease_world w(2);
  w.play([&](async_scope& scope) -> task<> {
    auto& first = w.start(scope);
    first.on_record = [id = w.stream.id(0)](kinesis::record const& r) -> task<> {
      if (r.shard_id() == id) throw std::runtime_error("a broken disk");
      co_return;
    };
    auto& second = w.start(scope);
    co_await sleep_for(30s);
    w.put(2);
    bool const done = co_await w.wait_for_all(2min);
    CHECK(done);
    CHECK(w.log.count("a lease is let go of") >= 1);
    CHECK(second.handled[w.stream.id(0)] > 0);
  });
  CHECK(w.wrong() == "");
  CHECK(w.workers[0]->failure);  // and says so in the end
}

TEST_CASE("a handler that does not come back keeps its lease, until another worker wants it", "[kinesis][leases]") {
  lease_world w(2);
  w.play([&](async_scope& scope) -> task<> {
    auto& first = w.start(scope);
    first.on_record = [](kinesis::record const&) -> task<> { co_await sleep_for(24h); };
    w.put(1);
    co_await sleep_for(5min);
    CHECK(w.shares() == shares{{"w0", 2}});
    CHECK(w.log.count("lost") == 0);
    w.start(scope);
    co_await sleep_for(90s);
    CHECK(w.shares() == shares{{"w0", 1}, {"w1", 1}});  // it was given its time, and then evicted
    CHECK(w.log.count("is lost") == 1);
    lease_world::kill(first);
    bool const done = co_await w.wait_for_all(1min);
    CHECK(done);
  });
  CHECK(w.wrong() == "");
  CHECK(w.store->zombies == 0);
}

TEST_CASE("a shard that nobody can handle is tried again after longer and longer, and read when it can be", "[kinesis][leases]") {
  lease_world w(1);
  bool broken = true;
  w.play([&](async_scope& scope) -> task<> {
    auto& one = w.start(scope);
    one.on_record = [&broken](kinesis::record const&) -> task<> {
      if (broken) throw std::runtime_error("the database is away");
      co_return;
    };
    w.put(1);
    co_await sleep_for(10min);
    for (char const* const pause : {"for 10 s", "for 20 s", "for 40 s", "for 80 s", "for 160 s"}) CHECK(w.log.count(pause) == 1);
    CHECK(w.log.count("let go of") <= 6);
    CHECK(w.shares() == shares{{"", 1}});  // it is not held by who does not read it
    broken = false;
    bool const done = co_await w.wait_for_all(6min);
    CHECK(done);
  });
  CHECK(w.wrong() == "");
}

TEST_CASE("a worker that ends while the table is away ends all the same, when its leases have run out", "[kinesis][leases]") {
  lease_world w(2);
  w.play([&](async_scope& scope) -> task<> {
    auto& one = w.start(scope);
    co_await sleep_for(5s);
    one.desk->cut = true;
    lease_world::end(one);
    co_await sleep_for(failover + 3s);
    CHECK(one.over);
    CHECK_FALSE(one.failure);
  });
}

TEST_CASE("a lease that a leader of KCL gives to another worker is handed over behind the checkpoint", "[kinesis][leases]") {
  lease_world w(1);
  w.play([&](async_scope& scope) -> task<> {
    w.start(scope);
    w.put(2);
    bool const done = co_await w.wait_for_all(10s);
    CHECK(done);
    lease row = w.table->at(w.stream.id(0)).value();
    row.checkpoint_owner = std::exchange(row.owner, "kcl");
    ++row.counter;
    ++row.owner_switches;
    w.table->put(row);
    co_await sleep_for(failover / 2);
    lease const given = w.table->at(w.stream.id(0)).value();
    CHECK(given.owner == "kcl");
    CHECK(given.checkpoint_owner == "");
    CHECK(given.checkpoint.text() == last_number(w, 0));
    w.put(1);
    co_await sleep_for(4s);  // it may not be read here any more
    CHECK(w.rows.rows().size() == 32);
    bool const back = co_await w.wait_for_all(1min);  // who never renews it has died
    CHECK(back);
  });
  CHECK(w.wrong() == "");
}

TEST_CASE("a row that somebody deletes comes back, and its shard is read on from its checkpoint", "[kinesis][leases]") {
  lease_world w(2);
  w.play([&](async_scope& scope) -> task<> {
    w.start(scope);
    w.put(2);
    bool const done = co_await w.wait_for_all(10s);
    CHECK(done);
    w.table->drop(w.stream.id(1));
    w.put(1);
    bool const again = co_await w.wait_for_all(1min);
    CHECK(again);
  });
  CHECK(w.wrong() == "");
}

TEST_CASE("shards that split and merge are read in their order by whoever holds them", "[kinesis][leases]") {
  lease_world w(2);
  w.play([&](async_scope& scope) -> task<> {
    w.start(scope);
    w.start(scope);
    w.put(3);
    co_await sleep_for(20s);
    w.put(3);
    w.stream.split(0, w.now());
    w.put(3);
    co_await sleep_for(7s);
    w.stream.merge(3, 1, w.now());
    w.put(3);
    bool const done = co_await w.wait_for_all(2min);
    CHECK(done);
  });
  CHECK(w.wrong() == "");
  auto const parent = w.table->at(w.stream.id(0));
  if (parent) {
    CHECK(parent->checkpoint.ended());
    CHECK(parent->children == std::set<std::string>{w.stream.id(2), w.stream.id(3)});
  }
  CHECK(w.table->at(w.stream.id(4))->parents == std::set<std::string>{w.stream.id(1), w.stream.id(3)});
}

TEST_CASE("the lease of a shard that the stream has forgotten ends, and that records are lost is said", "[kinesis][leases]") {
  lease_world w(1);
  lease old;
  old.key = "shardId-000000000099";
  w.table->put(old);
  w.play([&](async_scope& scope) -> task<> {
    w.start(scope);
    w.put(2);
    bool const done = co_await w.wait_for_all(20s);
    CHECK(done);
    CHECK(w.log.count("error: kinesis: records are lost (stream ticks, partition shardId-000000000099)") == 1);
  });
  CHECK(w.table->at(old.key)->checkpoint.ended());
}

TEST_CASE("where a worker of KCL had a shard in between, a pipeline without state goes on behind it", "[kinesis][leases]") {
  lease_world w(1);
  w.put(2);  // which KCL has done
  std::string const done_by_kcl = last_number(w, 0);
  lease row;
  row.key = w.stream.id(0);
  row.checkpoint = lease_checkpoint::parse(done_by_kcl).value();
  w.table->put(row);
  w.put(1);
  w.play([&](async_scope& scope) -> task<> {
    w.start(scope);
    co_await sleep_for(10s);
  });
  REQUIRE(w.rows.rows().size() == 16);
  for (std::string const& r : w.rows.rows()) CHECK(r.ends_with(" 2"));
}

TEST_CASE("a lease says where its shard begins: at the tip, or with the oldest record", "[kinesis][leases]") {
  for (bool const at_tip : {false, true}) {
    CAPTURE(at_tip);
    lease_world w(1);
    lease row;
    row.key = w.stream.id(0);
    if (at_tip) row.checkpoint = lease_checkpoint::latest();
    w.table->put(row);
    w.put(1);
    w.play([&](async_scope& scope) -> task<> {
      w.start(scope);
      co_await sleep_for(10s);
      w.put(1);
      co_await sleep_for(10s);
    });
    CHECK(w.rows.rows().size() == (at_tip ? 16 : 32));
  }
}

TEST_CASE("a table that has rows of several streams is not touched", "[kinesis][leases]") {
  lease_world w(1);
  lease other;
  other.key = "000000000000:ticks:1:shardId-000000000000";
  w.table->put(other);
  w.play([&](async_scope& scope) -> task<> {
    w.start(scope);
    co_await sleep_for(30s);
  });
  CHECK((w.table->at(other.key) == other));
  CHECK(w.table->at(w.stream.id(0)).has_value());
}

TEST_CASE("a table that cannot be had at the start halts the pipeline", "[kinesis][leases]") {
  lease_world w(1);
  w.play([&](async_scope& scope) -> task<> {
    auto& one = w.start(scope);
    one.desk->cut = true;
    co_await sleep_for(5min);
    CHECK(one.over);
  });
  test::fails_with(errc::unavailable, [&] { std::rethrow_exception(w.workers[0]->failure); }, "the connection was closed", "stream ticks");
}

TEST_CASE("leases that cannot be shared are refused when the source is built", "[kinesis][leases]") {
  test::simulated_stream s(1);
  auto const refused = [&](auto change, char const* why) {
    kinesis::options o = s.options();
    o.leases.emplace();
    o.leases->table = "app";
    change(o);
    test::fails_with(errc::invalid_option, [&] { kinesis::source source(o); }, why);
  };
  refused([](auto& o) { o.leases->table.clear(); }, "no name");
  refused([](auto& o) { o.leases->how.failover = 0s; }, "failover");
  refused([](auto& o) { o.positions.emplace("shardId-000000000000", "17"); }, "in their table");
}

TEST_CASE("workers that come, end, die and stall, over a table in trouble and shards that change: every record lands once, in order",
          "[kinesis][leases][property]") {
  std::size_t reshardings = 0, started = 0;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    INFO("seed " << seed);
    lease_world w(3, seed);
    test::dice dice(seed);
    w.play([&](async_scope& scope) -> task<> {
      w.start(scope);
      for (int i = 0; i != 40; ++i) {
        co_await sleep_for(std::chrono::milliseconds(500 + dice.upto(8000)));
        w.put(1);
        auto& some = *w.workers[static_cast<std::size_t>(dice.upto(static_cast<int>(w.workers.size()) - 1))];
        auto const alive = std::ranges::count_if(w.workers, [](auto const& one) { return !one->over; });
        auto const open = w.stream.stream().open();
        switch (dice.upto(9)) {
          case 0: lease_world::kill(some); break;
          case 1: lease_world::end(some); break;
          case 2:
          case 3:
            if (alive < 4) w.start(scope).desk->trouble = dice.upto(15);
            break;
          case 4: some.store->longest = std::chrono::seconds(dice.upto(25)); break;
          case 5: some.store->longest = 0s; break;
          case 6: some.desk->cut = !some.desk->cut; break;
          case 7:
            ++reshardings;
            w.stream.split(open[static_cast<std::size_t>(dice.upto(static_cast<int>(open.size()) - 1))], w.now());
            break;
          default: break;
        }
      }
      for (auto const& one : w.workers) {
        if (!one->over) lease_world::kill(*one);
      }
      w.start(scope, "last");
      bool const done = co_await w.wait_for_all(10min);
      CHECK(done);
    });
    CHECK(w.wrong() == "");
    CHECK(w.store->zombies == 0);
    started += w.workers.size();
  }
  CHECK(reshardings > 20);
  CHECK(started > 60);
}
