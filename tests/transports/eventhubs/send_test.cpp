#include <weir/eventhubs/client.hpp>

#include <weir/context.hpp>
#include <weir/detail/joined.hpp>
#include <weir/error.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/recording_metrics.hpp>
#include <weir/testing/run.hpp>
#include <weir/timeout.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"
#include "support/event_hub.hpp"
#include "support/fails_with.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using eventhubs::client;
using eventhubs::client_options;
using eventhubs::outgoing_event;
using test::event_hub;
using test::fails_with;
using strings = std::vector<std::string>;

namespace {

client_options options_of(event_hub& hub) {
  client_options o;
  o.connection_string = "Endpoint=sb://ns.example/;SharedAccessKeyName=n;SharedAccessKey=key;EntityPath=ticks";
  o.open = hub.opener();
  o.seed = 7;
  return o;
}

client client_of(event_hub& hub) { return client(options_of(hub)); }

outgoing_event to_partition(std::string partition, std::string body) {
  outgoing_event out(std::move(body));
  out.partition = std::move(partition);
  return out;
}

// `n` events by turns of so many keys: "K-0", "K-1", ... of key K.
std::vector<outgoing_event> by_keys(std::size_t n, std::size_t keys) {
  std::vector<outgoing_event> out;
  for (std::size_t i = 0; i != n; ++i) {
    std::string const key = std::string(1 + i % keys, 'k');
    out.emplace_back(key + '-' + std::to_string(i / keys), key);
  }
  return out;
}

strings bodies_of(std::string const& key, std::size_t n) {
  strings out;
  for (std::size_t i = 0; i != n; ++i) out.push_back(key + '-' + std::to_string(i));
  return out;
}

// What has come of a key, each when it came first.
strings first_of(event_hub const& hub, std::string const& key) {
  strings out;
  std::set<std::string> seen;
  for (auto const& batch : hub.batches)
    if (batch.key == key)
      for (std::string const& body : batch.bodies)
        if (seen.insert(body).second) out.push_back(body);
  return out;
}

void send(event_hub& hub, std::vector<outgoing_event> events) { testing::run(client_of(hub).send(std::move(events))); }

}  // namespace

TEST_CASE("events of one key are in one partition, in order, with the key on the batch and on each", "[eventhubs][send]") {
  event_hub hub(8);
  send(hub, by_keys(300, 3));
  REQUIRE(hub.batches.size() == 3);
  for (auto const& batch : hub.batches) {
    CHECK(batch.address == "ticks");
    CHECK(batch.bodies == bodies_of(batch.key, 100));
    CHECK(batch.keys == strings(100, batch.key));
    CHECK(hub.bodies(batch.key.size()) == batch.bodies);
  }
  CHECK(hub.tokens == strings{"sb://ns.example/ticks"});
  CHECK(hub.connections == 1);
  CHECK(hub.live == 0);
}

TEST_CASE("events that name a partition are in it, and those that name nothing are anywhere", "[eventhubs][send]") {
  event_hub hub(2);
  send(hub, {to_partition("1", "a"), outgoing_event("b"), to_partition("1", "c"), to_partition("0", "d"), outgoing_event("e")});
  std::map<std::string, strings> by_address;
  for (auto const& batch : hub.batches) {
    CHECK(batch.key.empty());
    by_address[batch.address] = batch.bodies;
  }
  CHECK(by_address ==
        std::map<std::string, strings>{{"ticks", {"b", "e"}}, {"ticks/Partitions/0", {"d"}}, {"ticks/Partitions/1", {"a", "c"}}});
  CHECK(hub.connections == 1);
}

TEST_CASE("a batch is as large as the service says, and no larger", "[eventhubs][send]") {
  event_hub hub(1);
  hub.most_batch_bytes = 5000;
  std::vector<outgoing_event> events;
  for (int i = 0; i != 300; ++i) events.emplace_back(std::string(static_cast<std::size_t>(i), 'x'), "key");
  send(hub, events);
  CHECK(hub.refused_batches == 0);
  strings got;
  for (auto const& batch : hub.batches) {
    CHECK(batch.bytes <= 5000);
    got.insert(got.end(), batch.bodies.begin(), batch.bodies.end());
    if (&batch != &hub.batches.back()) CHECK(batch.bytes > 4600);  // another event would not have had room
  }
  REQUIRE(got.size() == 300);
  for (std::size_t i = 0; i != 300; ++i) CHECK(got[i].size() == i);
}

TEST_CASE("an event that is larger than a batch may be is refused", "[eventhubs][send]") {
  event_hub hub(1);
  client_options small = options_of(hub);
  small.most_batch_bytes = 2000;
  std::vector<outgoing_event> events{outgoing_event("a"), outgoing_event(std::string(3000, 'x'))};
  fails_with(errc::too_large, [&] { testing::run(client(small).send(events)); }, "bytes, and most_batch_bytes is 2000");
  CHECK(hub.connections == 0);
  hub.most_batch_bytes = 1500;
  fails_with(errc::too_large, [&] { send(hub, events); }, "stream ticks", "bytes, and the service takes 1500");
  CHECK(hub.bodies(0) == strings{"a"});
}

TEST_CASE("events that no event hub takes are refused before any is sent", "[eventhubs][send]") {
  auto const refused = [](outgoing_event bad, std::string_view why) {
    event_hub hub(1);
    fails_with(errc::malformed, [&] { send(hub, {outgoing_event("good"), bad}); }, "event hubs: an event cannot be sent", why);
    CHECK(hub.connections == 0);
  };
  outgoing_event both("x", "key");
  both.partition = "0";
  refused(both, "it has a partition key, and a partition");
  refused(outgoing_event("x", std::string(129, 'k')), "its partition key has 129 characters, and may have 128");
  refused(outgoing_event("x", "\xff"), "its partition key is not UTF-8");
  outgoing_event nameless("x");
  nameless.properties.emplace_back("", std::int64_t{1});
  refused(nameless, "one of its properties has no name");
  outgoing_event broken("x");
  broken.properties.emplace_back("p", "\xc3");
  refused(broken, "property \"p\" is not UTF-8");
  event_hub hub(1);
  std::string longest;
  for (int i = 0; i != 128; ++i) longest += "\xc3\xa9";
  send(hub, {outgoing_event("x", longest)});
  CHECK(hub.batches.at(0).key == longest);
}

// azure-sdk-for-java #38596: a busy service was hammered.
TEST_CASE("a service that is busy is left alone for four seconds at least", "[eventhubs][send]") {
  event_hub hub(1);
  hub.busy_sends = 3;
  testing::recording_metrics figures;
  auto timed = [](client by, event_hub& to, metrics& into) -> task<> {
    context& own = co_await current_context();
    own.environment().metrics = &into;
    std::vector<std::chrono::nanoseconds> at;
    to.on_batch = [&] { at.push_back(own.clock().steady()); };
    task<> sending = by.send(by_keys(10, 1));
    co_await std::move(sending);
    REQUIRE(at.size() == 4);
    for (std::size_t i = 1; i != at.size(); ++i) CHECK(at[i] - at[i - 1] >= 4s);
  };
  testing::run(timed(client_of(hub), hub, figures));
  CHECK(hub.bodies(0) == bodies_of("k", 10));
  CHECK(figures.value(R"(throttled_total{stream="ticks",partition=""})") == 3);
}

// azure-sdk-for-cpp #7254, #7257; go-amqp #117: what was sent and not confirmed was lost.
TEST_CASE("whatever is lost, all events are there, those of a key in order", "[eventhubs][send]") {
  std::vector<std::pair<std::string, std::function<void(event_hub&)>>> const losses{
      {"link", [](event_hub& h) { h.detach_senders("amqp:link:detach-forced"); }},
      {"session", [](event_hub& h) { h.end_sessions(); }},
      {"connection", [](event_hub& h) { h.close_connections("amqp:connection:forced"); }},
      {"socket", [](event_hub& h) { h.drop_connections(); }},
      {"token",
       [](event_hub& h) {
         h.expire_tokens();
         h.detach_senders("amqp:unauthorized-access");
       }},
      {"batch", [](event_hub& h) { h.release_sends = 2; }},
      {"outcome",
       [](event_hub& h) {
         h.unconfirmed_sends = 1;
         h.detach_senders("amqp:internal-error");
       }},
  };
  for (auto const& [what, lose] : losses) {
    for (std::size_t nth = what == "token" ? 2 : 1; nth != 6; ++nth) {  // a fresh token has to be good for a batch
      INFO(what << " at batch " << nth);
      event_hub hub(1);
      hub.most_batch_bytes = 1024;
      std::size_t count = 0, lost = 0;
      hub.on_batch = [&, &lose_it = lose] {
        if (++count % nth != 0 || lost == 5) return;
        ++lost;
        lose_it(hub);
      };
      send(hub, by_keys(400, 2));
      for (std::string const key : {"k", "kk"}) CHECK(first_of(hub, key) == bodies_of(key, 200));
      CHECK(lost >= 4);
      CHECK(hub.live == 0);
    }
  }
}

TEST_CASE("a connection that breaks after any byte loses no event that is sent", "[eventhubs][send]") {
  for (std::size_t bytes = 1; bytes < 2000; bytes += bytes < 200 ? 7 : 41) {
    INFO(bytes);
    event_hub hub(1);
    hub.most_batch_bytes = 1024;
    hub.drop_after = bytes;
    send(hub, by_keys(100, 1));
    CHECK(first_of(hub, "k") == bodies_of("k", 100));
  }
}

// telegraf #14162: more was sent than there was credit for, and no link came after that.
TEST_CASE("no more is sent than there is credit for", "[eventhubs][send]") {
  event_hub hub(1);
  hub.most_batch_bytes = 1024;
  hub.send_credit = 1;
  send(hub, by_keys(500, 5));
  for (std::size_t i = 1; i != 6; ++i) CHECK(first_of(hub, std::string(i, 'k')) == bodies_of(std::string(i, 'k'), 100));
  CHECK(hub.senders_attached == 1);
  CHECK(hub.refused_batches == 0);
}

TEST_CASE("what the service refuses for good is a clear error of who sends", "[eventhubs][send]") {
  event_hub hub(1);
  fails_with(
      errc::not_found, [&] { send(hub, {to_partition("5", "x")}); }, "stream ticks, partition 5", "there is no ticks/Partitions/5",
      "correct the event hub, or the partition");
  hub.reject_sends = "com.microsoft:entity-disabled";
  fails_with(
      errc::rejected, [&] { send(hub, by_keys(1, 1)); }, "events cannot be sent (stream ticks)", "com.microsoft:entity-disabled: so it is");
  CHECK(hub.refused_batches == 1);
  event_hub closed(1);
  closed.refuse_links = "amqp:unauthorized-access";
  fails_with(errc::access_denied, [&] { send(closed, by_keys(1, 1)); }, "see that the key allows to send");
  CHECK(closed.tokens.size() == 2);  // once by a fresh token
  event_hub strangers(1);
  strangers.refuse_tokens = 1000;
  fails_with(errc::access_denied, [&] { send(strangers, by_keys(1, 1)); }, "com.microsoft:auth-failed");
}

TEST_CASE("events that nobody takes are an error that says why", "[eventhubs][send]") {
  event_hub busy(1);
  busy.busy_sends = 1000;
  fails_with(
      errc::timed_out, [&] { send(busy, by_keys(1, 1)); }, "no event was taken within 60000 ms", "com.microsoft:server-busy",
      "give the namespace more throughput units");
  CHECK(busy.refused_batches < 15);
  event_hub away(1);
  away.refuse_connections = 1000;
  fails_with(errc::timed_out, [&] { send(away, by_keys(1, 1)); }, "a test refuses it");
  event_hub mute(1);
  mute.unconfirmed_sends = 1;
  fails_with(errc::timed_out, [&] { send(mute, by_keys(1, 1)); }, "the service does not answer");
}

TEST_CASE("a write that has failed goes on with what was not taken", "[eventhubs][send]") {
  event_hub hub(1);
  hub.most_batch_bytes = 1024;
  std::size_t count = 0;
  hub.on_batch = [&] {
    if (++count == 3) hub.reject_sends = "com.microsoft:entity-disabled";
  };
  auto twice = [](client by, event_hub& to) -> task<> {
    auto const all = by.write(by_keys(60, 1));
    auto const more = by.write({outgoing_event("last", "k")});
    CHECK(all->join(*more));
    bool failed = false;
    task<> first = all->write(checkpoint_key(), 1);
    try {
      co_await std::move(first);
    } catch (error const& e) {
      failed = e.code() == errc::rejected;
    }
    CHECK(failed);
    to.reject_sends.clear();
    task<> second = all->write(checkpoint_key(), 1);
    co_await std::move(second);
    task<> third = all->write(checkpoint_key(), 1);  // nothing is left
    co_await std::move(third);
  };
  testing::run(twice(client_of(hub), hub));
  strings expected = bodies_of("k", 60);
  expected.push_back("last");
  CHECK(hub.bodies(0) == expected);
}

TEST_CASE("who sends again and again has one connection, until a minute has passed without", "[eventhubs][send]") {
  event_hub hub(1);
  auto often = [](client by, event_hub& to) -> task<> {
    for (int i = 0; i != 10; ++i) {
      task<> sending = by.send(by_keys(1, 1));
      co_await weir::detail::joined(std::move(sending));  // as partitions of a pipeline do
      co_await sleep_for(30s);
    }
    CHECK(to.connections == 1);
    CHECK(to.senders_attached == 1);
    CHECK(to.live == 1);
    to.detach_senders("amqp:link:detach-forced");  // while nobody sends
    co_await sleep_for(10s);
    task<> behind_it = by.send(by_keys(1, 1));
    co_await std::move(behind_it);
    CHECK(to.senders_attached == 2);
    CHECK(to.connections == 1);
    co_await sleep_for(2min);
    CHECK(to.live == 0);
    task<> once_more = by.send(by_keys(1, 1));
    co_await std::move(once_more);
    CHECK(to.connections == 2);
  };
  testing::run(often(client_of(hub), hub));
  CHECK(hub.live == 0);
  CHECK(hub.bodies(0).size() == 12);
}

TEST_CASE("who sends beside each other shares links, and one that is cancelled holds up nobody", "[eventhubs][send]") {
  event_hub hub(1);
  hub.most_batch_bytes = 1024;
  hub.unconfirmed_sends = 1;
  auto beside = [](client by) -> task<> {
    auto ended = [](client from) -> task<> {
      task<> limited = with_timeout(1s, from.send({outgoing_event("of who is cancelled", "kkk")}));
      try {
        co_await std::move(limited);
        FAIL("it was confirmed");
      } catch (error const& e) {
        CHECK(e.code() == errc::timed_out);
      }
    };
    std::vector<task<>> all;
    all.push_back(ended(by));
    all.push_back(by.send(by_keys(200, 1)));
    all.push_back(by.send(by_keys(300, 2)));
    auto together = when_all(std::move(all));
    co_await std::move(together);
  };
  testing::run(beside(client_of(hub)));
  CHECK(hub.connections == 1);
  CHECK(hub.senders_attached == 1);
  CHECK(hub.bodies(0).size() == 501);
}

// go-amqp #117, PR #210: a receiver that was slow blocked the session, and with it the senders.
TEST_CASE("a receiver that nobody pulls from does not hold up a sender on its connection", "[eventhubs][send]") {
  event_hub hub(1);
  hub.add(0, 1000);
  auto both = [](client by, event_hub& of) -> task<> {
    auto events = by.receive("0");
    (void)co_await events.next();
    task<> sending = by.send(by_keys(10'000, 4));
    co_await std::move(sending);
    CHECK(of.connections == 1);
  };
  testing::run(both(client_of(hub), hub));
  for (std::size_t i = 1; i != 5; ++i) CHECK(first_of(hub, std::string(i, 'k')).size() == 2500);
}

TEST_CASE("options of a client that sends are checked", "[eventhubs][send]") {
  event_hub hub(1);
  client_options o = options_of(hub);
  o.most_batch_bytes = 1023;
  fails_with(errc::invalid_option, [&] { client const never(o); }, "most_batch_bytes is not 1024 or more");
}
