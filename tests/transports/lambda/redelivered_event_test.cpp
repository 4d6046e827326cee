#include <weir/lambda/redelivered_event.hpp>

#include <weir/lambda/event.hpp>
#include <weir/testing/lambda_events.hpp>

#include "canonical_json.hpp"
#include "made_events.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace weir;
using lambda::redelivered_event;
using test::canonical_json;
using test::reports;

namespace {

std::string sqs_event_of(std::vector<std::string> const& ids) {
  testing::sqs_event out;
  for (std::string const& id : ids) out.message({.body = "of " + id, .message_id = id, .receipt_handle = "h" + id});
  return out.json();
}
// Records at the offset, of a partition.
struct made_offset {
  std::uint32_t partition;
  std::uint64_t offset;
};
std::string kafka_event_of(std::vector<made_offset> const& all) {
  testing::kafka_event out;
  for (made_offset const& one : all) {
    testing::kafka_event::fields f;
    f.partition = one.partition;
    f.offset = one.offset;
    f.value = "v";
    f.time = 1'700'000'000'000'000'000;
    out.record(f);
  }
  return out.json();
}
// The events say the same.
void same(std::optional<std::string> const& got, std::string const& wanted) {
  REQUIRE(got);
  CHECK(canonical_json(*got) == canonical_json(wanted));
}

}  // namespace

// The conditions are those of "partial batch response" in "Using Lambda with Kinesis", "... Amazon SQS", and "Configuring error handling
// controls for Kafka event sources", AWS Lambda developer guide.
TEST_CASE("of a shard what comes again begins with the lowest record that is reported", "[lambda][redelivery]") {
  std::string const all = test::kinesis_event({101, 102, 103, 104});
  same(redelivered_event(all, reports({"103"})), test::kinesis_event({103, 104}));
  same(redelivered_event(all, reports({"104", "102", "103"})), test::kinesis_event({102, 103, 104}));
  same(redelivered_event(all, reports({"101"})), all);
}

TEST_CASE("of a queue the messages come again that are reported", "[lambda][redelivery]") {
  std::string const all = sqs_event_of({"a", "b", "c"});
  auto const again = redelivered_event(all, reports({"c", "a"}));
  REQUIRE(again);
  lambda::event const e(*again);
  REQUIRE(e.size() == 2);
  CHECK(e.identifier(0) == "a");
  CHECK(e.identifier(1) == "c");
  CHECK(again->find(R"("body":"of b")") == std::string::npos);
}

TEST_CASE("of Kafka each partition that is reported comes again from there, and no other", "[lambda][redelivery]") {
  std::string const all = kafka_event_of({{0, 7}, {0, 8}, {0, 9}, {1, 7}, {2, 3}, {2, 4}});
  std::string const answer =
      R"({"batchItemFailures":[{"itemIdentifier":{"partition":"test-2","offset":4}},)"
      R"({"itemIdentifier":{"partition":"test-0","offset":9}},{"itemIdentifier":{"partition":"test-0","offset":8}}]})";
  same(redelivered_event(all, answer), kafka_event_of({{0, 8}, {0, 9}, {2, 4}}));
}

TEST_CASE("an answer without failures is success, whatever its form", "[lambda][redelivery]") {
  std::string const all = test::kinesis_event({101, 102});
  for (std::string const& answer : {reports({}), std::string(R"({"batchItemFailures":null})"), std::string("{}"), std::string("null"),
                                    std::string(), std::string(" \n"), std::string(R"({"state":{"1":2}})"), std::string("\"done\"")}) {
    INFO(answer);
    CHECK_FALSE(redelivered_event(all, answer));
  }
}

TEST_CASE("an answer that names no record of the event is a failure of the whole", "[lambda][redelivery]") {
  auto const item = [](std::string const& value) { return R"({"batchItemFailures":[{"itemIdentifier":)" + value + "}]}"; };
  std::string const kafka = kafka_event_of({{0, 7}, {0, 8}});
  for (std::string const& all : {test::kinesis_event({101, 102}), sqs_event_of({"101", "102"}), kafka}) {
    for (std::string const& answer :
         {item("\"\""), item("null"), item("\"105\""), item("101"), item(R"({"partition":"test-0","offset":9})"),
          item(R"({"partition":"test-1","offset":7})"), item(R"({"topic-partition":"test-0","offset":8})"),
          std::string(R"({"batchItemFailures":[{"id":"102"}]})"), std::string(R"({"batchItemFailures":[)")}) {
      INFO(all << " answered " << answer);
      same(redelivered_event(all, answer), all);
    }
  }
}

TEST_CASE("the state of a window goes along, and what is beside records stays", "[lambda][redelivery]") {
  std::string event = test::kinesis_event({101, 102});
  event.pop_back();
  std::string const window = R"("window":{"start":"2020-12-09T07:04:00Z","end":"2020-12-09T07:06:00Z"},)";
  std::string const rest = R"(,"shardId":"shardId-000000000006","isFinalInvokeForWindow":false,"more":[1.50,null]})";
  std::string tail = test::kinesis_event({102});
  tail.pop_back();
  same(redelivered_event(event + ',' + window + R"("state":{"1":1})" + rest,
                         R"({"state":{"1":2},"batchItemFailures":[{"itemIdentifier":"102"}]})"),
       tail + ',' + window + R"("state":{"1":2})" + rest);
  // Also into a window that has none yet; but not that of an answer which is a failure: all of it is done again.
  std::string const bare = R"("window":{"start":"2020-12-09T07:04:00Z","end":"2020-12-09T07:06:00Z"})";
  same(redelivered_event(event + ',' + bare + rest, R"({"batchItemFailures":[{"itemIdentifier":"102"}],"state":{"1":2}})"),
       tail + ',' + bare + rest.substr(0, rest.size() - 1) + R"(,"state":{"1":2}})");
  std::string const whole = event + ',' + window + R"("state":{"1":1})" + rest;
  same(redelivered_event(whole, R"({"state":{"1":2},"batchItemFailures":[{"itemIdentifier":"nope"}]})"), whole);
}

TEST_CASE("what is no event of a mapping never comes again", "[lambda][redelivery]") {
  for (char const* const text : {"", "{", "[]", R"({"key1":"value1"})", "no JSON"}) CHECK_FALSE(redelivered_event(text, reports({"1"})));
}
