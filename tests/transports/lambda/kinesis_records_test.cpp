#include <weir/lambda/kinesis_records.hpp>

#include <weir/kinesis/aggregated_record.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/net/base64.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/skip.hpp"
#include "transports/kinesis/capture.hpp"
#include "transports/lambda/samples.hpp"

#include <optional>
#include <string>
#include <vector>

using namespace weir;
using lambda::event;
using lambda::kinesis_records;
using test::fails_with;
using texts = std::vector<std::string>;

namespace {

std::string one(std::string const& members) {
  return R"({"eventSource":"aws:kinesis","eventSourceARN":"arn:aws:kinesis:us-east-1:1:stream/a","eventID":"shardId-000000000001:1","kinesis":{)" +
         members + "}}";
}
std::string numbered(std::string const& number, std::string const& data) {
  return one(R"("partitionKey":"k","sequenceNumber":")" + number + R"(","data":")" + net::to_base64(data) + "\"");
}
event event_of(std::vector<std::string> const& all) {
  std::string text;
  for (auto const& r : all) text += (text.empty() ? "" : ",") + r;
  return event(R"({"Records":[)" + text + "]}");
}

texts rest_of(kinesis_records& records) {
  texts out;
  for (auto some = records.next(); !some.empty(); some = records.next())
    for (auto const& r : some) out.emplace_back(r.data());
  return out;
}
texts all_of(event const& e, std::optional<position> after = {}) {
  kinesis_records records(e, after);
  return rest_of(records);
}

position at(char const* number, std::uint64_t sub = 0) { return *kinesis::position_of(number, sub); }

}  // namespace

TEST_CASE("the vendor's sample of Kinesis is read", "[lambda][kinesis]") {
  auto const sample = test::lambda_sample("kinesis-event.json");
  if (!sample && test::skip("no sample events")) return;
  event const e(*sample);
  kinesis_records records(e);
  auto const some = records.next();
  REQUIRE(some.size() == 2);
  CHECK(some[0].data() == "Hello World");  // base64 -d
  CHECK(some[0].partition_key() == "s1");
  CHECK(some[0].shard_id() == "shardId-000000000000");
  CHECK(kinesis::sequence_number_of(some[0].position()) == "49568167373333333333333333333333333333333333333333333333");
  CHECK(some[0].arrival() == 1'480'641'523'477'000'000);
  CHECK(kinesis::sequence_number_of(some[1].position()) == "49568167373333333334444444444444444444444444444444444444");
  CHECK(some[1].arrival() == 1'480'841'523'477'000'000);
  CHECK(records.next().empty());
}

TEST_CASE("records of Kinesis outlive their event and its reader", "[lambda][kinesis]") {
  kinesis::record kept;
  {
    event const e = event_of({numbered("1", "one"), numbered("2", "two")});
    kinesis_records records(e);
    kept = std::move(records.next()[1]);
  }
  CHECK(kept.data() == "two");
  CHECK(kept.partition_key() == "k");
  CHECK(kept.shard_id() == "shardId-000000000001");
}

TEST_CASE("records of Kinesis come in chunks, and again behind a position", "[lambda][kinesis]") {
  std::vector<std::string> many;
  texts wanted;
  for (int i = 1; i <= 1000; ++i) {
    many.push_back(numbered(std::to_string(i), "r" + std::to_string(i)));
    wanted.push_back("r" + std::to_string(i));
  }
  event const e = event_of(many);
  kinesis_records records(e);
  CHECK(records.next().size() == 256);
  CHECK(records.next().size() == 256);
  CHECK(rest_of(records).size() == 488);
  CHECK(all_of(e) == wanted);
  CHECK(all_of(e, at("600")) == texts(wanted.begin() + 600, wanted.end()));
  CHECK(all_of(e, at("1000")).empty());
}

TEST_CASE("what a producer has put into one record of an event comes one by one, whatever the keys", "[lambda][kinesis]") {
  auto const bytes = test::kinesis_capture("kpl-aggregated-3.bin");
  if (!bytes && test::skip("no captures of producers")) return;
  auto const inner = kinesis::read_aggregated(*bytes);
  REQUIRE(inner);
  REQUIRE(inner->size() == 3);
  event const e = event_of({numbered("10", "plain"), numbered("11", *bytes), numbered("12", "more")});
  texts const wanted{"plain", std::string((*inner)[0].data), std::string((*inner)[1].data), std::string((*inner)[2].data), "more"};
  CHECK(all_of(e) == wanted);
  CHECK(all_of(e, at("11", 1)) == texts{wanted[3], "more"});
  kinesis_records records(e);
  CHECK(records.next()[2].position() == at("11", 1));
}

TEST_CASE("escapes, nulls and the numbers of Java are read in events of Kinesis", "[lambda][kinesis]") {
  event const e = event_of(
      {one(R"("data":"\/\/\u002f\/","partitionKey":"\u00e4\"\\","sequenceNumber":"7","approximateArrivalTimestamp":1.480641523477E9)"),
       one(R"("data":"","partitionKey":"k","sequenceNumber":"8","approximateArrivalTimestamp":null)")});
  kinesis_records records(e);
  auto const some = records.next();
  REQUIRE(some.size() == 2);
  CHECK(some[0].data() == "\xff\xff\xff");
  CHECK(some[0].partition_key() == "\xc3\xa4\"\\");
  CHECK(some[0].arrival() == 1'480'641'523'477'000'000);
  CHECK(some[1].data().empty());
  CHECK(some[1].arrival() == start_of_time);
}

TEST_CASE("a record of Kinesis that cannot be read fails behind those before it, again and again", "[lambda][kinesis]") {
  for (auto const& [members, why] : std::vector<std::pair<char const*, char const*>>{
           {R"("partitionKey":"k","data":"")", "its sequence number (kinesis.sequenceNumber) is missing"},
           {R"("partitionKey":"k","data":"","sequenceNumber":"x")", "is missing, or is none"},
           {R"("partitionKey":"k","data":"","sequenceNumber":7)", "is missing, or is none"},
           {R"("partitionKey":"k","data":"","sequenceNumber":"2")", "is not above that of the record before it"},
           {R"("partitionKey":"k","sequenceNumber":"3")", "its data (kinesis.data) are missing"},
           {R"("partitionKey":"k","sequenceNumber":"3","data":null)", "its data (kinesis.data) are missing"},
           {R"("partitionKey":"k","sequenceNumber":"3","data":"aGVsbG8")", "are no base64"},
           {R"("partitionKey":"k","sequenceNumber":"3","data":"a?Vs")", "are no base64"},
           {R"("partitionKey":"k","sequenceNumber":"3","data":"\q")", "are no base64"},
           {R"("sequenceNumber":"3","data":"")", "its partition key (kinesis.partitionKey) is missing"},
           {R"("partitionKey":"","sequenceNumber":"3","data":"")", "its partition key (kinesis.partitionKey) is missing"},
           {R"("partitionKey":"\ud800","sequenceNumber":"3","data":"")", "its partition key (kinesis.partitionKey) is missing"},
           {R"("partitionKey":"k","sequenceNumber":"3","data":"","approximateArrivalTimestamp":"now")", "its time of arrival"}}) {
    INFO(members);
    event const e = event_of({numbered("1", "one"), numbered("2", "two"), one(members), numbered("9", "nine")});
    kinesis_records records(e);
    CHECK(records.next().size() == 2);
    for (int i = 0; i != 2; ++i) {
      fails_with(
          errc::malformed, [&] { records.next(); }, "lambda: cannot read a record of the event", "arn:aws:kinesis:us-east-1:1:stream/a",
          "shardId-000000000001", "aws:kinesis, record 2 of 4", why);
    }
  }
}

TEST_CASE("an event of another source has no records of Kinesis", "[lambda][kinesis]") {
  event const e(R"({"Records":[{"eventSource":"aws:sqs","messageId":"1","body":""}]})");
  fails_with(errc::misuse, [&] { kinesis_records const r(e); }, "lambda::kinesis_records", "aws:sqs");
}

TEST_CASE("an event of six megabytes is read", "[lambda][kinesis]") {
  // 45 records of 100,000 bytes, 6 MB in base64.
  std::vector<std::string> many;
  for (int i = 10; i != 55; ++i) many.push_back(numbered(std::to_string(i), std::string(100'000, static_cast<char>('a' + i % 26))));
  event const e = event_of(many);
  auto const got = all_of(e);
  REQUIRE(got.size() == 45);
  for (std::size_t i = 0; i != got.size(); ++i) CHECK(got[i] == std::string(100'000, static_cast<char>('a' + (i + 10) % 26)));
}
