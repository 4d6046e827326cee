// How a lease goes from a worker that has more than its share to one that has less.
#include <weir/kinesis/lease_worker.hpp>

#include "support/catch.hpp"
#include "worker_at_table.hpp"

#include <chrono>
#include <string>
#include <utility>

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

namespace {

lease_checkpoint at(std::string const& text) { return lease_checkpoint::parse(text).value(); }

// a holds both; b has looked twice and asked for one of them.
struct handing_over {
  explicit handing_over(lease_options const& o = {}) : a("a", table, o), b("b", table, o) {
    table.put(lease_row("s"));
    table.put(lease_row("t"));
    a.look(0s);
    a.work(0s);
    CHECK(a.events() == "gained s, gained t");
    b.look(1s);
    b.work(1s);
    asked = table.at("s")->owner == "b" ? "s" : "t";
  }
  lease_fake table;
  desk a, b;
  std::string asked;
};

}  // namespace

TEST_CASE("a worker that has more than its share is asked for a lease, finishes, and hands it over", "[kinesis][lease]") {
  handing_over w;
  CHECK(w.table.at(w.asked)->owner == "b");
  CHECK(w.table.at(w.asked)->checkpoint_owner == "a");
  CHECK(w.b.events() == "");
  CHECK_FALSE(w.b.worker.holds(w.asked, 1s));
  w.a.work(4s);
  CHECK(w.a.events() == "asked_for " + w.asked);
  CHECK(w.a.worker.holds(w.asked, 4s));
  for (auto now = 4s; now < 20s; now += 2s) {  // it goes on for longer than the time of failover, and b waits
    w.a.work(now);
    w.b.look(now);
    w.b.work(now);
  }
  CHECK(w.b.events() == "");
  CHECK(w.a.events() == "");
  CHECK(w.a.worker.checkpoint(w.asked, at("17")) == lease_worker::answer::queued);
  w.a.worker.hand_over(w.asked);
  CHECK(w.a.worker.checkpoint(w.asked, at("18")) == lease_worker::answer::not_held);
  w.a.work(21s);
  CHECK(w.a.events() == "checkpointed " + w.asked);
  CHECK(w.table.at(w.asked)->checkpoint == at("17"));
  CHECK(w.table.at(w.asked)->checkpoint_owner == "");
  w.b.look(22s);
  w.b.work(22s);
  CHECK(w.b.events() == "gained " + w.asked);
  CHECK(w.b.worker.checkpoint(w.asked, at("19")) == lease_worker::answer::queued);
  w.b.work(22s);
  CHECK(w.table.at(w.asked)->checkpoint == at("19"));
}

TEST_CASE("a worker that does not hand over in time stops, and is evicted after that", "[kinesis][lease]") {
  handing_over w;
  for (auto now = 2s; now < 30s; now += 2s) {
    w.a.work(now);
    w.b.look(now);
    w.b.work(now);
  }
  CHECK(w.a.events() == "asked_for " + w.asked);
  CHECK(w.a.worker.holds(w.asked, 29s));
  CHECK(w.a.worker.checkpoint(w.asked, at("17")) == lease_worker::answer::queued);
  auto const late = w.a.worker.due(29s);
  REQUIRE_FALSE(late.empty());
  w.a.work(30s);  // it was asked at 1 s, which it does not know, but it had last renewed at 0 s
  CHECK(w.a.events() == "lost " + w.asked);
  CHECK(w.a.why == "it was not handed over in time");
  CHECK_FALSE(w.a.worker.holds(w.asked, 30s));
  CHECK(w.b.events() == "");
  w.b.work(31s);
  CHECK(w.b.events() == "gained " + w.asked);
  for (lease_write const& write : late)  // a checkpoint that was long on its way
    if (write.key() == w.asked) CHECK_FALSE(w.table.write(write));
  CHECK(w.table.at(w.asked)->checkpoint == lease_checkpoint::trim_horizon());
}

TEST_CASE("a worker that dies while it hands over is not waited for longer than any other", "[kinesis][lease]") {
  handing_over w;
  for (auto now = 2s; now < 11s; now += 1s) {
    w.b.look(now);
    w.b.work(now);
  }
  CHECK(w.b.events() == "");
  w.b.look(11s);
  w.b.work(11s);
  CHECK(w.b.events().find("gained " + w.asked) != std::string::npos);
}

TEST_CASE("a handover that comes with the eviction is no lease held for longer than others think", "[kinesis][lease]") {
  handing_over w;
  w.a.work(4s);
  w.a.work(29s);
  auto const evict = w.b.worker.due(31s);
  REQUIRE(evict.size() == 1);
  CHECK(evict[0].what() == lease_write_kind::evict);
  // a's handover of long ago has been done first.
  lease l = *w.table.at(w.asked);
  ++l.counter;
  l.checkpoint_owner.clear();
  w.table.put(l);
  w.b.answer(evict[0], 32s);
  CHECK(w.b.events() == "");
  w.b.work(32s);
  CHECK(w.b.events() == "gained " + w.asked);
  CHECK(w.table.at(w.asked)->counter == l.counter + 1);
}

TEST_CASE("without time to hand over a lease is taken at once, as KCL 1 and 2 do it", "[kinesis][lease]") {
  handing_over w({.handoff = 0s});
  CHECK(w.b.events() == "gained " + w.asked);
  w.a.work(4s);
  CHECK(w.a.events() == "lost " + w.asked);
}

TEST_CASE("a lease that is taken in place of being asked for again leaves nothing to be done at once", "[kinesis][lease]") {
  handing_over w;  // and a dies
  w.b.look(40s);
  w.b.work(40s);
  CHECK(w.b.worker.holds(w.asked, 40s));
  CHECK(w.b.worker.next_due() > 40s);
}
