// Against the tests' own server, which verifies signatures and checks arguments.
#include <weir/kinesis/producer.hpp>

#include <weir/kinesis/aggregated_record.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/kinesis_server.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::outgoing_record;
using test::fails_with;
using test::kinesis_fault;
using test::kinesis_server;
using texts = std::vector<std::string>;

namespace {

kinesis::producer_options to(kinesis_server const& server) {
  kinesis::producer_options o;
  o.stream = "bars";
  o.client = server.client_options();
  o.retry = retry_policy().attempts(3).first_delay(1s).blur(jitter::none);
  return o;
}
std::vector<outgoing_record> numbered(int count, int keys = 1) {
  std::vector<outgoing_record> out;
  for (int i = 0; i != count; ++i) out.emplace_back("key " + std::to_string(i % keys), std::to_string(i));
  return out;
}
// The data in a stream, shard by shard.
texts data_in(kinesis_server const& server) {
  texts out;
  for (auto const& s : server.stream("bars").shards())
    for (auto const& r : s.records) out.push_back(r.data);
  return out;
}
checkpoint_key const key("app/bars", "ticks", "0");

}  // namespace

TEST_CASE("records are put in requests of up to 500", "[kinesis][producer]") {
  kinesis_server server;
  server.create("bars", 1);
  testing::run(kinesis::producer(to(server)).put(numbered(1'201)));
  CHECK(server.calls() == texts{"PutRecords", "PutRecords", "PutRecords"});
  texts const all = data_in(server);
  REQUIRE(all.size() == 1'201);
  for (std::size_t i = 0; i != all.size(); ++i) CHECK(all[i] == std::to_string(i));
  testing::run(kinesis::producer(to(server)).put({}));
  CHECK(server.calls().size() == 3);
}

TEST_CASE("only what was not taken is put again, after a while", "[kinesis][producer]") {
  kinesis_server server;
  server.create("bars", 1);
  server.fail("PutRecords", kinesis_fault::fail_entries({1, 3}));
  server.fail("PutRecords", kinesis_fault::fail_entries({0}, "InternalFailure"));
  testing::simulation world;
  instant const begin = world.clock().now();
  kinesis::producer const p(to(server));
  world.run(p.put(numbered(5)));
  CHECK(data_in(server) == texts{"0", "2", "4", "3", "1"});
  CHECK(world.clock().now() - begin == 2'000'000'000);  // a second each: some were taken in between
}

TEST_CASE("in order of their keys, where that is asked for", "[kinesis][producer]") {
  kinesis_server server;
  server.create("bars", 4);
  for (std::size_t i = 0; i != 20; ++i) server.fail("PutRecords", kinesis_fault::fail_entries({0, 2}), 1, i % 2);
  kinesis::producer_options o = to(server);
  o.order = kinesis::put_order::per_key;
  testing::run(kinesis::producer(o).put(numbered(200, 5)));
  std::map<std::string, int> last;
  int count = 0;
  for (auto const& s : server.stream("bars").shards()) {
    for (auto const& r : s.records) {
      auto const before = last.try_emplace(r.partition_key, -1).first;
      CHECK(before->second < std::stoi(r.data));
      before->second = std::stoi(r.data);
      ++count;
    }
  }
  CHECK(count == 200);
}

TEST_CASE("whatever happens to calls, nothing is lost", "[kinesis][producer]") {
  for (auto const& f :
       {kinesis_fault::throttle(), kinesis_fault::empty(500), kinesis_fault::empty(503), kinesis_fault::lose_reply(),
        kinesis_fault::cut_reply(), kinesis_fault::close(), kinesis_fault::garbage(), kinesis_fault::garbage(R"({"Records":[]})"),
        kinesis_fault::garbage("{}"), kinesis_fault::empty(429), kinesis_fault::hang(), kinesis_fault::refuse("KMSThrottlingException"),
        kinesis_fault::refuse("LimitExceededException")}) {
    INFO(static_cast<int>(f.what) << ' ' << f.type);
    kinesis_server server;
    server.create("bars", 1);
    server.fail("PutRecords", f, 2);
    kinesis::producer_options o = to(server);
    bool const hangs = f.what == kinesis_fault::kind::hang;
    if (hangs) o.client.http.request_timeout = 300ms;  // of the system's clock, so a busy machine may need another call
    testing::run(kinesis::producer(o).put(numbered(3)));
    texts const all = data_in(server);
    CHECK(texts(all.end() - 3, all.end()) == texts{"0", "1", "2"});
    CHECK(server.calls("PutRecords") >= 3);
    CHECK((hangs || server.calls("PutRecords") == 3));
  }
}

TEST_CASE("a stream that stays busy fails the commit, which goes on later with what is left", "[kinesis][producer]") {
  kinesis_server server;
  server.create("bars", 1);
  server.fail("PutRecords", kinesis_fault::fail_entries({2}), 1);
  server.fail("PutRecords", kinesis_fault::fail_entries({0}), 2);
  auto const w = kinesis::producer(to(server)).write(numbered(3));
  fails_with(
      errc::throttled, [&] { testing::run(w->write(key, 1)); }, "kinesis: cannot put records", "stream bars", "1 of 1 were not taken",
      "after 3 tries", "ProvisionedThroughputExceededException", "more shards");
  CHECK(data_in(server) == texts{"0", "1"});
  testing::run(w->write(key, 1));
  CHECK(data_in(server) == texts{"0", "1", "2"});
  testing::run(w->write(key, 1));
  CHECK(server.calls("PutRecords") == 4);
}

TEST_CASE("what is of no use to try again is said at once", "[kinesis][producer]") {
  kinesis_server server;
  fails_with(errc::not_found, [&] { testing::run(kinesis::producer(to(server)).put(numbered(3))); }, "stream bars", "correct the name");
  CHECK(server.calls("PutRecords") == 1);
  server.create("bars", 1);
  server.fail("PutRecords", kinesis_fault::fail_entries({0, 1, 2}, "AccessDeniedException"));
  fails_with(errc::access_denied, [&] { testing::run(kinesis::producer(to(server)).put(numbered(3))); }, "3 of 3 were not taken");
  CHECK(server.calls("PutRecords") == 2);
}

TEST_CASE("a record that is too large for the stream is the record's fault", "[kinesis][producer]") {
  kinesis_server server;
  server.create("bars", 1);
  kinesis::producer_options o = to(server);
  o.most_record_bytes = std::size_t{10} * 1024 * 1024;
  fails_with(
      errc::rejected, [&] { testing::run(kinesis::producer(o).put({{"k", std::string(1024 * 1024, 'x')}})); }, "stream bars",
      "less than or equal to 1048576", "most_record_bytes");
  CHECK(server.calls("PutRecords") == 1);
}

TEST_CASE("writes of one commit are one", "[kinesis][producer]") {
  kinesis_server server;
  server.create("bars", 1);
  kinesis::producer const p(to(server));
  auto const first = p.write({{"k", "a"}}), second = p.write({{"k", "b"}});
  CHECK(first->join(*second));
  testing::run(first->write(key, 1));
  CHECK(data_in(server) == texts{"a", "b"});
  CHECK(server.calls("PutRecords") == 1);
  CHECK_FALSE(first->join(*kinesis::producer(to(server)).write({{"k", "c"}})));
}

TEST_CASE("aggregated records arrive as such, in shards of their own keys", "[kinesis][producer]") {
  kinesis_server server;
  server.create("bars", 4);
  kinesis::producer_options o = to(server);
  o.aggregate_bytes = 51'200;
  testing::run(kinesis::producer(o).put(numbered(1'000, 7)));
  CHECK(server.calls("PutRecords") == 1);
  std::map<std::string, int> last;
  int count = 0;
  for (auto const& s : server.stream("bars").shards()) {
    for (auto const& r : s.records) {
      auto const inner = kinesis::read_aggregated(r.data);
      REQUIRE(inner);
      for (auto const& one : *inner) {
        CHECK(s.keys.has(kinesis::hash_key::of(one.partition_key)));
        auto const before = last.try_emplace(std::string(one.partition_key), -1).first;
        CHECK(before->second < std::stoi(std::string(one.data)));
        before->second = std::stoi(std::string(one.data));
        ++count;
      }
    }
  }
  CHECK(count == 1'000);
}

TEST_CASE("options out of range are refused when the producer is made", "[kinesis][producer]") {
  kinesis_server server;
  auto const refused = [&](auto change, char const* why) {
    kinesis::producer_options o = to(server);
    change(o);
    fails_with(errc::invalid_option, [&] { kinesis::producer const p(o); }, why);
  };
  refused([](auto& o) { o.stream.clear(); }, "no stream");
  refused([](auto& o) { o.most_records = 0; }, "most_records");
  refused([](auto& o) { o.most_records = 501; }, "most_records");
  refused([](auto& o) { o.most_bytes = 0; }, "most_bytes");
  refused([](auto& o) { o.most_record_bytes = 10 * 1024 * 1024 + 1; }, "most_record_bytes");
  refused([](auto& o) { o.client.where.region.clear(); }, "AWS_REGION");
}
