#include <weir/kinesis/lease_worker.hpp>

#include "lease_fake.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::lease;
using kinesis::lease_checkpoint;
using kinesis::lease_event;
using kinesis::lease_event_kind;
using kinesis::lease_options;
using kinesis::lease_worker;
using kinesis::lease_write;
using kinesis::lease_write_kind;
using test::lease_fake;
using time_point = std::chrono::nanoseconds;

namespace {

constexpr time_point third = time_point(10s) / 3 - 25ms;  // of the time of failover, as KCL has it

lease_checkpoint at(std::string const& text) { return lease_checkpoint::parse(text).value(); }
lease row(std::string key, std::string owner = "", std::uint64_t counter = 0) {
  lease l;
  l.key = std::move(key);
  l.owner = std::move(owner);
  l.counter = counter;
  return l;
}

// A worker, and a table that answers at once.
class desk {
public:
  desk(std::string name, lease_fake& t, lease_options const& o = {}) : worker(std::move(name), o, 1), table_(t) {}
  void look(time_point now) { worker.saw(table_.all(), now, now); }
  // Sends what is due, until nothing is.
  void work(time_point now) {
    for (auto writes = worker.due(now); !writes.empty(); writes = worker.due(now))
      for (lease_write const& w : writes) answer(w, now);
  }
  void answer(lease_write const& w, time_point now) {
    if (table_.write(w)) worker.done(w, now);
    else worker.refused(w, table_.at(w.key()), now);
  }
  // "gained a, lost b"
  std::string events() {
    std::string out;
    for (lease_event const& e : worker.take_events()) {
      static constexpr std::string_view words[] = {"gained", "asked_for", "checkpointed", "ended", "lost"};
      out += (out.empty() ? "" : ", ") + std::string(words[static_cast<std::size_t>(e.what)]) + ' ' + e.of.key;
      why = e.why;
    }
    return out;
  }

  lease_worker worker;
  std::string why;

private:
  lease_fake& table_;
};

// Holds "s" at 0 s.
struct one_holder {
  explicit one_holder(lease_options const& o = {}) : a("a", table, o) {
    table.put(row("s"));
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
  CHECK((w.table.at("s") == row("s", "a", 1)));
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
  table.put(row("s", "dead", 7));
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
    table.put(row("s", "other", i));
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
  table.put(row("s"));
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
  table.put(row("s"));
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

namespace {

// a holds both; b has looked twice and asked for one of them.
struct handing_over {
  explicit handing_over(lease_options const& o = {}) : a("a", table, o), b("b", table, o) {
    table.put(row("s"));
    table.put(row("t"));
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
  w.table.put(row("t"));
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
  lease l = row("s", "a", 5);
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
  lease l = row("s", "a", 5);
  l.checkpoint_owner = "a";
  table.put(l);
  desk a("a", table);
  a.look(0s);
  a.work(0s);
  CHECK(a.events() == "gained s");
  CHECK(table.at("s")->checkpoint_owner == "");
}

TEST_CASE("a lease that is taken in place of being asked for again leaves nothing to be done at once", "[kinesis][lease]") {
  handing_over w;  // and a dies
  w.b.look(40s);
  w.b.work(40s);
  CHECK(w.b.worker.holds(w.asked, 40s));
  CHECK(w.b.worker.next_due() > 40s);
}

TEST_CASE("a worker that ends does not take what it was refused", "[kinesis][lease]") {
  lease_fake table;
  table.put(row("s"));
  desk a("a", table);
  a.look(0s);
  auto const take = a.worker.due(0s);
  REQUIRE(take.size() == 1);
  table.put(row("s", "a", 5));  // a leader of KCL gives it to us
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
