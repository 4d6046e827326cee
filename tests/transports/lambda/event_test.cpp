#include <weir/lambda/event.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/skip.hpp"
#include "transports/lambda/samples.hpp"

#include <string>
#include <utility>

using namespace weir;
using lambda::event;
using lambda::event_source;
using test::fails_with;

namespace {

std::string kinesis_record(std::string const& number, std::string const& shard = "shardId-000000000001", std::string const& stream = "a") {
  return R"({"kinesis":{"partitionKey":"k","sequenceNumber":")" + number +
         R"(","data":"aGVsbG8="},"eventSource":"aws:kinesis","eventID":")" + shard + ":" + number +
         R"(","eventSourceARN":"arn:aws:kinesis:us-east-1:1:stream/)" + stream + "\"}";
}
std::string records(std::string const& all) { return R"({"Records":[)" + all + "]}"; }
std::string const window_part =
    R"("window":{"start":"2020-12-09T07:04:00Z","end":"2020-12-09T07:06:00Z"},"shardId":"shardId-000000000006",)"
    R"("eventSourceARN":"arn:aws:kinesis:us-east-1:1:stream/a")";

void refused(std::string const& payload, char const* why) {
  INFO(payload);
  fails_with(errc::malformed, [&] { event const e(payload); }, "lambda: cannot read the event", why);
}

}  // namespace

TEST_CASE("the vendor's samples are events", "[lambda][event]") {
  // What the files say.
  struct expected {
    char const* name;
    event_source source;
    char const* arn;
    char const* shard;
    std::size_t size;
    char const* first;
  };
  for (auto const& x :
       {expected{"kinesis-event.json", event_source::kinesis, "arn:aws:kinesis:us-east-1:123456789012:stream/simple-stream",
                 "shardId-000000000000", 2, "49568167373333333333333333333333333333333333333333333333"},
        expected{"kinesis-time-window-event.json", event_source::kinesis, "arn:aws:kinesis:us-east-1:123456789012:stream/lambda-stream",
                 "shardId-000000000006", 1, "49590338271490256608559692538361571095921575989136588898"},
        expected{"dynamodb-event.json", event_source::dynamodb,
                 "arn:aws:dynamodb:us-east-1:123456789012:table/Example-Table/stream/2016-12-01T00:00:00.000", "", 2,
                 "1405400000000002063282832"},
        expected{"dynamodb-time-window-event.json", event_source::dynamodb, "stream-ARN", "shard123456789", 3, "111"},
        expected{"sqs-event.json", event_source::sqs, "arn:aws:sqs:us-west-2:123456789012:SQSQueue", "", 1, "MessageID_1"},
        expected{"kafka-event.json", event_source::kafka,
                 "arn:aws:kafka:us-west-2:012345678901:cluster/ExampleMSKCluster/e9f754c6-d29a-4430-a7db-958a19fd2c54-4", "", 1, "0"}}) {
    auto const sample = test::lambda_sample(x.name);
    if (!sample && test::skip("no sample events")) return;
    INFO(x.name);
    event const e(*sample);
    CHECK(e.source() == x.source);
    CHECK(e.source_arn() == x.arn);
    CHECK(e.shard_id() == x.shard);
    CHECK(e.size() == x.size);
    CHECK(e.identifier(0) == x.first);
    CHECK((e.window() != nullptr) == (std::string_view(x.name).find("window") != std::string_view::npos));
    CHECK(e.partitions().size() == (x.source == event_source::kafka ? 1 : 0));
  }
}

TEST_CASE("an event of a tumbling window says of which, and has its state", "[lambda][event]") {
  auto const sample = test::lambda_sample("kinesis-time-window-event.json");
  if (!sample && test::skip("no sample events")) return;
  event const e(*sample);
  REQUIRE(e.window() != nullptr);
  CHECK(e.window()->start == 1'607'497'440'000'000'000);  // date -d 2020-12-09T07:04:00Z +%s
  CHECK(e.window()->end == 1'607'497'560'000'000'000);
  CHECK(e.window()->state == "{\n    \"1\": \"state 1\",\n    \"2\": \"state 2\"\n  }");
  CHECK_FALSE(e.window()->is_final);
  CHECK_FALSE(e.window()->is_terminated_early);
}

TEST_CASE("the last invocation of a window may have no records", "[lambda][event]") {
  for (char const* const rest : {R"("Records":[])", R"("Records":null)", R"("a":1)"}) {
    INFO(rest);
    event const e(std::string("{") + rest + R"(,"isFinalInvokeForWindow":true,"isWindowTerminatedEarly":true,"state":null,)" + window_part +
                  "}");
    CHECK(e.source() == event_source::kinesis);
    CHECK(e.source_arn() == "arn:aws:kinesis:us-east-1:1:stream/a");
    CHECK(e.shard_id() == "shardId-000000000006");
    CHECK(e.size() == 0);
    REQUIRE(e.window() != nullptr);
    CHECK(e.window()->is_final);
    CHECK(e.window()->is_terminated_early);
    CHECK(e.window()->state == "{}");
  }
  refused(R"({"Records":[],"isFinalInvokeForWindow":false,)" + window_part + "}", "not the last one of a window");
  refused(R"({"Records":[],"isFinalInvokeForWindow":true,"window":{"start":"2020-12-09T07:04:00Z","end":"2020-12-09T07:06:00Z"}})",
          "does not say what it is of");
}

TEST_CASE("members of an event may be in any order, escaped, unknown, or null", "[lambda][event]") {
  std::string const record =
      R"({"new":{"a":[1,{"b":null}]},"event\u0053ourceARN":"arn:aws:kinesis:us-east-1:1:stream\/\u00e4","kinesis":{"new":[[]],"data":"",)"
      R"("sequenceNumber":"7","partitionKey":"k"},"eventID":null,"eventSource":"aws:kinesis"})";
  event const e(R"({"window":null,"state":null,"shardId":null,"isFinalInvokeForWindow":null,"new":"\u0000","\u0052ecords":[)" + record +
                "]}");
  CHECK(e.source() == event_source::kinesis);
  CHECK(e.source_arn() == "arn:aws:kinesis:us-east-1:1:stream/\xc3\xa4");
  CHECK(e.shard_id().empty());
  CHECK(e.size() == 1);
  CHECK(e.window() == nullptr);
}

TEST_CASE("brokers that are not Amazon's are a source of Kafka's, too", "[lambda][event]") {
  event const e(
      R"({"records":{"a-0":[{"offset":5}],"b-3":[{"offset":1},{"offset":2}]},"eventSource":"SelfManagedKafka","bootstrapServers":"x"})");
  CHECK(e.source() == event_source::kafka);
  CHECK(e.source_arn().empty());
  REQUIRE(e.partitions().size() == 2);
  CHECK(e.partitions()[0].name == "a-0");
  CHECK(e.partitions()[1].name == "b-3");
  CHECK(e.partitions()[1].size == 2);
  CHECK(e.partitions()[1].first == 1);
  CHECK(e.size() == 3);
  CHECK(e.identifier(2) == "2");
}

TEST_CASE("a payload that is no event of a mapping is refused, and it is said why", "[lambda][event]") {
  refused("", "no JSON");
  refused("hello", "no JSON");
  refused("[]", "no JSON object");
  refused("17", "no JSON object");
  refused("{}", "it has no records");
  refused(R"({"key1":"value1","key2":"value2"})", "is the function invoked by a mapping of");  // the console's test event
  refused(R"({"Records":[]})", "it has no records");
  refused(R"({"Records":null})", "it has no records");
  refused(R"({"Records":{}})", "not as those of an event source mapping");
  refused(R"({"records":[{"recordId":"1"}]})", "not as those of an event source mapping");  // Firehose
  refused(R"({"Records":[1]})", "record 0 is no object");
  refused(R"({"Records":[{"Sns":{},"EventSource":"aws:sns"}]})", "do not say what they are of");
  refused(R"({"Records":[{"eventSource":"aws:s3"}]})", "an unknown source, aws:s3");
  refused(R"({"Records":[{"eventSource":"aws:kafka"}]})", "an unknown source, aws:kafka");
  refused(R"({"records":{"a-0":[{"offset":1}]},"eventSource":"aws:mq"})", "an unknown source, aws:mq");
  refused(R"({"records":{"a-0":[{"offset":1}]}})", "an unknown source, nothing");
  refused(R"({"records":{"a-0":[]},"eventSource":"aws:kafka"})", "it has no records");
  refused(R"({"records":{"a-0":{}},"eventSource":"aws:kafka"})", "records of a-0 are no array");
  refused(R"({"records":{"a-0":[7]},"eventSource":"aws:kafka"})", "record 0 of a-0 is no object");
  refused(R"({"Records":[)" + kinesis_record("1") + R"(],"Records":[)" + kinesis_record("2") + "]}", "it has records twice");
  refused(records(kinesis_record("1")) + "x", "no JSON");
  refused(records(kinesis_record("1")) + "{}", "something behind its end");
}

TEST_CASE("a window that is none is refused", "[lambda][event]") {
  auto const with = [](std::string const& rest) { return R"({"Records":[)" + kinesis_record("1") + "]," + rest + "}"; };
  refused(with(R"("window":7)"), "its window is no object");
  refused(with(R"("window":{"end":"2020-12-09T07:06:00Z"})"), "the start of its window is no time");
  refused(with(R"("window":{"start":"2020-12-09T07:06:00Z","end":"soon"})"), "the end of its window is no time");
  refused(with(R"("window":{"start":"2020-12-09T07:06:00Z","end":"2020-12-09T07:06:00Z"})"), "ends before it begins");
  refused(with(R"("state":[],)" + window_part), "the state of its window is no object");
  refused(with(R"("isFinalInvokeForWindow":"yes",)" + window_part), "isFinalInvokeForWindow is neither true nor false");
}

TEST_CASE("records of several sources, streams or shards are refused", "[lambda][event]") {
  CHECK(event(records(kinesis_record("1") + "," + kinesis_record("2"))).size() == 2);
  refused(records(kinesis_record("1") + R"(,{"eventSource":"aws:sqs"})"),
          "several sources: record 0 is of aws:kinesis, and record 1 of aws:sqs");
  refused(records(kinesis_record("1") + "," + kinesis_record("2") + ",{}"),
          "several sources: record 0 is of aws:kinesis, and record 2 of nothing");
  refused(records(kinesis_record("1") + "," + kinesis_record("2", "shardId-000000000001", "b")), "several streams");
  refused(records(kinesis_record("1") + "," + kinesis_record("2", "shardId-000000000002")),
          "several shards: record 0 is of shardId-000000000001, and record 1 of shardId-000000000002");
}

TEST_CASE("an identifier that is missing is missed where it is asked for", "[lambda][event]") {
  event const e(records(R"({"eventSource":"aws:sqs","eventSourceARN":"arn:aws:sqs:us-west-2:1:q","body":""})"));
  fails_with(errc::malformed, [&] { e.identifier(0); }, "it has no id", "aws:sqs, record 0 of 1", "arn:aws:sqs:us-west-2:1:q");
}
