#include <weir/lambda/dynamodb_records.hpp>

#include <weir/kinesis/sequence_number.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/skip.hpp"
#include "transports/lambda/samples.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using dynamodb::attribute_value;
using lambda::dynamodb_record;
using lambda::dynamodb_records;
using lambda::event;
using test::fails_with;
using change = dynamodb_record::change;

namespace {

std::string change_of(std::string const& name, std::string const& members, std::string const& more = "") {
  return R"({"eventSource":"aws:dynamodb","eventSourceARN":"arn:aws:dynamodb:us-east-1:1:table/t/stream/x","eventName":")" + name + "\"," +
         more + R"("dynamodb":{)" + members + "}}";
}
std::string numbered(std::string const& number) {
  return change_of("INSERT", R"("Keys":{"Id":{"N":"1"}},"SequenceNumber":")" + number + "\"");
}
event event_of(std::vector<std::string> const& all) {
  std::string text;
  for (auto const& r : all) text += (text.empty() ? "" : ",") + r;
  return event(R"({"Records":[)" + text + "]}");
}

attribute_value bytes(std::string_view text) {
  auto const* const at = reinterpret_cast<std::byte const*>(text.data());
  return attribute_value::binary({at, at + text.size()});
}

}  // namespace

TEST_CASE("the vendor's sample of DynamoDB has changes with typed images", "[lambda][dynamodb]") {
  auto const sample = test::lambda_sample("dynamodb-time-window-event.json");
  if (!sample && test::skip("no sample events")) return;
  event const e(*sample);
  dynamodb_records records(e);
  auto const some = records.next();
  REQUIRE(some.size() == 3);
  dynamodb::item const key{{"Id", attribute_value::number("101")}};
  dynamodb::item const first{{"Id", attribute_value::number("101")}, {"Message", attribute_value::string("New item!")}};
  dynamodb::item const second{{"Id", attribute_value::number("101")}, {"Message", attribute_value::string("This item has changed")}};
  CHECK(some[0].what() == change::insert);
  CHECK(some[0].keys() == key);
  CHECK(some[0].new_image() == first);
  CHECK(some[0].old_image() == std::nullopt);
  CHECK(some[0].sequence_number() == "111");
  CHECK(some[0].position() == kinesis::position_of("111"));
  CHECK(some[0].event_id() == "1");
  CHECK(some[0].arrival() == 1'480'642'020'000'000'000);
  CHECK_FALSE(some[0].expired());
  CHECK(some[0].partition_key().starts_with('{'));
  CHECK(some[0].partition_key() == some[2].partition_key());
  CHECK(some[0].payload().find("ApproximateCreationDateTime") != std::string_view::npos);
  CHECK(some[1].what() == change::modify);
  CHECK(some[1].new_image() == second);
  CHECK(some[1].old_image() == first);
  CHECK(some[2].what() == change::remove);
  CHECK(some[2].new_image() == std::nullopt);
  CHECK(some[2].old_image() == second);
  CHECK(records.next().empty());
}

TEST_CASE("every type of attribute is read in an image", "[lambda][dynamodb]") {
  auto const sample = test::lambda_sample("dynamodb-event.json");
  if (!sample && test::skip("no sample events")) return;
  event const e(*sample);
  dynamodb_records records(e);
  auto const some = records.next();
  REQUIRE(some.size() == 2);
  auto const image = some[1].new_image();
  REQUIRE(image);
  CHECK(*find(*image, "asdf1") == bytes({"\0\1*A", 4}));  // base64 -d
  CHECK(*find(*image, "Boolean") == attribute_value::boolean(true));
  CHECK(*find(*image, "List") ==
        attribute_value::list({attribute_value::string("Cookies"), attribute_value::string("Coffee"), attribute_value::number("3.14159")}));
  CHECK(*find(*image, "Map") == attribute_value::map({{"Name", attribute_value::string("Joe")}, {"Age", attribute_value::number("35")}}));
  CHECK(*find(*image, "NumberSet") == attribute_value::number_set({"1234", "567.8"}));
  CHECK(*find(*image, "StringSet") == attribute_value::string_set({"Giraffe", "Zebra"}));
  CHECK(*find(*image, "EmptyStringSet") == attribute_value::string_set({}));
  CHECK(find(*image, "Null")->is_null());
  CHECK(find(*image, "asdf2")->as_binary_set()->size() == 2);
}

TEST_CASE("changes with one sequence number, as in the vendor's sample, are told apart by their order", "[lambda][dynamodb]") {
  event const e = event_of({numbered("5"), numbered("5"), numbered("5"), numbered("6")});
  dynamodb_records records(e);
  auto const some = records.next();
  REQUIRE(some.size() == 4);
  CHECK(some[0].position() == kinesis::position_of("5"));
  CHECK(some[1].position() == kinesis::position_of("5", 1));
  CHECK(some[2].position() == kinesis::position_of("5", 2));
  CHECK(some[3].position() == kinesis::position_of("6"));
  dynamodb_records again(e, kinesis::position_of("5", 1));
  CHECK(again.next().size() == 2);
  CHECK(again.next().empty());
}

TEST_CASE("changes outlive their event, and what was moved from knows its position", "[lambda][dynamodb]") {
  dynamodb_record kept;
  position known;
  {
    event const e = event_of({numbered("5")});
    dynamodb_records records(e);
    auto const some = records.next();
    kept = std::move(some[0]);
    known = some[0].position();  // NOLINT(bugprone-use-after-move): that is what is tested
    CHECK(some[0].payload().empty());
  }
  CHECK(known == kinesis::position_of("5"));
  CHECK(kept.keys() == dynamodb::item{{"Id", attribute_value::number("1")}});
}

TEST_CASE("an item whose time to live was over was removed by DynamoDB itself", "[lambda][dynamodb]") {
  // "DynamoDB Streams and Time to Live", DynamoDB developer guide.
  std::string const keys = R"("Keys":{"Id":{"N":"1"}},"SequenceNumber":"5")";
  std::string const by_itself = R"("userIdentity":{"type":"Service","principalId":"dynamodb.amazonaws.com"},)";
  CHECK(dynamodb_records(event_of({change_of("REMOVE", keys, by_itself)})).next()[0].expired());
  CHECK_FALSE(dynamodb_records(event_of({change_of("REMOVE", keys)})).next()[0].expired());
  CHECK_FALSE(dynamodb_records(event_of({change_of("REMOVE", keys, R"("userIdentity":{"type":"Service","principalId":"me"},)")}))
                  .next()[0]
                  .expired());
}

TEST_CASE("a change that cannot be read fails behind those before it", "[lambda][dynamodb]") {
  for (
      auto const& [record, why] : std::vector<std::pair<std::string, char const*>>{
          {change_of("INSERT", R"("Keys":{})"), "its sequence number (dynamodb.SequenceNumber) is missing"},
          {change_of("INSERT", R"("Keys":{},"SequenceNumber":"4")"), "its sequence number is below that of the record before it"},
          {change_of("TOUCH", R"("Keys":{},"SequenceNumber":"7")"), "its kind of change (eventName)"},
          {change_of("INSERT", R"("SequenceNumber":"7")"), "its keys (dynamodb.Keys) are missing"},
          {change_of("INSERT", R"("SequenceNumber":"7","Keys":[])"), "its keys (dynamodb.Keys) are missing"},
          {change_of("INSERT", R"("SequenceNumber":"7","Keys":{},"ApproximateCreationDateTime":{})"), "its time"},
          {R"({"eventSource":"aws:dynamodb","eventSourceARN":"arn:aws:dynamodb:us-east-1:1:table/t/stream/x","eventName":"INSERT","dynamodb":null})",
           "its sequence number (dynamodb.SequenceNumber) is missing"}}) {
    INFO(record);
    event const e = event_of({numbered("5"), record, numbered("9")});
    dynamodb_records records(e);
    CHECK(records.next().size() == 1);
    for (int i = 0; i != 2; ++i)
      fails_with(errc::malformed, [&] { records.next(); }, "table/t/stream/x", "aws:dynamodb, record 1 of 3", why);
  }
}

TEST_CASE("an image that is no item is refused where it is asked for", "[lambda][dynamodb]") {
  event const e = event_of({change_of("INSERT", R"("Keys":{"a":{"S":7}},"SequenceNumber":"7","NewImage":{"a":{"X":"1"}},"OldImage":[])")});
  dynamodb_records records(e);
  auto const some = records.next();
  REQUIRE(some.size() == 1);
  fails_with(errc::malformed, [&] { some[0].keys(); }, "lambda: cannot read the keys", "sequence number 7", "type S is no text");
  fails_with(errc::malformed, [&] { some[0].new_image(); }, "the new image", "unknown type, X");
  fails_with(errc::malformed, [&] { some[0].old_image(); }, "the old image", "no object");
}
