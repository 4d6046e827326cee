// What is sent, and what is made of the answers. The requests are those of the API reference's operations.
#include <weir/dynamodb/client.hpp>
#include <weir/testing/run.hpp>

#include "support.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"

#include <string>
#include <vector>

using namespace weir;
using dynamodb::attribute_value;
using dynamodb::batch_write;
using dynamodb::client;
using dynamodb::item;
using test::dynamodb_at;
using test::fails_with;
using test::http_answer;
using test::http_server;

namespace {

http_answer ok(std::string const& body) { return http_answer::of(200, body); }
http_answer refusal(std::string const& code, std::string const& more = {}) {
  return http_answer::of(400, R"({"__type":"com.amazonaws.dynamodb.v20120810#)" + code + R"(","message":"said so")" + more + "}",
                         "x-amzn-RequestId: r-1\r\n");
}
item key_of(std::string const& text) { return {{"k", attribute_value::string(text)}}; }

}  // namespace

TEST_CASE("a request to DynamoDB names its operation and speaks JSON 1.0", "[dynamodb][client]") {
  http_server const server({ok(R"({"Item":{"k":{"S":"a"},"n":{"N":"7"}}})"), ok("{}")});
  client const c(dynamodb_at(server.url("")));
  auto const found = testing::run(c.get("leases", key_of("a")));
  REQUIRE(found);
  CHECK(found->at("n").as_unsigned() == 7);
  CHECK(testing::run(c.get("leases", key_of("b"))) == std::nullopt);
  auto const seen = server.seen();
  CHECK(seen.at(0).headers.at("x-amz-target") == "DynamoDB_20120810.GetItem");
  CHECK(seen.at(0).headers.at("content-type") == "application/x-amz-json-1.0");
  CHECK(seen.at(0).headers.at("authorization").find("/eu-west-1/dynamodb/aws4_request") != std::string::npos);
  CHECK(seen.at(0).body == R"({"TableName":"leases","Key":{"k":{"S":"a"}},"ConsistentRead":true})");
}

TEST_CASE("conditions, updates and deletions are sent as expressions", "[dynamodb][client]") {
  http_server const server({ok("{}"), ok("{}"), ok("{}")});
  client const c(dynamodb_at(server.url("")));
  dynamodb::put_request put("t", key_of("a"));
  put.condition = "attribute_not_exists(k)";
  CHECK(testing::run(c.put(put)).done);
  dynamodb::update_request update("t", key_of("a"));
  update.update = "SET #n = :n";
  update.with.name("#n", "n").value(":n", attribute_value::number(1));
  CHECK(testing::run(c.update(update)).done);
  dynamodb::delete_request erase("t", key_of("a"));
  erase.condition = "n = :n";
  erase.with.value(":n", attribute_value::number(1));
  CHECK(testing::run(c.erase(erase)).done);
  auto const seen = server.seen();
  CHECK(
      seen.at(0).body ==
      R"j({"TableName":"t","Item":{"k":{"S":"a"}},"ConditionExpression":"attribute_not_exists(k)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"})j");
  CHECK(
      seen.at(1).body ==
      R"({"TableName":"t","Key":{"k":{"S":"a"}},"UpdateExpression":"SET #n = :n","ExpressionAttributeNames":{"#n":"n"},"ExpressionAttributeValues":{":n":{"N":"1"}}})");
  CHECK(
      seen.at(2).body ==
      R"({"TableName":"t","Key":{"k":{"S":"a"}},"ConditionExpression":"n = :n","ReturnValuesOnConditionCheckFailure":"ALL_OLD","ExpressionAttributeValues":{":n":{"N":"1"}}})");
}

TEST_CASE("a condition that does not hold is an answer, with the item where it is given", "[dynamodb][client]") {
  http_server const server(
      {refusal("ConditionalCheckFailedException", R"(,"Item":{"k":{"S":"a"},"n":{"N":"9"}})"), refusal("ConditionalCheckFailedException")});
  client const c(dynamodb_at(server.url("")));
  dynamodb::update_request update("t", key_of("a"));
  update.condition = "n = :n";
  auto const told = testing::run(c.update(update));
  CHECK_FALSE(told.done);
  REQUIRE(told.found);
  CHECK(told.found->at("n").as_unsigned() == 9);
  auto const bare = testing::run(c.update(update));
  CHECK_FALSE(bare.done);
  CHECK(bare.found == std::nullopt);
  CHECK(server.seen().size() == 2);  // and is not tried again
}

TEST_CASE("errors of DynamoDB are told apart by their names", "[dynamodb][client]") {
  auto const fails = [](std::string const& code, errc as, std::size_t tries, std::string const& says = "said so") {
    INFO(code);
    http_server const server(std::vector<http_answer>(3, refusal(code)));
    client const c(dynamodb_at(server.url("")));
    fails_with(
        as, [&] { testing::run(c.put(dynamodb::put_request("bars", key_of("a")))); }, "dynamodb: PutItem failed", code + ": " + says,
        "table bars", "eu-west-1", "r-1");
    CHECK(server.seen().size() == tries);
  };
  fails("ProvisionedThroughputExceededException", errc::throttled, 3);
  fails("ThrottlingException", errc::throttled, 3);
  fails("RequestLimitExceeded", errc::throttled, 3);
  fails("InternalServerError", errc::unavailable, 3);
  fails("ResourceNotFoundException", errc::not_found, 1);
  fails("TransactionConflictException", errc::busy, 1);
  fails("ValidationException", errc::rejected, 1);
  fails("ItemCollectionSizeLimitExceededException", errc::rejected, 1);
  fails("AccessDeniedException", errc::access_denied, 1);
  http_server const server(
      {http_answer::of(400, R"({"__type":"x#ValidationException","message":"Item size has exceeded the maximum allowed size"})")});
  client const c(dynamodb_at(server.url("")));
  fails_with(errc::too_large, [&] { testing::run(c.put(dynamodb::put_request("bars", key_of("a")))); }, "maximum allowed size");
}

TEST_CASE("a table that exists, or does not, is an answer to who makes, deletes or describes it", "[dynamodb][client]") {
  http_server const server(
      {ok("{}"), refusal("ResourceInUseException"), refusal("ResourceNotFoundException"), refusal("ResourceNotFoundException"),
       ok(R"({"Table":{"TableName":"t","TableStatus":"ACTIVE","KeySchema":[{"AttributeName":"k","KeyType":"HASH"},)"
          R"({"AttributeName":"r","KeyType":"RANGE"}],"AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"},)"
          R"({"AttributeName":"r","AttributeType":"B"}]}})")});
  client const c(dynamodb_at(server.url("")));
  dynamodb::table_definition const t("t", dynamodb::key_attribute("k"), dynamodb::key_attribute("r", dynamodb::key_type::binary));
  CHECK(testing::run(c.create_table(t)));
  CHECK_FALSE(testing::run(c.create_table(t)));
  CHECK_FALSE(testing::run(c.delete_table("t")));
  CHECK(testing::run(c.describe_table("t")) == std::nullopt);
  auto const status = testing::run(c.describe_table("t"));
  REQUIRE(status);
  CHECK(status->usable());
  CHECK(status->hash.name == "k");
  CHECK(status->range.name == "r");
  CHECK(status->range.type == dynamodb::key_type::binary);
  CHECK(
      server.seen().at(0).body ==
      R"({"TableName":"t","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"k","KeyType":"HASH"},{"AttributeName":"r","KeyType":"RANGE"}],"AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"},{"AttributeName":"r","AttributeType":"B"}]})");
}

TEST_CASE("a table that is being made is waited for, and not for ever", "[dynamodb][client]") {
  auto const creating = ok(R"({"Table":{"TableName":"t","TableStatus":"CREATING"}})");
  http_server const server({refusal("ResourceNotFoundException"), creating, ok(R"({"Table":{"TableName":"t","TableStatus":"ACTIVE"}})"),
                            creating, creating, creating});
  client const c(dynamodb_at(server.url("")));
  CHECK(testing::run(c.wait_until_usable("t")).status == "ACTIVE");
  fails_with(errc::timed_out, [&] { testing::run(c.wait_until_usable("t", std::chrono::seconds(1))); }, "it is CREATING", "table t");
  CHECK(server.seen().size() == 6);
}

TEST_CASE("what a batch leaves undone is done with the next, and batches have 25 writes", "[dynamodb][client]") {
  http_server const server(
      {ok(R"({"UnprocessedItems":{"t":[{"DeleteRequest":{"Key":{"k":{"S":"1"}}}}]}})"), ok(R"({"UnprocessedItems":{}})")});
  client const c(dynamodb_at(server.url("")));
  std::vector<batch_write> writes{batch_write::put(key_of("0"))};
  for (int i = 1; i != 26; ++i) writes.push_back(batch_write::erase(key_of(std::to_string(i))));
  testing::run(c.write_all("t", writes));
  auto const seen = server.seen();
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].body.starts_with(
      R"({"RequestItems":{"t":[{"PutRequest":{"Item":{"k":{"S":"0"}}}},{"DeleteRequest":{"Key":{"k":{"S":"1"}}}},)"));
  CHECK(seen[1].body == R"({"RequestItems":{"t":[{"DeleteRequest":{"Key":{"k":{"S":"25"}}}},{"DeleteRequest":{"Key":{"k":{"S":"1"}}}}]}})");
}

TEST_CASE("what a batch leaves undone of another table than was written is no reply", "[dynamodb][client]") {
  http_server const server({ok(R"({"UnprocessedItems":{"u":[{"DeleteRequest":{"Key":{"k":{"S":"1"}}}}]}})")});
  client const c(dynamodb_at(server.url("")));
  fails_with(
      errc::malformed, [&] { testing::run(c.write_all("t", {batch_write::erase(key_of("1"))})); }, "a table that was not written, u");
}

TEST_CASE("a batch of which nothing is ever done is given up", "[dynamodb][client]") {
  auto const nothing = ok(R"({"UnprocessedItems":{"t":[{"DeleteRequest":{"Key":{"k":{"S":"1"}}}}]}})");
  http_server const server({nothing, nothing, nothing});
  client const c(dynamodb_at(server.url("")));
  fails_with(
      errc::throttled, [&] { testing::run(c.write_all("t", {batch_write::erase(key_of("1"))})); }, "nothing of it was processed", "table t",
      "after 3 tries");
  CHECK(server.seen().size() == 3);
}

TEST_CASE("a transaction is done, stands before a condition, or is tried again", "[dynamodb][client]") {
  http_server const server(
      {ok("{}"),
       refusal("TransactionCanceledException",
               R"(,"CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed","Message":"no","Item":{"k":{"S":"b"}}}])"),
       refusal("TransactionCanceledException",
               R"(,"CancellationReasons":[{"Code":"TransactionConflict","Message":"ongoing"},{"Code":"None"}])"),
       ok("{}")});
  client const c(dynamodb_at(server.url("")));
  dynamodb::put_request put("t", key_of("a"));
  dynamodb::condition_check check("t", key_of("b"), "attribute_exists(k)");
  std::vector<dynamodb::transaction_write> const both{put, check};
  CHECK(testing::run(c.transact(both, "token-1")).done);
  auto const refused = testing::run(c.transact(both, "token-2"));
  CHECK_FALSE(refused.done);
  REQUIRE(refused.reasons.size() == 2);
  CHECK(refused.reasons[0].code == "None");
  CHECK(refused.reasons[1].code == "ConditionalCheckFailed");
  REQUIRE(refused.reasons[1].found);
  CHECK(*refused.reasons[1].found->at("k").as_string() == "b");
  CHECK(testing::run(c.transact(both, "token-3")).done);
  auto const seen = server.seen();
  CHECK(
      seen.at(0).body ==
      R"j({"TransactItems":[{"Put":{"TableName":"t","Item":{"k":{"S":"a"}}}},{"ConditionCheck":{"TableName":"t","Key":{"k":{"S":"b"}},"ConditionExpression":"attribute_exists(k)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}],"ClientRequestToken":"token-1"})j");
  CHECK(seen.at(2).body == seen.at(3).body);  // by the same token
}

TEST_CASE("a reply of DynamoDB that was damaged on its way is asked for again", "[dynamodb][client]") {
  // 2745614147 is the CRC-32 of "{}" (python3 -c 'import zlib; print(zlib.crc32(b"{}"))').
  std::string const sum = "x-amz-crc32: 2745614147\r\n";
  http_server const server({http_answer::of(200, "{ ", sum), http_answer::of(200, "{}", sum)});
  client const c(dynamodb_at(server.url("")));
  CHECK(testing::run(c.get("t", key_of("a"))) == std::nullopt);
  CHECK(server.seen().size() == 2);
}
