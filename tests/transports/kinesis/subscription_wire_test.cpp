// SubscribeToShard over HTTP/2, against a server of nghttp2 in this process.
#include <weir/aws/event_stream.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/client.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/kinesis/record_decoder.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/kinesis/source.hpp>
#include <weir/net/base64.hpp>
#include <weir/testing/run.hpp>

#include "capture.hpp"
#include "source_support.hpp"
#include "support/catch.hpp"
#include "support/event_frame.hpp"
#include "support/fails_with.hpp"
#include "support/h2_server.hpp"
#include "support/kinesis_server.hpp"
#include "support/refusal.hpp"
#include "support/signature_gate.hpp"
#include "support/skip.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::starting_position;
using test::fails_with;
using test::h2_request;
using test::h2_server;
using texts = std::vector<std::string>;

namespace {

constexpr char const* consumer = "arn:aws:kinesis:us-east-1:000000000000:stream/ticks/consumer/bars:1";
constexpr instant virtual_begin = 1'704'067'200'000'000'000;

h2_server::fields const event_stream{{"content-type", "application/vnd.amazon.eventstream"}, {"x-amzn-requestid", "r-1"}};

std::string a_record(std::string const& number, std::string const& data) {
  return R"({"SequenceNumber":")" + number + R"(","ApproximateArrivalTimestamp":1704067200.5,"Data":")" + net::to_base64(data) +
         R"(","PartitionKey":"k"})";
}
std::string event_json(std::string const& records, std::string const& rest) {
  return R"({"Records":[)" + records + R"(],"MillisBehindLatest":0)" + rest + '}';
}

kinesis::client_options at(h2_server const& server) {
  kinesis::client_options o = test::kinesis_server().client_options();
  o.where.url = server.url("");
  o.http.proxies_from = nullptr;
  o.http2.ping_after = o.http2.ping_timeout = 5min;
  o.http2.read_timeout = 5min;
  return o;
}

// What a subscription brings, as "data data continuation;".
task<std::string> subscribe(kinesis::client c, starting_position from) {
  std::string out;
  task<stream<kinesis::record_batch>> opening = c.subscribe_to_shard(consumer, "shardId-000000000000", std::move(from));
  stream<kinesis::record_batch> events = co_await std::move(opening);
  while (kinesis::record_batch const* b = co_await events.next()) {
    for (auto const& r : b->records) out += std::string(r.data) + ' ';
    out += b->continuation + ';';
  }
  co_return out;
}
std::string subscribed(kinesis::client_options o) {
  return testing::run(subscribe(kinesis::client(std::move(o)), starting_position::trim_horizon()));
}

}  // namespace

TEST_CASE("a subscription is asked for over HTTP/2, signed, and its events come however their bytes are cut", "[kinesis][fan_out][wire]") {
  std::string const bytes =
      test::initial_response() +
      test::subscription_event(event_json(a_record("11", "one") + ',' + a_record("12", "two"), R"(,"ContinuationSequenceNumber":"12")")) +
      test::subscription_event(event_json("", R"(,"ContinuationSequenceNumber":"15","ChildShards":null)")) +
      test::event_frame({{":message-type", "event"}, {":event-type", "OfTheFuture"}}, "?") +
      test::subscription_event(event_json(a_record("16", "end"), R"(,"ContinuationSequenceNumber":null)"));
  std::string problem;
  h2_server server([&](h2_server& s, h2_request const& r) {
    test::seen_request seen;
    seen.method = r.headers.at(":method");
    seen.target = r.headers.at(":path");
    seen.body = r.body;
    for (auto const& [name, value] : r.headers)
      if (!name.starts_with(':')) seen.headers[name] = value;
    seen.headers["host"] = r.headers.at(":authority");
    try {
      test::signature_gate({{"AKIDTEST", "secret"}}, {"us-east-1", "kinesis"}).check(seen, virtual_begin);
    } catch (test::refusal const& e) {
      problem = e.type;
    }
    s.head(r.id, 200, event_stream);
    for (char const c : bytes) s.send(r.id, std::string(1, c));
    s.end(r.id);
  });
  CHECK(testing::run(subscribe(kinesis::client(at(server)), starting_position::after("10"))) == "one two 12;15;end ;");
  CHECK(problem.empty());
  h2_request const seen = server.seen().at(0);
  CHECK(seen.headers.at("x-amz-target") == "Kinesis_20131202.SubscribeToShard");
  CHECK(seen.headers.at("content-type") == "application/x-amz-json-1.1");
  CHECK(seen.body ==
        std::string(R"({"ConsumerARN":")") + consumer +
            R"(","ShardId":"shardId-000000000000","StartingPosition":{"Type":"AFTER_SEQUENCE_NUMBER","SequenceNumber":"10"}})");
}

TEST_CASE("events of kinesis-mock are read", "[kinesis][fan_out][wire]") {
  auto const bytes = test::kinesis_capture("mock-SubscribeToShard-h1.eventstream.bin");
  if (!bytes && test::skip("no captures")) return;
  aws::event_stream_decoder decoder;
  kinesis::record_decoder records;
  decoder.feed(*bytes);
  auto const m = decoder.next();
  REQUIRE(m);
  kinesis::record_batch const b = records.decode(m->payload);
  REQUIRE(b.records.size() == 3);
  CHECK(b.records[0].data == "hello");
  CHECK(b.records[2].data == std::string_view("\0\1\2\xff", 4));
  CHECK(b.continuation == "49680677677787612129427918973987011925171413942626418690");
}

TEST_CASE("what is refused in place of a subscription, and in the middle of one, is the same", "[kinesis][fan_out][wire]") {
  std::string type, message;
  bool inside = false;
  h2_server server([&](h2_server& s, h2_request const& r) {
    if (!inside)
      return s.answer(r.id, 400, R"({"__type":")" + type + R"(","message":")" + message + R"("})", {{"x-amzn-requestid", "r-1"}});
    s.head(r.id, 200, event_stream);
    s.send(r.id, test::subscription_exception(type, message));
  });
  for (bool const in : {false, true}) {
    inside = in;
    type = "AccessDeniedException";
    message = "not authorized to perform: kinesis:SubscribeToShard";
    fails_with(
        errc::access_denied, [&] { subscribed(at(server)); }, "kinesis: SubscribeToShard failed", "shardId-000000000000", "request r-1",
        "not authorized");
    type = "ResourceInUseException";
    message = "Another active subscription exists for this consumer";
    try {
      subscribed(at(server));
      FAIL("it was taken");
    } catch (error const& e) {
      CHECK(e.code() == kinesis::errc::resource_in_use);
      CHECK(e.why() == type + ": " + message);
    }
    type = "LimitExceededException";
    fails_with(errc::throttled, [&] { subscribed(at(server)); });
  }
}

// Bug 25 of the field: a subscription was taken for one body, and over HTTP/1.1.
TEST_CASE("events come as they are sent, not when the subscription is over", "[kinesis][fan_out][wire]") {
  h2_server server([](h2_server& s, h2_request const& r) {
    s.head(r.id, 200, event_stream);
    s.send(r.id, test::subscription_event(event_json(a_record("11", "now"), R"(,"ContinuationSequenceNumber":"11")")));
  });
  auto const first = [](kinesis::client c) -> task<std::string> {
    task<stream<kinesis::record_batch>> opening = c.subscribe_to_shard(consumer, "shardId-000000000000", starting_position::latest());
    stream<kinesis::record_batch> events = co_await std::move(opening);
    kinesis::record_batch const* const b = co_await events.next();
    co_return std::string(b->records.at(0).data);
  };
  CHECK(testing::run(first(kinesis::client(at(server)))) == "now");
}

// Bugs 17 and 25 of the field.
TEST_CASE("a subscription that is cut, silent, damaged, or none, fails and says why", "[kinesis][fan_out][wire]") {
  std::string bytes;
  h2_server::fields headers = event_stream;
  enum { open, ended, dropped } then = open;
  h2_server server([&](h2_server& s, h2_request const& r) {
    s.head(r.id, 200, headers);
    s.send(r.id, bytes);
    if (then == ended) s.end(r.id);
    if (then == dropped) s.drop(r.id.connection);
  });
  bytes = test::subscription_event(event_json(a_record("11", "x"), R"(,"ContinuationSequenceNumber":"11")"));
  std::string const whole = bytes;
  kinesis::client_options o = at(server);
  SECTION("silent") {
    o.http2.read_timeout = 30ms;
    fails_with(errc::timed_out, [&] { subscribed(o); }, "no more of the reply", "read_timeout");
  }
  SECTION("over within an event") {
    bytes.pop_back();
    then = ended;
    fails_with(errc::unavailable, [&] { subscribed(o); }, "the answer ended within an event", "shardId-000000000000");
  }
  SECTION("cut") {
    then = dropped;
    fails_with(errc::unavailable, [&] { subscribed(o); });
  }
  SECTION("damaged") {
    bytes[40] = static_cast<char>(bytes[40] ^ 1);
    fails_with(errc::corrupt, [&] { subscribed(o); }, "checksum");
  }
  SECTION("an event that is none") {
    bytes = test::subscription_event("{}");
    fails_with(errc::malformed, [&] { subscribed(o); }, "kinesis: cannot read records", "event of SubscribeToShard", "no Records");
  }
  SECTION("no event stream") {
    bytes = event_json("", "");
    then = ended;
    headers = {{"content-type", "application/x-amz-json-1.1"}};
    fails_with(errc::malformed, [&] { subscribed(o); }, "no event stream");
  }
}

TEST_CASE("a request that was signed for another time is signed anew, once", "[kinesis][fan_out][wire]") {
  h2_server server([](h2_server& s, h2_request const& r) {
    if (s.seen().size() == 1)
      return s.answer(r.id, 403, R"({"__type":"RequestExpired","message":"old"})", {{"date", "Mon, 01 Jan 2024 00:20:00 GMT"}});
    s.head(r.id, 200, event_stream);
    s.end(r.id);
  });
  CHECK(subscribed(at(server)).empty());
  CHECK(server.seen().at(1).headers.at("x-amz-date") == "20240101T002000Z");
}

namespace {

// Kinesis in virtual time, but for subscriptions, which go to a server.
class served_fan_out final : public test::simulated_kinesis {
public:
  served_fan_out(kinesis::client_options o) : simulated_kinesis(test::kinesis_protocol::options()), client_(std::move(o)) {}
  task<stream<kinesis::record_batch>> subscribe_to_shard(std::string arn, std::string shard, starting_position from) override {
    return client_.subscribe_to_shard(std::move(arn), std::move(shard), std::move(from));
  }

private:
  kinesis::client const client_;
};

}  // namespace

TEST_CASE("a source reads a shard to its end through every way a subscription can fail", "[kinesis][fan_out][wire]") {
  auto const event = [](std::string const& records, std::string const& continuation) {
    return test::subscription_event(event_json(records, R"(,"ContinuationSequenceNumber":")" + continuation + '"'));
  };
  h2_server server([&](h2_server& s, h2_request const& r) {
    std::size_t const n = s.seen().size();
    if (n == 2) return s.answer(r.id, 400, R"({"__type":"ResourceInUseException","message":"in use"})");
    if (n == 6) return s.answer(r.id, 500, "");
    s.head(r.id, 200, event_stream);
    switch (n) {
      case 1:  // over within an event
        s.send(r.id, event(a_record("11", "a") + ',' + a_record("12", "b"), "12"));
        s.send(r.id, event(a_record("13", "c"), "13").substr(0, 100));
        s.end(r.id);
        break;
      case 3:  // an exception behind an event
        s.send(r.id, event(a_record("13", "c"), "14"));
        s.send(r.id, test::subscription_exception("InternalFailureException", "broken"));
        break;
      case 4:  // silent
        s.send(r.id, event(a_record("15", "d"), "15"));
        break;
      case 5:  // over without an event
        s.end(r.id);
        break;
      case 7:  // what came before, and an odd continuation
        s.send(r.id, event(a_record("15", "d") + ',' + a_record("16", "e"), "0"));
        s.end(r.id);
        break;
      case 8: s.reset(r.id, 2); break;
      case 9: s.drop(r.id.connection); break;
      default:  // the end of the shard
        s.send(
            r.id,
            test::subscription_event(event_json(
                a_record("17", "f"),
                R"(,"ContinuationSequenceNumber":null,"ChildShards":[{"ShardId":"shardId-000000000001","ParentShards":["shardId-000000000000"],)"
                R"("HashKeyRange":{"StartingHashKey":"0","EndingHashKey":"1"}}])")));
        s.end(r.id);
    }
  });
  kinesis::client_options wire = at(server);
  wire.http2.read_timeout = 200ms;
  auto const service = std::make_shared<served_fan_out>(wire);
  service->state.create("ticks", 1, virtual_begin);
  kinesis::options o;
  o.stream = "ticks";
  o.service = service;
  o.consumer = consumer;
  o.seed = 7;
  auto const all = [](kinesis::options how) -> task<texts> {
    texts out;
    kinesis::source source(std::move(how));
    stream<kinesis::record> records = source.open("shardId-000000000000", std::nullopt);
    while (kinesis::record const* r = co_await records.next()) out.emplace_back(r->data());
    co_return out;
  };
  CHECK(testing::run(all(o)) == texts{"a", "b", "c", "d", "e", "f"});
  std::vector<h2_request> const seen = server.seen();
  texts from;
  for (h2_request const& r : seen) from.push_back(r.body.substr(r.body.find(R"("Type":")") + 8));
  CHECK(from == texts{R"(TRIM_HORIZON"}})", R"(AFTER_SEQUENCE_NUMBER","SequenceNumber":"12"}})",
                      R"(AFTER_SEQUENCE_NUMBER","SequenceNumber":"12"}})", R"(AFTER_SEQUENCE_NUMBER","SequenceNumber":"14"}})",
                      R"(AFTER_SEQUENCE_NUMBER","SequenceNumber":"15"}})", R"(AFTER_SEQUENCE_NUMBER","SequenceNumber":"15"}})",
                      R"(AFTER_SEQUENCE_NUMBER","SequenceNumber":"15"}})", R"(AFTER_SEQUENCE_NUMBER","SequenceNumber":"16"}})",
                      R"(AFTER_SEQUENCE_NUMBER","SequenceNumber":"16"}})", R"(AFTER_SEQUENCE_NUMBER","SequenceNumber":"16"}})"});
}

TEST_CASE("an endpoint that speaks HTTP/1.1 only is polled, where that is said", "[kinesis][fan_out][wire]") {
  h2_server::options how;
  how.greeting = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  h2_server old([](h2_server&, h2_request const&) {}, how);
  auto const service = std::make_shared<served_fan_out>(at(old));
  service->state.create("ticks", 1, virtual_begin);
  service->state.stream("ticks").put(0, "k", "polled", virtual_begin);
  kinesis::options o;
  o.stream = "ticks";
  o.service = service;
  o.consumer = consumer;
  o.otherwise = kinesis::without_fan_out::poll;
  auto const first = [](kinesis::options by) -> task<std::string> {
    kinesis::source source(std::move(by));
    stream<kinesis::record> records = source.open("shardId-000000000000", std::nullopt);
    kinesis::record const* const r = co_await records.next();
    co_return std::string(r->data());
  };
  CHECK(testing::run(first(o)) == "polled");
  o.otherwise = kinesis::without_fan_out::fail;
  fails_with(errc::incompatible, [&] { (void)testing::run(first(o)); }, "the server does not speak HTTP/2 there", "options::otherwise");
}

// Bug 16 of the field.
TEST_CASE("a busy handler stops the service by the window of HTTP/2, and nothing is dropped", "[kinesis][fan_out][wire]") {
  constexpr int events = 200;
  std::string const data(5'000, 'x');
  h2_server server([&](h2_server& s, h2_request const& r) {
    s.head(r.id, 200, event_stream);
    for (int i = 0; i != events; ++i) {
      std::string const n = std::to_string(100 + i);
      s.send(r.id, test::subscription_event(event_json(a_record(n, data), R"(,"ContinuationSequenceNumber":")" + n + '"')));
    }
    s.end(r.id);
  });
  kinesis::client_options o = at(server);
  o.http2.window = 65'535;
  o.http2.read_timeout = 200ms;
  auto const slow = [](kinesis::client c, h2_server& s) -> task<int> {
    task<stream<kinesis::record_batch>> opening = c.subscribe_to_shard(consumer, "shardId-000000000000", starting_position::latest());
    stream<kinesis::record_batch> all = co_await std::move(opening);
    test::h2_id const id = s.seen().at(0).id;
    // Longer than the service may be silent: nobody pulls, so nobody waits.
    CHECK(s.wait([&, since = std::chrono::steady_clock::now()] { return std::chrono::steady_clock::now() > since + 300ms; }));
    CHECK(s.sent(id) <= 65'535);
    int count = 0;
    while (kinesis::record_batch const* b = co_await all.next()) count += static_cast<int>(b->records.size());
    co_return count;
  };
  CHECK(testing::run(slow(kinesis::client(o), server)) == events);
}
