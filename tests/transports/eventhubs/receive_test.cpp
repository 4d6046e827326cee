#include <weir/eventhubs/client.hpp>

#include <weir/context.hpp>
#include <weir/environment.hpp>
#include <weir/error.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/recording_metrics.hpp>
#include <weir/testing/run.hpp>
#include <weir/timeout.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"
#include "support/event_hub.hpp"
#include "support/fails_with.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using eventhubs::client;
using eventhubs::client_options;
using eventhubs::receiver_options;
using test::event_hub;
using test::fails_with;

namespace {

constexpr char const* connection = "Endpoint=sb://ns.example/;SharedAccessKeyName=n;SharedAccessKey=key;EntityPath=ticks";

client client_of(event_hub& hub) {
  client_options o;
  o.connection_string = connection;
  o.open = hub.opener();
  o.seed = 7;
  return client(std::move(o));
}

receiver_options window_of(std::uint32_t events) {
  receiver_options o;
  o.most_events = events;
  return o;
}

std::vector<std::string> numbers(std::size_t n) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i != n; ++i) out.push_back(std::to_string(i));
  return out;
}

// The first `n` events; `with` is called for each, before it counts.
task<std::vector<std::string>> take_events(client from, std::string partition, receiver_options o, std::size_t n,
                                           std::function<void(std::size_t)> with = nullptr) {
  std::vector<std::string> out;
  auto events = from.receive(std::move(partition), std::move(o));
  while (out.size() < n) {
    eventhubs::record* const event = co_await events.next();
    if (with) with(out.size());
    CHECK(event->sequence_number() == std::stoll(std::string(event->payload())));
    out.emplace_back(event->payload());
  }
  co_return out;
}

task<> rest(std::chrono::nanoseconds d) { co_await sleep_for(d); }

std::vector<std::string> taken(event_hub& hub, receiver_options o, std::size_t n, std::function<void(std::size_t)> with = nullptr) {
  return testing::run(take_events(client_of(hub), "0", std::move(o), n, std::move(with)));
}

}  // namespace

TEST_CASE("events of a partition come once and in order, within the window", "[eventhubs][client]") {
  event_hub hub(2);
  hub.add(0, 500);
  hub.add(1, 3);
  CHECK(taken(hub, window_of(20), 500) == numbers(500));
  CHECK(hub.filters == std::vector<std::string>{"amqp.annotation.x-opt-offset > '-1'"});
  CHECK(hub.tokens == std::vector<std::string>{"sb://ns.example/ticks/ConsumerGroups/$Default/Partitions/0"});
  CHECK(hub.most_credit == 20);
  CHECK(hub.connections == 1);
  CHECK(hub.live == 0);  // it ends with its last user
}

TEST_CASE("the service sends no more than is pulled, and the window", "[eventhubs][client]") {
  event_hub hub(1);
  hub.add(0, 1000);
  auto pull = [](client from, event_hub& of) -> task<> {
    auto events = from.receive("0", window_of(10));
    for (std::size_t pulled = 1; pulled != 200; ++pulled) {
      (void)co_await events.next();
      if (pulled % 50 == 0) co_await sleep_for(1h);  // a handler that is busy
      CHECK(of.sent[0] <= pulled + 20);              // the chunk in hand, and the window
    }
  };
  testing::run(pull(client_of(hub), hub));
}

// azure-sdk-for-cpp #7254, azure-sdk-for-python #31258, event-hubs for Java #13420.
TEST_CASE("whatever is lost, events go on behind the last one", "[eventhubs][client]") {
  std::vector<std::pair<std::string, std::function<void(event_hub&)>>> const losses{
      {"link", [](event_hub& h) { h.detach_receivers("amqp:link:detach-forced"); }},
      {"session", [](event_hub& h) { h.end_sessions(); }},
      {"connection", [](event_hub& h) { h.close_connections("amqp:connection:forced"); }},
      {"socket", [](event_hub& h) { h.drop_connections(); }},
      {"token", [](event_hub& h) { h.expire_tokens(); }},
  };
  for (auto const& [what, lose] : losses) {
    INFO(what);
    event_hub hub(1);
    hub.add(0, 40);
    auto const at_times = [&](std::size_t i) {
      if (i % 20 == 10) lose(hub);
      if (i == 30) hub.add(0, 40);
    };
    CHECK(taken(hub, window_of(8), 80, at_times) == numbers(80));
    CHECK(hub.filters.size() > 4);
    CHECK(hub.filters.back().starts_with("amqp.annotation.x-opt-sequence-number > '"));
    CHECK(hub.live == 0);
  }
}

TEST_CASE("a connection that breaks after any byte loses nothing", "[eventhubs][client]") {
  for (std::size_t bytes = 1; bytes < 3000; bytes += bytes < 200 ? 7 : 61) {
    INFO(bytes);
    event_hub hub(1);
    hub.add(0, 12);
    hub.drop_after = bytes;
    CHECK(taken(hub, window_of(5), 12) == numbers(12));
  }
}

TEST_CASE("a partition that another receiver takes is let go of", "[eventhubs][client]") {
  event_hub hub(1);
  hub.add(0, 10);
  auto at_level = [](std::int64_t level) {
    receiver_options o = window_of(2);
    o.owner_level = level;
    return o;
  };
  auto steal = [&](client from) -> task<> {
    auto events = from.receive("0", at_level(1));
    for (int i = 0; i != 3; ++i) (void)co_await events.next();
    task<std::vector<std::string>> other = take_events(from, "0", at_level(2), 10);
    auto const got = co_await std::move(other);
    CHECK(got == numbers(10));
    while (co_await events.next()) {}
  };
  fails_with(
      errc::fenced, [&] { testing::run(steal(client_of(hub))); },
      "event hubs: another receiver has the partition (stream ticks, partition 0): amqp:link:stolen: New receiver");
  CHECK(hub.filters.size() == 2);  // it did not come back
}

TEST_CASE("a partition that was taken is not taken back, though the connection is lost before that is looked at", "[eventhubs][client]") {
  event_hub hub(1);
  hub.add(0, 10);
  auto read_on = [&](client from) -> task<> {
    receiver_options o = window_of(2);
    o.owner_level = 1;
    auto events = from.receive("0", o);
    for (int i = 0; i != 2; ++i) (void)co_await events.next();
    hub.steal(0);
    co_await sleep_for(1s);       // a handler is busy meanwhile
    hub.refuse_connections = 10;  // which are still to come when it looks
    hub.drop_connections();
    co_await sleep_for(1s);
    while (co_await events.next()) {}
  };
  fails_with(errc::fenced, [&] { testing::run(read_on(client_of(hub))); }, "amqp:link:stolen");
  CHECK(hub.filters.size() == 1);
}

TEST_CASE("a request that gets no answer is asked again", "[eventhubs][client]") {
  event_hub hub(1);
  hub.add(0, 3);
  hub.unanswered = 3;  // tokens of it, and the request itself
  receiver_options latest;
  latest.from = eventhubs::from_latest{};
  hub.on_attach = [&] { hub.add(0, 1); };
  auto const got = testing::run(take_events(client_of(hub), "0", latest, 1));
  CHECK(got == std::vector<std::string>{"3"});
  CHECK(hub.unanswered == 0);
  CHECK(hub.requests == 1);
}

TEST_CASE("what is no frame ends the connection, and events go on behind the last one", "[eventhubs][client]") {
  for (std::string const& garbage :
       {std::string("HTTP/1.1 503 Busy\r\n\r\n"), std::string(8, '\0'), std::string("\xff\xff\xff\xff\x02\0\0\0", 8)}) {
    event_hub hub(1);
    hub.add(0, 40);
    auto const at_times = [&](std::size_t i) {
      if (i == 10 || i == 25) hub.garbage = garbage;
    };
    CHECK(taken(hub, window_of(8), 40, at_times) == numbers(40));
    CHECK(hub.connections == 3);
  }
}

TEST_CASE("a token is there before the last one is over", "[eventhubs][client]") {
  event_hub hub(1);
  hub.token_life = 1h;
  auto read_on = [&](client from) -> task<> {
    auto events = from.receive("0", window_of(2));
    for (int i = 0; i != 10; ++i) {
      hub.add(0, 1);
      (void)co_await events.next();
      co_await sleep_for(31min);
    }
  };
  testing::run(read_on(client_of(hub)));
  CHECK(hub.filters.size() == 1);
  CHECK(hub.tokens.size() == 7);
}

TEST_CASE("a token that is refused is made anew once", "[eventhubs][client]") {
  event_hub hub(1);
  hub.add(0, 3);
  hub.refuse_links = "amqp:unauthorized-access";
  fails_with(errc::access_denied, [&] { taken(hub, {}, 1); }, "partition 0", "amqp:unauthorized-access");
  CHECK(hub.tokens.size() == 2);
  CHECK(hub.filters.size() == 2);
  event_hub other(1);
  other.add(0, 3);
  other.refuse_tokens = 1;
  CHECK(taken(other, {}, 3) == numbers(3));
  event_hub closed(1);
  closed.refuse_tokens = 1000;
  fails_with(errc::access_denied, [&] { taken(closed, {}, 1); }, "com.microsoft:auth-failed", "stream ticks, partition 0");
  CHECK(closed.tokens.size() == 2);
}

// azure-sdk-for-java #38596: a busy service was hammered.
TEST_CASE("links that are refused are not asked for in a storm", "[eventhubs][client]") {
  for (bool const busy : {true, false}) {
    event_hub hub(1);
    hub.add(0, 3);
    hub.refuse_links = busy ? "com.microsoft:server-busy" : "amqp:internal-error";
    hub.on_attach = [&] {
      if (hub.filters.size() == 20) hub.refuse_links.clear();
    };
    testing::recording_metrics figures;
    auto counted = [](client from, metrics& into) -> task<std::vector<std::string>> {
      context& own = co_await current_context();
      own.environment().metrics = &into;
      task<std::vector<std::string>> taking = take_events(from, "0", {}, 3);
      co_return co_await std::move(taking);
    };
    auto const got = testing::run(counted(client_of(hub), figures));
    CHECK(got == numbers(3));
    CHECK(figures.value(R"(throttled_total{stream="ticks",partition="0"})").value_or(0) == (busy ? 19 : 0));
    REQUIRE(hub.attach_ms.size() == 20);
    for (std::size_t i = 1; i != hub.attach_ms.size(); ++i) {
      auto const pause = hub.attach_ms[i] - hub.attach_ms[i - 1];
      CHECK(pause >= (busy ? 4000 : 100));
      if (i > 10) CHECK(pause >= 15'000);
    }
  }
}

TEST_CASE("what the service refuses for good is a clear error", "[eventhubs][client]") {
  event_hub hub(1);
  hub.refuse_links = "amqp:resource-limit-exceeded";
  fails_with(errc::rejected, [&] { taken(hub, {}, 1); }, "amqp:resource-limit-exceeded: so it is", "stream ticks, partition 0");
  event_hub none(1);
  auto const absent = [&] { testing::run(take_events(client_of(none), "5", {}, 1)); };
  fails_with(errc::not_found, absent, "there is no ticks/ConsumerGroups/$Default/Partitions/5", "correct the event hub");
  event_hub bad(1);
  bad.add(0, 1);
  bad.malformed = true;
  fails_with(errc::malformed, [&] { taken(bad, {}, 1); }, "an event cannot be read", "partition 0");
}

TEST_CASE("from the latest on, what comes while there is no link is not left out", "[eventhubs][client]") {
  event_hub hub(1);
  hub.add(0, 5);
  hub.on_attach = [&] {  // lost before its first event
    hub.on_attach = nullptr;
    hub.refuse_links = "amqp:link:detach-forced";
    hub.add(0, 3);
    hub.on_attach = [&] { hub.refuse_links.clear(); };
  };
  receiver_options o;
  o.from = eventhubs::from_latest{};
  auto const got = testing::run(take_events(client_of(hub), "0", o, 3));
  CHECK(got == std::vector<std::string>{"5", "6", "7"});
  CHECK(hub.requests == 1);
  CHECK(hub.connections == 1);
}

// azure-sdk-for-js #6118: a dead socket was never noticed.
TEST_CASE("a service that falls silent is left, and connected to again", "[eventhubs][client]") {
  event_hub hub(1);
  hub.add(0, 4);
  auto silence = [&](client from) -> task<> {
    auto events = from.receive("0");
    for (int i = 0; i != 4; ++i) (void)co_await events.next();
    co_await sleep_for(10min);  // both sides say now and then that they are there
    CHECK(hub.connections == 1);
    hub.silent = true;
    hub.add(0, 1);
    auto speak = [](event_hub& h) -> task<> {
      co_await sleep_for(2min);
      h.silent = false;
    };
    auto next = [](auto& from_events) -> task<std::string> {
      auto* const event = co_await from_events.next();
      co_return std::string(event->payload());
    };
    task<> speaking = speak(hub);
    task<std::string> hearing = next(events);
    auto both = when_all(std::move(hearing), std::move(speaking));
    auto const heard = co_await std::move(both);
    CHECK(std::get<0>(heard) == "4");
    CHECK(hub.connections > 1);
  };
  testing::run(silence(client_of(hub)));
}

TEST_CASE("no connection: a receiver waits, a call says why it was not answered", "[eventhubs][client]") {
  event_hub hub(1);
  hub.add(0, 2);
  hub.refuse_connections = 12;
  CHECK(taken(hub, {}, 2) == numbers(2));
  CHECK(hub.connections == 13);
  hub.refuse_connections = 1000;
  auto ask = [](client of) -> task<> { (void)co_await of.properties(); };
  fails_with(errc::timed_out, [&] { testing::run(ask(client_of(hub))); }, "no answer within 60000 ms", "a test refuses it");
  CHECK(hub.connections < 30);
}

TEST_CASE("the service is asked for properties", "[eventhubs][client]") {
  event_hub hub(3);
  hub.add(1, 5);
  hub.busy_answers = 1;
  hub.reject_requests = 1;
  hub.refuse_tokens = 1;
  auto ask = [&](client of) -> task<> {
    context& own = co_await current_context();
    task<eventhubs::hub_properties> about_hub = of.properties();
    task<eventhubs::partition_properties> about_one = of.properties_of("1");
    auto both = when_all(std::move(about_hub), std::move(about_one));
    auto const [all, one] = co_await std::move(both);
    CHECK(all.name == "ticks");
    CHECK(all.partitions == numbers(3));
    CHECK(all.created == 1'700'000'000'000'000'000);
    CHECK_FALSE(all.geo_replicated);
    CHECK(one.id == "1");
    CHECK(one.last_sequence_number == 4);
    CHECK(one.last_offset == "at 4");
    CHECK_FALSE(one.empty);
    CHECK(own.clock().steady() >= 4s);  // it was busy
    CHECK(hub.connections == 1);
    (void)co_await of.properties_of("7");
  };
  fails_with(errc::not_found, [&] { testing::run(ask(client_of(hub))); }, "status 404, amqp:not-found", "stream ticks, partition 7");
}

namespace {

// Reads so many, and stays until all have.
task<> take_with_others(client from, std::string id, std::size_t n, std::size_t& reading) {
  auto events = from.receive(id, window_of(7));
  for (std::size_t i = 0; i != n; ++i) {
    eventhubs::record* const event = co_await events.next();
    CHECK(event->payload() == std::to_string(i));
  }
  --reading;
  while (reading != 0) co_await sleep_for(1s);
}

}  // namespace

// azure-sdk-for-python #9351: 256 partitions ran into time-outs.
TEST_CASE("all partitions are read on one connection, which ends with them", "[eventhubs][client]") {
  auto const partitions = GENERATE(std::size_t{32}, std::size_t{1000});
  event_hub hub(partitions);
  for (std::size_t i = 0; i != partitions; ++i) hub.add(i, 20);
  auto read_all = [&](client from) -> task<> {
    std::size_t reading = partitions;
    std::vector<task<>> each;
    for (std::size_t i = 0; i != partitions; ++i) each.push_back(take_with_others(from, std::to_string(i), 20, reading));
    auto together = with_timeout(1h, when_all(std::move(each)));
    co_await std::move(together);
    CHECK(hub.connections == 1);
    task<> more = rest(1min);
    co_await std::move(more);
    CHECK(hub.live == 0);
  };
  testing::run(read_all(client_of(hub)));
}

TEST_CASE("a quiet partition says so while it could be read, and its lag is told", "[eventhubs][client]") {
  event_hub hub(1);
  hub.add(0, 3);
  testing::recording_metrics figures;
  auto watch = [&](client from) -> task<> {
    (co_await current_context()).environment().metrics = &figures;
    auto events = from.receive("0", window_of(2));
    std::size_t seen = 0;
    std::vector<std::int64_t> quiet;
    while (quiet.size() != 3) {
      auto const some = co_await next_chunk(events);
      seen += some.elements.size();
      for (mark const& m : some.marks)
        if (m.kind == mark_kind::idle) quiet.push_back(m.time);
    }
    CHECK(seen == 3);
    CHECK(quiet == std::vector<std::int64_t>{1'000'000'000, 2'000'000'000, 3'000'000'000});
    (co_await current_context()).environment().metrics = nullptr;
  };
  testing::run(watch(client_of(hub)));
  CHECK(figures.value("lag_records{stream=\"ticks\",partition=\"0\"}") == 0);
}

TEST_CASE("options of a client and a receiver that cannot be used say why", "[eventhubs][client]") {
  auto const make = [](client_options o) { return [o] { client const made(o); }; };
  fails_with(errc::invalid_option, make({}), "neither a connection string nor a host");
  fails_with(errc::invalid_option, make({.connection_string = "Endpoint=sb://ns.example/;SharedAccessKeyName=n;SharedAccessKey=k"}),
             "no event hub is named");
  fails_with(errc::invalid_option, make({.connection_string = connection, .event_hub = "other"}), "event_hub is other");
  fails_with(errc::invalid_option, make({.event_hub = "ticks", .host = "ns.example"}), "no tokens");
  fails_with(errc::invalid_option, make({.connection_string = connection, .endpoint = "ftp://x"}), "the endpoint ftp://x");
  fails_with(errc::invalid_option, make({.connection_string = connection, .timeout = 0ms}), "timeout is not above zero");
  event_hub hub(1);
  receiver_options none;
  none.most_events = 0;
  fails_with(errc::invalid_option, [&] { (void)client_of(hub).receive("0", none); }, "most_events");
}
