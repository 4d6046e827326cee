#include <weir/kinesis/lease_worker.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "worker_at_table.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::lease;
using kinesis::lease_checkpoint;
using kinesis::lease_options;
using kinesis::lease_worker;
using kinesis::lease_write;
using kinesis::lease_write_kind;
using desk = test::worker_at_table;
using test::lease_fake;
using test::lease_row;
using time_point = std::chrono::nanoseconds;

namespace {

constexpr time_point third = time_point(10s) / 3 - 25ms;  // of the time of failover, as KCL has it

lease_checkpoint at(std::string const& text) { return lease_checkpoint::parse(text).value(); }

// Holds "s" at 0 s.
struct one_holder {
  explicit one_holder(lease_options const& o = {}) : a("a", table, o) {
    table.put(lease_row("s"));
    a.look(0s);
    a.work(0s);
    CHECK(a.events() == "gained s");
  }
  lease_fake table;
  desk a;
};

}  // namespace

TEST_CASE("a lease that nobody has is taken at once", "[kinesis][lease]") {
  one_holder w;
  CHECK((w.table.at("s") == lease_row("s", "a", 1)));
  CHECK(w.a.worker.holds("s", 9s));
  CHECK_FALSE(w.a.worker.holds("s", 10s));
  CHECK_FALSE(w.a.worker.holds("t", 0s));
}

TEST_CASE("a lease is renewed every third of the time of failover", "[kinesis][lease]") {
  one_holder w;
  CHECK(w.a.worker.next_due() == third);
  CHECK(w.a.worker.due(3s).empty());
  w.a.work(third);
  CHECK(w.table.at("s")->counter == 2);
  CHECK(w.a.worker.holds("s", 13s));
}

TEST_CASE("a lease of a worker that does not renew it is taken after the time of failover, by the clock of who looks", "[kinesis][lease]") {
  lease_fake table;
  table.put(lease_row("s", "dead", 7));
  desk b("b", table);
  b.look(100s);  // it may have been renewed just now
  b.work(100s);
  b.look(105s);
  b.work(105s);
  CHECK(b.events() == "");
  b.look(110s);
  b.work(110s);
  CHECK(b.events() == "gained s");
  CHECK((table.at("s")->owner_switches == 1));
}

TEST_CASE("a counter that moves on keeps a lease from being taken", "[kinesis][lease]") {
  lease_fake table;
  desk b("b", table);
  for (unsigned i = 0; i != 10; ++i) {
    table.put(lease_row("s", "other", i));
    b.look(i * 9s);
    b.work(i * 9s);
  }
  CHECK(b.events() == "");
}

TEST_CASE("a renewal whose answer was lost is known again by the row", "[kinesis][lease]") {
  one_holder w;
  auto const writes = w.a.worker.due(4s);
  REQUIRE(writes.size() == 1);
  CHECK(w.table.write(writes[0]));
  w.a.worker.unknown(writes[0], 5s);
  CHECK(w.a.worker.due(5s).empty());  // not again at once
  w.a.work(6s);
  CHECK(w.a.events() == "");
  CHECK(w.table.at("s")->counter >= 2);
  CHECK(w.a.worker.holds("s", 13s));
}

TEST_CASE("a checkpoint behind a renewal whose answer was lost is written by the counter there is now", "[kinesis][lease]") {
  one_holder w;
  auto const renewal = w.a.worker.due(4s);
  REQUIRE(renewal.size() == 1);
  CHECK(w.table.write(renewal[0]));
  w.a.worker.unknown(renewal[0], 4s);
  CHECK(w.a.worker.checkpoint("s", at("17")) == lease_worker::answer::queued);
  w.a.work(6s);
  CHECK(w.a.events() == "checkpointed s");
  CHECK(w.table.at("s")->checkpoint == at("17"));
}

TEST_CASE("a checkpoint is written once the write under way has been answered, the last of several", "[kinesis][lease]") {
  one_holder w;
  auto const renewal = w.a.worker.due(4s);
  REQUIRE(renewal.size() == 1);
  CHECK(w.a.worker.checkpoint("s", at("17")) == lease_worker::answer::queued);
  CHECK(w.a.worker.checkpoint("s", at("18")) == lease_worker::answer::queued);
  CHECK(w.a.worker.checkpoint("s", at("16")) == lease_worker::answer::backwards);
  CHECK(w.a.worker.due(4s).empty());
  w.a.answer(renewal[0], 4s);
  auto const checkpoint = w.a.worker.due(4s);
  REQUIRE(checkpoint.size() == 1);
  CHECK(checkpoint[0].what() == lease_write_kind::checkpoint);
  CHECK(checkpoint[0].to() == at("18"));
  w.a.answer(checkpoint[0], 4s);
  CHECK(w.a.events() == "checkpointed s");
  CHECK(w.a.worker.checkpoint("s", at("17")) == lease_worker::answer::backwards);
  CHECK(w.a.worker.checkpoint("t", at("17")) == lease_worker::answer::not_held);
  CHECK(w.a.worker.holds("s", 13s));  // it counts as a renewal
}

TEST_CASE("a worker that was away stops at the first refusal, and commits nothing", "[kinesis][lease]") {
  one_holder w;
  lease taken = *w.table.at("s");
  taken.owner = "b";
  ++taken.counter;
  w.table.put(taken);
  CHECK(w.a.worker.checkpoint("s", at("17")) == lease_worker::answer::queued);
  w.a.work(5s);
  CHECK(w.a.events() == "lost s");
  CHECK(w.a.why == "it was taken by b");
  CHECK((w.table.at("s") == taken));
  CHECK(w.a.worker.checkpoint("s", at("18")) == lease_worker::answer::not_held);
  CHECK_FALSE(w.a.worker.holds("s", 5s));
}

TEST_CASE("a lease that cannot be renewed is lost after the time of failover, whatever the table says", "[kinesis][lease]") {
  one_holder w;
  for (auto now = 4s; now < 10s; ++now)
    for (lease_write const& write : w.a.worker.due(now)) w.a.worker.unknown(write, now);
  CHECK(w.a.events() == "");
  CHECK(w.a.worker.due(10s).empty());
  CHECK(w.a.events() == "lost s");
  CHECK(w.a.why == "it could not be renewed within the time of failover");
  w.a.look(11s);  // the table is there again, and nobody has taken it
  w.a.work(11s);
  CHECK(w.a.events() == "gained s");
}

TEST_CASE("a lease that is ours by a write of long ago is held only from a write of now", "[kinesis][lease]") {
  one_holder w;
  auto const renewal = w.a.worker.due(4s);
  REQUIRE(renewal.size() == 1);
  w.a.worker.unknown(renewal[0], 5s);
  auto const seen = w.table.all();
  CHECK(w.table.write(renewal[0]));  // it was long on its way, and others see it from here on
  CHECK(w.a.worker.due(10s).empty());
  CHECK(w.a.events() == "lost s");
  w.a.worker.saw(seen, 6s, 11s);
  auto const take = w.a.worker.due(11s);
  REQUIRE(take.size() == 1);
  w.a.answer(take[0], 14s);  // refused: the row is what it would have made of it
  CHECK(w.a.events() == "");
  CHECK_FALSE(w.a.worker.holds("s", 14s));
  w.a.work(14s);
  CHECK(w.a.events() == "gained s");
  CHECK(w.table.at("s")->counter == 3);
}

TEST_CASE("a lease whose taking took too long is not held", "[kinesis][lease]") {
  lease_fake table;
  table.put(lease_row("s"));
  desk a("a", table);
  a.look(0s);
  auto const take = a.worker.due(0s);
  REQUIRE(take.size() == 1);
  a.answer(take[0], 11s);
  CHECK(a.events() == "");
  CHECK_FALSE(a.worker.holds("s", 11s));
  a.look(12s);
  a.work(12s);
  CHECK(a.events() == "gained s");
}

TEST_CASE("the table is looked at four times in the time of failover, and when what another has runs out", "[kinesis][lease]") {
  lease_fake table;
  table.put(lease_row("s", "dead", 7));
  desk b("b", table);
  b.look(0s);
  CHECK(b.worker.look_due() == 2500ms);
  b.look(4s);  // late
  CHECK(b.worker.look_due() == 6500ms);
  b.look(8s);
  CHECK(b.worker.look_due() == 10s);
  b.look(10s);
  b.work(10s);
  CHECK(b.events() == "gained s");
  CHECK(b.worker.look_due() == 12500ms);
}

TEST_CASE("who was too late for a lease looks soon for another", "[kinesis][lease]") {
  lease_fake table;
  table.put(lease_row("s"));
  desk a("a", table);
  a.look(0s);
  auto const take = a.worker.due(0s);
  REQUIRE(take.size() == 1);
  table.put(lease_row("s", "b", 1));
  table.put(lease_row("t"));
  a.answer(take[0], 100ms);
  CHECK(a.worker.look_due() < 1s);
  a.look(a.worker.look_due());
  a.work(1s);
  CHECK(a.events() == "gained t");
}

TEST_CASE("a row that is gone is a lease that is lost", "[kinesis][lease]") {
  one_holder w;
  w.table.drop("s");
  w.a.look(1s);
  CHECK(w.a.events() == "lost s");
  one_holder other;
  other.table.drop("s");
  other.a.work(4s);
  CHECK(other.a.events() == "lost s");
}

TEST_CASE("a scan that began before a write of ours does not take it back", "[kinesis][lease]") {
  lease_fake table;
  table.put(lease_row("s"));
  desk a("a", table);
  a.look(0s);
  auto const old = table.all();
  a.work(1s);
  CHECK(a.events() == "gained s");
  a.worker.saw(old, 0s, 2s);
  a.worker.saw({}, 0s, 2s);
  a.work(2s);
  CHECK(a.events() == "");
  CHECK(a.worker.holds("s", 2s));
}

TEST_CASE("the end of a shard is the end of its lease, which nobody takes again", "[kinesis][lease]") {
  one_holder w;
  CHECK(w.a.worker.checkpoint("s", lease_checkpoint::shard_end(), {"t", "u"}) == lease_worker::answer::queued);
  w.a.work(1s);
  CHECK(w.a.events() == "ended s");
  CHECK(w.table.at("s")->children == std::set<std::string>{"t", "u"});
  CHECK_FALSE(w.a.worker.holds("s", 1s));
  desk b("b", w.table);
  for (auto now = 0s; now < 60s; now += 5s) {
    b.look(now);
    b.work(now);
    w.a.look(now);
    w.a.work(now);
  }
  CHECK(b.events() == "");
  CHECK(w.a.events() == "");
}

TEST_CASE("a worker that ends gives its leases back, and takes none", "[kinesis][lease]") {
  one_holder w;
  CHECK(w.a.worker.checkpoint("s", at("17")) == lease_worker::answer::queued);
  w.a.worker.end();
  w.a.worker.let_go("s");
  w.a.work(1s);
  CHECK(w.a.events() == "checkpointed s");
  CHECK(w.table.at("s")->owner == "");
  CHECK(w.table.at("s")->checkpoint == at("17"));
  w.a.look(2s);
  w.a.work(2s);
  CHECK(w.a.events() == "");
  desk b("b", w.table);
  b.look(2s);
  b.work(2s);
  CHECK(b.events() == "gained s");
}

TEST_CASE("a lease that was let go of for a while is left to others for so long", "[kinesis][lease]") {
  one_holder w;
  w.a.worker.let_go("s", 60s);
  w.a.work(1s);
  CHECK(w.table.at("s")->owner == "");
  w.table.put(lease_row("t"));
  w.a.look(59s);
  w.a.work(59s);
  CHECK(w.a.events() == "gained t");  // it takes others
  w.a.look(60s);
  w.a.work(60s);
  CHECK(w.a.events() == "gained s");
}

TEST_CASE("a checkpoint that comes when the lease is renewed takes the place of the renewal", "[kinesis][lease]") {
  one_holder w;
  CHECK_FALSE(w.a.worker.renews("s", third - 1ns));
  CHECK(w.a.worker.renews("s", third));
  CHECK_FALSE(w.a.worker.renews("t", third));
  w.a.worker.checkpoint("s", at("17"));
  w.a.work(third);
  CHECK(w.table.at("s")->counter == 2);
  CHECK_FALSE(w.a.worker.renews("s", third));
  CHECK(w.a.worker.holds("s", 13s));
}

TEST_CASE("a lease that a leader of KCL 3 gives us is ours", "[kinesis][lease]") {
  lease_fake table;
  desk a("a", table);
  lease l = lease_row("s", "a", 5);
  l.checkpoint_owner = "kcl";
  table.put(l);
  a.look(0s);
  a.work(0s);
  CHECK(a.events() == "");
  l.checkpoint_owner = "";
  l.counter = 6;
  table.put(l);
  a.look(3s);
  a.work(3s);
  CHECK(a.events() == "gained s");
  CHECK(table.at("s")->counter == 7);
}

TEST_CASE("a lease that is ours although we were to finish it for ourselves is taken", "[kinesis][lease]") {
  lease_fake table;
  lease l = lease_row("s", "a", 5);
  l.checkpoint_owner = "a";
  table.put(l);
  desk a("a", table);
  a.look(0s);
  a.work(0s);
  CHECK(a.events() == "gained s");
  CHECK(table.at("s")->checkpoint_owner == "");
}

TEST_CASE("a worker that ends does not take what it was refused", "[kinesis][lease]") {
  lease_fake table;
  table.put(lease_row("s"));
  desk a("a", table);
  a.look(0s);
  auto const take = a.worker.due(0s);
  REQUIRE(take.size() == 1);
  table.put(lease_row("s", "a", 5));  // a leader of KCL gives it to us
  a.worker.end();
  a.answer(take[0], 1s);
  CHECK(a.worker.due(1s).empty());
  CHECK(a.worker.next_due() > 1s);
}

TEST_CASE("a worker that cannot share leases is refused when it is made", "[kinesis][lease]") {
  auto const refused = [](std::string const& name, lease_options const& o, char const* why) {
    test::fails_with(errc::invalid_option, [&] { lease_worker(name, o, 1); }, "kinesis: cannot share leases", why);
  };
  refused("", {}, "no name");
  refused("a", {.failover = 0s}, "failover");
  refused("a", {.handoff = -1s}, "negative");
  refused("a", {.most_leases = 0}, "may be held");
  refused("a", {.most_stolen = 0}, "may be stolen");
}
