#include <weir/eventhubs/balancer.hpp>

#include "ownership_fake.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using eventhubs::balance_event;
using eventhubs::balancer;
using eventhubs::balancer_options;
using eventhubs::balancing;
using eventhubs::ownership_write;
using eventhubs::ownership_write_kind;
using test::ownership_fake;
using moment = std::chrono::nanoseconds;

namespace {

constexpr instant in_2026 = 1'790'000'000'000'000'000;  // of the service, at 0 s of ours

balancer_options one_by_one() {
  balancer_options o;
  o.strategy = balancing::balanced;
  return o;
}
instant service_time(moment now) { return in_2026 + now.count(); }

// A consumer of the partitions "0" to "3", and blobs that answer at once.
class seat {
public:
  seat(std::string name, ownership_fake& blobs, balancer_options const& o = {}, std::uint64_t seed = 1)
      : consumer(std::move(name), o, seed), blobs_(blobs) {
    consumer.know({"0", "1", "2", "3"});
  }
  void look(moment now) { consumer.saw(blobs_.all(service_time(now)), now, now); }
  void answer(ownership_write const& w, moment now) {
    std::string etag = blobs_.write(w, service_time(now));
    if (!etag.empty()) consumer.done(w, std::move(etag), now);
    else consumer.refused(w, blobs_.at(w.before.partition), now);
  }
  // Sends what is due.
  void work(moment now) {
    for (ownership_write const& w : consumer.due(now)) answer(w, now);
  }
  void turn(moment now) {
    look(now);
    work(now);
  }
  // "+0 -1": gained 0, lost 1.
  std::string events() {
    std::string out;
    for (balance_event const& e : consumer.take_events()) {
      out += (out.empty() ? "" : " ") + std::string(e.what == balance_event::kind::gained ? "+" : "-") + e.partition;
      why = e.why;
    }
    return out;
  }
  std::string all_held(moment now) const {
    std::string out;
    for (char const* const id : {"0", "1", "2", "3"})
      if (consumer.holds(id, now)) out += id;
    return out;
  }

  balancer consumer;
  std::string why;

private:
  ownership_fake& blobs_;
};

}  // namespace

TEST_CASE("a greedy consumer claims all that is free at once, a balanced one of them each time it looks", "[eventhubs][balancer]") {
  ownership_fake blobs;
  seat a("a", blobs);
  a.turn(0s);
  CHECK(a.events() == "+0 +1 +2 +3");
  CHECK(blobs.at("2")->owner == "a");
  ownership_fake others;
  seat b("b", others, one_by_one());
  for (unsigned i = 1; i <= 4; ++i) {
    b.turn(i * 10s);
    CHECK(b.events().size() == 2);
    CHECK(b.consumer.held() == i);
  }
  b.turn(50s);
  CHECK(b.events().empty());
}

TEST_CASE("what it has is renewed each interval, or up to an eighth sooner, and blobs are looked at as often", "[eventhubs][balancer]") {
  ownership_fake blobs;
  seat a("a", blobs);
  CHECK(a.consumer.look_due() < 0s);  // at once
  a.turn(100s);
  moment const due = a.consumer.next_due();
  CHECK(due >= 108'750ms);
  CHECK(due <= 110s);
  CHECK(a.consumer.look_due() >= 108'750ms);
  CHECK(a.consumer.look_due() <= 110s);
  CHECK(a.consumer.due(due - 1ms).empty());
  std::string const before = blobs.at("0")->etag;
  a.work(110s);
  CHECK(blobs.at("0")->etag != before);
  CHECK(a.consumer.holds("0", 169s));
  CHECK_FALSE(a.consumer.holds("0", 170s));
}

TEST_CASE("consumers that start together neither look together nor want the same", "[eventhubs][balancer]") {
  std::set<moment> looks;
  std::set<std::string> firsts;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    ownership_fake blobs;
    seat a("a", blobs, one_by_one(), seed);
    a.turn(0s);
    looks.insert(a.consumer.look_due());
    firsts.insert(a.events());
  }
  CHECK(looks.size() == 20);
  CHECK(firsts.size() == 4);
}

TEST_CASE("a list that began before a write was answered says nothing of it", "[eventhubs][balancer]") {
  ownership_fake blobs;
  seat a("a", blobs);
  auto const nothing = blobs.all(service_time(0s));
  a.turn(0s);
  a.events();
  a.consumer.saw(nothing, 0s, 1s);
  CHECK(a.events().empty());
  auto const ours = blobs.all(service_time(2s));
  a.consumer.let_go("0", 100s);
  a.work(3s);
  a.consumer.saw(ours, 2s, 4s);
  CHECK(a.consumer.due(4s).empty());
  CHECK(a.consumer.held() == 3);
}

TEST_CASE("a second consumer takes its half from the first, which learns of it by its renewals", "[eventhubs][balancer]") {
  ownership_fake blobs;
  seat a("a", blobs), b("b", blobs);
  a.turn(0s);
  a.events();
  b.turn(1s);
  CHECK(b.events().size() == 5);  // "+1 +3"
  CHECK(b.consumer.held() == 2);
  CHECK(a.consumer.held() == 4);
  a.work(10s);
  CHECK(a.events().size() == 5);
  CHECK(a.why == "it was taken by b");
  CHECK(a.consumer.held() == 2);
  for (moment t = 20s; t != 200s; t += 10s) {
    a.turn(t);
    b.turn(t);
  }
  CHECK(a.events().empty());
  CHECK(b.events().empty());
}

TEST_CASE("a third consumer takes from whoever has most, and nobody is left with less", "[eventhubs][balancer]") {
  ownership_fake blobs;
  seat a("a", blobs, one_by_one()), b("b", blobs, one_by_one(), 2), c("c", blobs, one_by_one(), 3);
  for (moment t = 0s; t != 200s; t += 10s) {
    a.turn(t);
    b.turn(t);
    if (t > 100s) c.turn(t);
  }
  std::size_t const most = std::max({a.consumer.held(), b.consumer.held(), c.consumer.held()});
  CHECK(most == 2);
  CHECK(a.consumer.held() + b.consumer.held() + c.consumer.held() == 4);
}

TEST_CASE("what was not written for the expiry is taken at the first sight, by the service's own times", "[eventhubs][balancer]") {
  ownership_fake blobs;
  for (char const* const id : {"0", "1", "2", "3"}) blobs.put(id, id, service_time(0s));  // four owners: none is richer
  seat early("early", blobs), late("late", blobs);
  early.turn(60'900ms);  // they may have been written at 0.9 s: times are to the second
  CHECK(early.events().empty());
  late.turn(61s);
  CHECK(late.consumer.held() == 4);
}

TEST_CASE("without the service's times, an owner is dead when its tag stayed the same for the expiry", "[eventhubs][balancer]") {
  ownership_fake blobs;
  for (char const* const id : {"0", "1", "2", "3"}) blobs.put(id, id, 0);  // four owners: none is richer
  balancer c("c", {}, 1);
  c.know({"0", "1", "2", "3"});
  auto const look = [&](moment now) {
    auto list = blobs.all(0);
    list.asked = 0;
    c.saw(list, now, now);
  };
  look(100s);
  CHECK(c.due(100s).empty());
  blobs.put("1", "1", 0);
  look(130s);
  look(159s);
  CHECK(c.due(159s).empty());
  look(160s);
  CHECK(c.due(160s).size() == 2);  // of three that are dead: a share of two, since "1" is alive until 190 s
}

TEST_CASE("clocks that are hours apart make no difference", "[eventhubs][balancer]") {
  ownership_fake blobs;
  balancer_options one;
  one.most_partitions = 4;
  seat a("a", blobs, one);
  a.turn(0s);
  balancer b("b", {}, 1);
  b.know({"0", "1", "2", "3"});
  moment const ahead = 5h;
  for (moment t = 1s; t != 100s; t += 1s) {
    a.work(t);
    b.saw(blobs.all(service_time(t)), t + ahead, t + ahead);
    CHECK(b.due(t + ahead).size() <= 2);  // steals its half; the rest is not dead
  }
}

TEST_CASE("a claim that somebody else was faster with is no error, and not made again at once", "[eventhubs][balancer]") {
  ownership_fake blobs;
  seat a("a", blobs), b("b", blobs);
  a.look(0s);
  b.look(0s);
  a.work(0s);
  b.work(0s);
  CHECK(a.all_held(0s) == "0123");
  CHECK(b.events().empty());
  CHECK(b.consumer.due(0s).empty());
  CHECK(b.consumer.look_due() >= 8s);
}

TEST_CASE("a renewal whose answer was lost is known again by the blob", "[eventhubs][balancer]") {
  ownership_fake blobs;
  seat a("a", blobs);
  a.turn(0s);
  a.events();
  for (ownership_write const& w : a.consumer.due(10s)) {
    blobs.write(w, service_time(10s));
    a.consumer.unknown(w, 11s);
  }
  CHECK(a.consumer.due(11s).empty());
  a.work(14s);  // refused, since the tag is another
  CHECK(a.events().empty());
  CHECK(a.all_held(69s) == "0123");
  CHECK(a.all_held(70s).empty());  // renewed when the first was sent
}

TEST_CASE("a claim whose answer was lost is made again when the blob has the name", "[eventhubs][balancer]") {
  ownership_fake blobs;
  seat a("a", blobs);
  a.look(0s);
  for (ownership_write const& w : a.consumer.due(0s)) {
    blobs.write(w, service_time(0s));
    a.consumer.unknown(w, 1s);
  }
  CHECK(a.consumer.held() == 0);
  CHECK(a.consumer.look_due() <= 4s);
  a.turn(4s);
  CHECK(a.events() == "+0 +1 +2 +3");
}

TEST_CASE("what cannot be renewed for the expiry is lost, whatever the blobs say, and claimed again when it can be",
          "[eventhubs][balancer]") {
  ownership_fake blobs;
  seat a("a", blobs);
  a.turn(0s);
  a.events();
  for (moment t = 10s; t <= 60s; t += 5s)
    for (ownership_write const& w : a.consumer.due(t)) a.consumer.unknown(w, t);
  CHECK(a.events() == "-0 -1 -2 -3");
  CHECK(a.why == "it could not be renewed in time");
  a.turn(65s);
  CHECK(a.events() == "+0 +1 +2 +3");
}

TEST_CASE("a blob that is deleted is a partition that is lost, and claimed anew", "[eventhubs][balancer]") {
  ownership_fake blobs;
  seat a("a", blobs);
  a.turn(0s);
  a.events();
  blobs.drop("1");
  a.look(9s);
  CHECK(a.events() == "-1");
  CHECK(a.why == "its blob is not there any more");
  a.work(9s);
  CHECK(a.events() == "+1");
  blobs.drop("2");
  a.work(19s);  // the renewal finds out
  CHECK(a.events() == "-2");
}

TEST_CASE("what is let go of is given back, and claimed by others without delay", "[eventhubs][balancer]") {
  ownership_fake blobs;
  seat a("a", blobs);
  a.turn(0s);
  a.events();
  a.consumer.let_go("3", 100s);
  CHECK_FALSE(a.consumer.holds("3", 1s));
  CHECK(a.consumer.held() == 4);
  a.work(1s);
  CHECK(a.consumer.held() == 3);
  CHECK(blobs.at("3")->owner.empty());
  a.turn(11s);  // it leaves it to others
  CHECK(a.consumer.held() == 3);
  seat b("b", blobs);
  b.turn(12s);
  CHECK(b.events() == "+3");
}

TEST_CASE("a consumer that ends claims nothing, and gives back what it did not know it had", "[eventhubs][balancer]") {
  ownership_fake blobs;
  seat a("a", blobs, one_by_one());
  a.turn(0s);
  std::string const first = a.events();
  REQUIRE(first.size() == 2);
  a.look(10s);
  auto claims = a.consumer.due(10s);  // a renewal and a claim
  REQUIRE(claims.size() == 2);
  a.consumer.end();
  for (ownership_write const& w : claims) a.answer(w, 11s);
  CHECK(a.events().empty());
  a.consumer.let_go(first.substr(1));
  a.work(11s);
  CHECK(a.consumer.held() == 0);
  for (char const* const id : {"0", "1", "2", "3"})
    if (blobs.at(id)) CHECK(blobs.at(id)->owner.empty());
  a.turn(21s);
  CHECK(a.consumer.held() == 0);
}

TEST_CASE("options that cannot work are refused", "[eventhubs][balancer]") {
  balancer_options late;
  late.expiry = 19s;
  test::fails_with(errc::invalid_option, [&] { balancer("a", late, 1); }, "less than two intervals");
  test::fails_with(errc::invalid_option, [] { balancer("", {}, 1); }, "no name");
  balancer_options none;
  none.most_partitions = 0;
  test::fails_with(errc::invalid_option, [&] { balancer("a", none, 1); }, "no partition may be held");
  balancer_options still;
  still.interval = 0s;
  test::fails_with(errc::invalid_option, [&] { balancer("a", still, 1); }, "interval");
}
