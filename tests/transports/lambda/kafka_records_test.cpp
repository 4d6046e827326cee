#include <weir/lambda/kafka_records.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/skip.hpp"
#include "transports/lambda/samples.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace weir;
using lambda::event;
using lambda::kafka_record;
using lambda::kafka_records;
using test::fails_with;

namespace {

std::string record(std::string const& members) { return R"({"topic":"t","partition":3,)" + members + "}"; }
event event_of(std::vector<std::string> const& all) {
  std::string text;
  for (auto const& r : all) text += (text.empty() ? "" : ",") + r;
  return event(
      R"({"eventSource":"aws:kafka","eventSourceArn":"arn:aws:kafka:x","records":{"s-0":[{"topic":"s","partition":0,"offset":8}],"t-3":[)" +
      text + "]}}");
}

}  // namespace

TEST_CASE("the vendor's sample of Kafka is read", "[lambda][kafka]") {
  auto const sample = test::lambda_sample("kafka-event.json");
  if (!sample && test::skip("no sample events")) return;
  event const e(*sample);
  kafka_records records(e, 0);
  auto const some = records.next();
  REQUIRE(some.size() == 1);
  kafka_record const& r = some[0];
  CHECK(r.topic() == "AWSKafkaTopic");
  CHECK(r.partition() == 0);
  CHECK(r.offset() == 0);
  CHECK(r.position() == position(0));
  CHECK(r.arrival() == 1'595'035'749'700'000'000);
  CHECK_FALSE(r.logged());
  CHECK(r.key() == "8d5596b4-1813-4238-b24b-6dad8e3d1c0c");  // base64 -d
  CHECK(r.value() == "8d5596b4-1813-4238-b24b-6dad8e3d1c0c");
  CHECK(r.payload() == r.value());
  CHECK(r.partition_key() == r.key());
  auto const headers = r.headers();
  REQUIRE(headers.size() == 1);
  CHECK(headers[0].name == "headerKey");
  CHECK(headers[0].value == std::string("v\xdc\0\x7f\x80", 5));  // 118, -36, 0, 127, -128
  CHECK(records.next().empty());
}

TEST_CASE("records of Kafka come by their partitions, and again behind a position", "[lambda][kafka]") {
  event const e =
      event_of({record(R"("offset":5,"value":"YQ==","timestampType":"LOG_APPEND_TIME")"), record(R"("offset":7,"value":"Yg==")")});
  kafka_records first(e, 0);
  REQUIRE(first.next().size() == 1);
  CHECK(first.next().empty());
  kafka_records second(e, 1);
  auto const some = second.next();
  REQUIRE(some.size() == 2);
  CHECK(some[0].payload() == "a");
  CHECK(some[0].logged());
  CHECK(some[1].payload() == "b");
  CHECK(second.next().empty());
  kafka_records again(e, 1, position(5));
  auto const rest = again.next();
  REQUIRE(rest.size() == 1);
  CHECK(rest[0].offset() == 7);
}

TEST_CASE("a tombstone has no value, a record may have no key, and headers may be null", "[lambda][kafka]") {
  event const e = event_of({record(R"("offset":1,"key":"","value":null,"headers":[])"),
                            record(R"("offset":2,"value":"","headers":[{"a":[],"b":null},{"a":[1]}])")});
  kafka_records records(e, 1);
  auto const some = records.next();
  REQUIRE(some.size() == 2);
  CHECK(some[0].value() == std::nullopt);
  CHECK(some[0].payload().empty());
  CHECK(some[0].key() == "");
  CHECK(some[0].headers().empty());
  CHECK(some[0].arrival() == start_of_time);
  CHECK(some[1].value() == "");
  CHECK(some[1].key() == std::nullopt);
  auto const headers = some[1].headers();
  REQUIRE(headers.size() == 3);
  CHECK(headers[0].value.empty());
  CHECK(headers[1].name == "b");
  CHECK(headers[2].name == "a");
  CHECK(headers[2].value == "\1");
}

TEST_CASE("records of Kafka outlive their event, and what was moved from knows its position", "[lambda][kafka]") {
  kafka_record kept;
  {
    event const e = event_of({record(R"("offset":5,"value":"YQ==","key":"Yg==","headers":[{"h":[65]}])")});
    kafka_records records(e, 1);
    auto const some = records.next();
    kept = std::move(some[0]);
    CHECK(some[0].value() == std::nullopt);  // NOLINT(bugprone-use-after-move): that is what is tested
    CHECK(some[0].offset() == 5);
  }
  CHECK(kept.value() == "a");
  CHECK(kept.key() == "b");
  CHECK(kept.topic() == "t");
  CHECK(kept.headers().at(0).value == "A");
}

TEST_CASE("a record of Kafka that cannot be read fails behind those before it", "[lambda][kafka]") {
  for (auto const& [broken, why] : std::vector<std::pair<std::string, char const*>>{
           {R"({"partition":3,"offset":7})", "its topic (topic) is missing"},
           {R"({"topic":"t","offset":7})", "its partition (partition) is missing"},
           {R"({"topic":"t","partition":-1,"offset":7})", "its partition (partition) is missing, or is none"},
           {R"({"topic":"t","partition":3})", "its offset (offset) is missing"},
           {record(R"("offset":-7)"), "its offset (offset) is missing, or is none"},
           {record(R"("offset":7.5)"), "its offset (offset) is missing, or is none"},
           {record(R"("offset":5)"), "its offset is not above that of the record before it"},
           {record(R"("offset":7,"key":"?")"), "its key (key) is no base64"},
           {record(R"("offset":7,"value":"abc")"), "its value (value) is no base64"},
           {record(R"("offset":7,"value":[])"), "its value (value) is no base64"},
           {record(R"("offset":7,"timestamp":"now")"), "its time (timestamp) is none"}}) {
    INFO(broken);
    event const e = event_of({record(R"("offset":5)"), broken});
    kafka_records records(e, 1);
    CHECK(records.next().size() == 1);
    for (int i = 0; i != 2; ++i) fails_with(errc::malformed, [&] { records.next(); }, "arn:aws:kafka:x", "aws:kafka, record 2 of 3", why);
  }
}

TEST_CASE("headers of Kafka that are none are refused where they are asked for", "[lambda][kafka]") {
  for (char const* const headers : {R"({})", R"([7])", R"([{"a":7}])", R"([{"a":[256]}])", R"([{"a":[-129]}])", R"([{"a":["x"]}])"}) {
    INFO(headers);
    event const e = event_of({record(R"("offset":5,"headers":)" + std::string(headers))});
    kafka_records records(e, 1);
    auto const some = records.next();
    REQUIRE(some.size() == 1);
    fails_with(errc::malformed, [&] { some[0].headers(); }, "headers", "t-3", "position 5");
  }
}

TEST_CASE("a partition that an event does not have is refused", "[lambda][kafka]") {
  event const e = event_of({record(R"("offset":5)")});
  fails_with(errc::misuse, [&] { kafka_records const r(e, 2); }, "cannot read partition 2", "it has 2");
}
