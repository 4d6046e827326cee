#include <weir/lambda/sqs_records.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/skip.hpp"
#include "transports/lambda/samples.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace weir;
using lambda::event;
using lambda::sqs_record;
using lambda::sqs_records;
using test::fails_with;

namespace {

std::string message(std::string const& members) {
  return R"({"eventSource":"aws:sqs","eventSourceARN":"arn:aws:sqs:us-west-2:1:q",)" + members + "}";
}
event event_of(std::vector<std::string> const& all) {
  std::string text;
  for (auto const& r : all) text += (text.empty() ? "" : ",") + r;
  return event(R"({"Records":[)" + text + "]}");
}

}  // namespace

TEST_CASE("the vendor's sample of SQS is read", "[lambda][sqs]") {
  auto const sample = test::lambda_sample("sqs-event.json");
  if (!sample && test::skip("no sample events")) return;
  event const e(*sample);
  sqs_records records(e);
  auto const some = records.next();
  REQUIRE(some.size() == 1);
  sqs_record const& m = some[0];
  CHECK(m.message_id() == "MessageID_1");
  CHECK(m.receipt_handle() == "MessageReceiptHandle");
  CHECK(m.body() == "Message Body");
  CHECK(m.payload() == "Message Body");
  CHECK(m.partition_key().empty());
  CHECK(m.position() == position(1));
  CHECK(m.arrival() == 1'520'621'625'029'000'000);
  CHECK(m.receive_count() == 2);
  CHECK(m.attribute("SenderId") == "AROAIWPX5BD2BHG722MW4:sender");
  CHECK(m.attribute("MessageDeduplicationId") == std::nullopt);
  auto const attributes = m.message_attributes();
  REQUIRE(attributes.size() == 3);
  CHECK(attributes[0].name == "Attribute3");
  CHECK(attributes[0].type == "Binary");
  CHECK(attributes[0].value == "1100");  // base64 -d
  CHECK(attributes[1].type == "Number");
  CHECK(attributes[1].value == "123");
  CHECK(attributes[2].name == "Attribute1");
  CHECK(attributes[2].value == "AttributeValue1");
  CHECK(records.next().empty());
}

TEST_CASE("a message of a FIFO queue has its group, and bodies have their escapes", "[lambda][sqs]") {
  event const e = event_of(
      {message(
           R"("messageId":"a","body":"{\"x\":\"\u20ac\"}\n","attributes":{"MessageGroupId":"g\/1","SequenceNumber":"18849496460467696128"})"),
       message(R"("body":"","messageId":"b","attributes":null,"messageAttributes":null,"receiptHandle":null)")});
  sqs_records records(e);
  auto const some = records.next();
  REQUIRE(some.size() == 2);
  CHECK(some[0].body() == "{\"x\":\"\xe2\x82\xac\"}\n");
  CHECK(some[0].group_id() == "g/1");
  CHECK(some[0].partition_key() == "g/1");
  CHECK(some[0].attribute("SequenceNumber") == "18849496460467696128");
  CHECK(some[1].body().empty());
  CHECK(some[1].arrival() == start_of_time);
  CHECK(some[1].receive_count() == 0);
  CHECK(some[1].attribute("SenderId") == std::nullopt);
  CHECK(some[1].message_attributes().empty());
  CHECK(some[1].position() == position(2));
}

TEST_CASE("messages outlive their event, and what was moved from knows its position", "[lambda][sqs]") {
  sqs_record kept;
  {
    event const e = event_of(
        {message(R"("messageId":"a","body":"one"})" +
                 std::string(R"(,{"eventSource":"aws:sqs","eventSourceARN":"arn:aws:sqs:us-west-2:1:q","messageId":"b","body":"two")"))});
    sqs_records records(e);
    auto const some = records.next();
    REQUIRE(some.size() == 2);
    kept = std::move(some[1]);
    CHECK(some[1].body().empty());  // NOLINT(bugprone-use-after-move): that is what is tested
    CHECK(some[1].position() == position(2));
  }
  CHECK(kept.body() == "two");
  CHECK(kept.message_id() == "b");
}

TEST_CASE("a message that cannot be read fails behind those before it", "[lambda][sqs]") {
  for (auto const& [members, why] : std::vector<std::pair<char const*, char const*>>{
           {R"("body":"")", "its id (messageId) is missing"},
           {R"("body":"","messageId":"")", "its id (messageId) is missing"},
           {R"("messageId":"b")", "its body (body) is missing"},
           {R"("messageId":"b","body":7)", "its body (body) is missing, or is no text"},
           {R"("messageId":"b","body":"\x")", "its body (body) is missing, or is no text"},
           {R"("messageId":"b","body":"","receiptHandle":[])", "its receipt handle"},
           {R"("messageId":"b","body":"","attributes":{"MessageGroupId":{}})", "its message group"},
           {R"("messageId":"b","body":"","attributes":{"SentTimestamp":"now"})", "the time when it was sent"},
           {R"("messageId":"b","body":"","attributes":{"ApproximateReceiveCount":"-1"})", "how often it was received"}}) {
    INFO(members);
    event const e = event_of({message(R"("messageId":"a","body":"one")"), message(members)});
    sqs_records records(e);
    CHECK(records.next().size() == 1);
    for (int i = 0; i != 2; ++i)
      fails_with(errc::malformed, [&] { records.next(); }, "arn:aws:sqs:us-west-2:1:q", "aws:sqs, record 1 of 2", why);
  }
}

TEST_CASE("attributes that are none are refused where they are asked for", "[lambda][sqs]") {
  for (char const* const attributes :
       {R"([])", R"({"a":7})", R"({"a":{"stringValue":"x"}})", R"({"a":{"dataType":"Binary","binaryValue":"?"}})",
        R"({"a":{"dataType":"String","stringValue":7}})"}) {
    INFO(attributes);
    event const e = event_of({message(R"("messageId":"a","body":"","messageAttributes":)" + std::string(attributes))});
    sqs_records records(e);
    auto const some = records.next();
    fails_with(errc::malformed, [&] { some[0].message_attributes(); }, "message a", "messageAttributes");
  }
  event const e = event_of({message(R"("messageId":"a","body":"","attributes":{"SenderId":7})")});
  sqs_records records(e);
  auto const some = records.next();
  fails_with(errc::malformed, [&] { some[0].attribute("SenderId"); }, "message a", "\"attributes\"");
}
