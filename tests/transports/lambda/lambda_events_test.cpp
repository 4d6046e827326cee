#include <weir/testing/lambda_events.hpp>

#include <weir/lambda/dynamodb_records.hpp>
#include <weir/lambda/kafka_records.hpp>
#include <weir/lambda/kinesis_records.hpp>
#include <weir/lambda/sqs_records.hpp>

#include "support/catch.hpp"
#include "support/skip.hpp"
#include "transports/lambda/canonical_json.hpp"
#include "transports/lambda/samples.hpp"

#include <cstddef>
#include <string>

using namespace weir;
using dynamodb::attribute_value;
using lambda::event;
using test::canonical_json;
using testing::dynamodb_event;
using testing::kafka_event;
using testing::kinesis_event;
using testing::sqs_event;
using change = lambda::dynamodb_record::change;

namespace {

attribute_value bytes(std::string_view text) {
  auto const* const at = reinterpret_cast<std::byte const*>(text.data());
  return attribute_value::binary({at, at + text.size()});
}
attribute_value::bytes raw(std::string_view text) { return *bytes(text).as_binary(); }
attribute_value text(char const* s) { return attribute_value::string(s); }
attribute_value number(char const* digits) { return attribute_value::number(digits); }

lambda::event_window window(instant start, instant end, char const* state) {
  lambda::event_window w;
  w.start = start;
  w.end = end;
  w.state = state;
  return w;
}

constexpr std::string_view four_bytes("\0\1*A", 4), four_more("A*\1\0", 4);

}  // namespace

TEST_CASE("made events of Kinesis are those of the vendor's samples", "[lambda][testing]") {
  auto const plain = test::lambda_sample("kinesis-event.json"), timed = test::lambda_sample("kinesis-time-window-event.json");
  if (!(plain && timed) && test::skip("no sample events")) return;
  CHECK(canonical_json(kinesis_event("arn:aws:kinesis:us-east-1:123456789012:stream/simple-stream")
                           .record({.data = "Hello World",
                                    .partition_key = "s1",
                                    .sequence_number = "49568167373333333333333333333333333333333333333333333333",
                                    .arrival = 1'480'641'523'477'000'000})
                           .record({.data = "Hello World",
                                    .partition_key = "s1",
                                    .sequence_number = "49568167373333333334444444444444444444444444444444444444",
                                    .arrival = 1'480'841'523'477'000'000})
                           .role("arn:aws:iam::123456789012:role/LambdaRole")
                           .json()) == canonical_json(*plain));
  CHECK(canonical_json(kinesis_event("arn:aws:kinesis:us-east-1:123456789012:stream/lambda-stream", "shardId-000000000006")
                           .record({.data = "Hello, this is a test.",
                                    .sequence_number = "49590338271490256608559692538361571095921575989136588898",
                                    .arrival = 1'607'497'475'000'000'000})
                           .role("arn:aws:iam::123456789012:role/lambda-kinesis-role")
                           .window(window(1'607'497'440'000'000'000, 1'607'497'560'000'000'000, R"({"1":"state 1","2":"state 2"})"))
                           .json()) == canonical_json(*timed));
}

TEST_CASE("made events of DynamoDB are those of the vendor's samples", "[lambda][testing]") {
  auto const plain = test::lambda_sample("dynamodb-event.json"), timed = test::lambda_sample("dynamodb-time-window-event.json");
  if (!(plain && timed) && test::skip("no sample events")) return;
  dynamodb::item const keys{{"val", text("data")}, {"key", text("binary")}};
  dynamodb::item first{{"val", text("data")},
                       {"key", text("binary")},
                       {"asdf1", bytes(four_bytes)},
                       {"asdf2", attribute_value::binary_set({raw(four_bytes), raw(four_more)})}};
  dynamodb::item second = first;
  second["b2"] = bytes("\xb5\xeb-");  // "test", read as base64
  second["Binary"] = bytes(four_bytes);
  second["Boolean"] = attribute_value::boolean(true);
  second["BinarySet"] = attribute_value::binary_set({raw(four_bytes)});
  second["List"] = attribute_value::list({text("Cookies"), text("Coffee"), number("3.14159")});
  second["Map"] = attribute_value::map({{"Name", text("Joe")}, {"Age", number("35")}});
  second["FloatNumber"] = number("123.45");
  second["IntegerNumber"] = number("123");
  second["NumberSet"] = attribute_value::number_set({"1234", "567.8"});
  second["Null"] = {};
  second["String"] = text("Hello");
  second["StringSet"] = attribute_value::string_set({"Giraffe", "Zebra"});
  second["EmptyStringSet"] = attribute_value::string_set({});
  constexpr instant at = 1'480'642'020'000'000'000;
  // The size that the second one says is the first one's.
  CHECK(canonical_json(dynamodb_event("arn:aws:dynamodb:us-east-1:123456789012:table/Example-Table/stream/2016-12-01T00:00:00.000")
                           .record({.keys = keys,
                                    .new_image = first,
                                    .sequence_number = "1405400000000002063282832",
                                    .event_id = "f07f8ca4b0b26cb9c4e5e77e69f274ee",
                                    .time = at,
                                    .by_service = true})
                           .record({.keys = keys,
                                    .new_image = second,
                                    .sequence_number = "1405400000000002063282832",
                                    .event_id = "f07f8ca4b0b26cb9c4e5e77e42f274ee",
                                    .time = at})
                           .json(),
                       {"SizeBytes"}) == canonical_json(*plain, {"SizeBytes"}));

  dynamodb::item const id{{"Id", number("101")}};
  auto const saying = [&](char const* message) {
    dynamodb::item out = id;
    out["Message"] = text(message);
    return out;
  };
  CHECK(canonical_json(dynamodb_event("stream-ARN")
                           .record({.keys = id,
                                    .new_image = saying("New item!"),
                                    .sequence_number = "111",
                                    .event_id = "1",
                                    .time = at,
                                    .event_version = "1.0"})
                           .record({.what = change::modify,
                                    .keys = id,
                                    .old_image = saying("New item!"),
                                    .new_image = saying("This item has changed"),
                                    .sequence_number = "222",
                                    .event_id = "2",
                                    .time = at,
                                    .event_version = "1.0"})
                           .record({.what = change::remove,
                                    .keys = id,
                                    .old_image = saying("This item has changed"),
                                    .sequence_number = "333",
                                    .event_id = "3",
                                    .time = at,
                                    .event_version = "1.0"})
                           .window(window(1'596'128'400'000'000'000, 1'596'128'700'000'000'000, R"({"1":"state1"})"), "shard123456789")
                           .json()) == canonical_json(*timed));
}

TEST_CASE("made events of SQS are those of the vendor's sample, but for what is made up there", "[lambda][testing]") {
  auto const sample = test::lambda_sample("sqs-event.json");
  if (!sample && test::skip("no sample events")) return;
  auto const attribute = [](char const* name, char const* type, char const* value) {
    lambda::message_attribute a;
    a.name = name;
    a.type = type;
    a.value = value;
    return a;
  };
  std::string const made =
      sqs_event("arn:aws:sqs:us-west-2:123456789012:SQSQueue")
          .message({.body = "Message Body",
                    .message_id = "MessageID_1",
                    .receipt_handle = "MessageReceiptHandle",
                    .attributes = {{"ApproximateReceiveCount", "2"},
                                   {"SentTimestamp", "1520621625029"},
                                   {"SenderId", "AROAIWPX5BD2BHG722MW4:sender"},
                                   {"ApproximateFirstReceiveTimestamp", "1520621634884"}},
                    .message_attributes = {attribute("Attribute3", "Binary", "1100"), attribute("Attribute2", "Number", "123"),
                                           attribute("Attribute1", "String", "AttributeValue1")}})
          .json();
  // The checksums are of another message, and there are no lists in SQS.
  auto const others = {std::string_view("md5OfBody"), std::string_view("md5OfMessageAttributes"), std::string_view("stringListValues"),
                       std::string_view("binaryListValues")};
  CHECK(canonical_json(made, others) == canonical_json(*sample, others));
  // By python3's hashlib and struct, as "Calculating the MD5 message digest for message attributes" says.
  CHECK(made.find(R"("md5OfBody":"77a3cf88eba293be44f5fd5c61835a43")") != std::string::npos);
  CHECK(made.find(R"("md5OfMessageAttributes":"5e245f81e602ee5aa6641584635f9a43")") != std::string::npos);
}

TEST_CASE("made events of Kafka are those of the vendor's sample", "[lambda][testing]") {
  auto const sample = test::lambda_sample("kafka-event.json");
  if (!sample && test::skip("no sample events")) return;
  lambda::kafka_header header;
  header.name = "headerKey";
  header.value = std::string("v\xdc\0\x7f\x80", 5);
  CHECK(canonical_json(kafka_event("arn:aws:kafka:us-west-2:012345678901:cluster/ExampleMSKCluster/e9f754c6-d29a-4430-a7db-958a19fd2c54-4",
                                   "b-2.demo-cluster-1.a1bcde.c1.kafka.us-east-1.amazonaws.com:9092,"
                                   "b-1.demo-cluster-1.a1bcde.c1.kafka.us-east-1.amazonaws.com:9092")
                           .record({.topic = "AWSKafkaTopic",
                                    .offset = 0,
                                    .key = "8d5596b4-1813-4238-b24b-6dad8e3d1c0c",
                                    .value = "8d5596b4-1813-4238-b24b-6dad8e3d1c0c",
                                    .headers = {header},
                                    .time = 1'595'035'749'700'000'000})
                           .json()) == canonical_json(*sample));
}

TEST_CASE("what is not said of made records counts up", "[lambda][testing]") {
  event const kinesis(kinesis_event().record("one").record("two", "k").json());
  lambda::kinesis_records a(kinesis);
  auto const records = a.next();
  REQUIRE(records.size() == 2);
  CHECK(records[0].data() == "one");
  CHECK(records[0].position() < records[1].position());
  CHECK(records[0].arrival() == 1'704'067'200'000'000'000);
  CHECK(records[1].arrival() == 1'704'067'200'001'000'000);
  CHECK(records[1].partition_key() == "k");
  CHECK(kinesis.identifier(0).size() == 56);

  event const dynamodb(dynamodb_event().insert({}, {}).modify({}, {}, {}).remove({}, {}).json());
  lambda::dynamodb_records b(dynamodb);
  auto const changes = b.next();
  REQUIRE(changes.size() == 3);
  CHECK(changes[1].position() < changes[2].position());
  CHECK(changes[1].what() == change::modify);
  CHECK(changes[2].event_id() != changes[1].event_id());

  event const sqs(sqs_event("arn:aws:sqs:us-east-1:1:q.fifo").message("one", "g").message("two", "h").json());
  lambda::sqs_records c(sqs);
  auto const messages = c.next();
  REQUIRE(messages.size() == 2);
  CHECK(messages[0].group_id() == "g");
  CHECK(messages[0].message_id() != messages[1].message_id());
  CHECK(messages[1].attribute("MessageDeduplicationId") == messages[1].message_id());

  event const kafka(kafka_event::self_managed().record("one", 1).record("two").record("three", 1).record({.topic = "other"}).json());
  REQUIRE(kafka.partitions().size() == 3);
  CHECK(kafka.partitions()[0].name == "other-0");
  lambda::kafka_records d(kafka, 2);
  auto const some = d.next();
  REQUIRE(some.size() == 2);
  CHECK(some[1].offset() == 1);
  CHECK(some[1].value() == "three");
  CHECK_FALSE(some[1].key());
}
