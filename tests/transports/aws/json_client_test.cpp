#include <weir/aws/json_client.hpp>
#include <weir/aws/signing.hpp>
#include <weir/context.hpp>
#include <weir/instant.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"

#include <chrono>
#include <memory>
#include <string>

using namespace weir;
using namespace std::chrono_literals;
using test::fails_with;
using test::http_answer;
using test::http_server;

namespace {

// Others each time.
class counting final : public aws::credentials_source {
public:
  std::string_view kind() const noexcept override { return "test"; }
  task<std::optional<aws::credentials>> fetch() override { co_return aws::credentials("AKID" + std::to_string(++calls), "secret"); }
  int calls = 0;
};

aws::json_client client_of(http_server const& server, std::shared_ptr<counting> keys = std::make_shared<counting>()) {
  aws::json_client_options o;
  o.of = {"kinesis", "kinesis"};
  o.target = "Kinesis_20131202";
  o.content_type = "application/x-amz-json-1.1";
  o.where = {"eu-west-1", server.url("")};
  o.retry.policy = retry_policy().attempts(3).first_delay(1s).blur(jitter::none);
  return {o, aws::credentials_cache(std::move(keys))};
}
http_answer refusal(unsigned status, std::string const& code, std::string const& headers = {}) {
  return http_answer::of(status, "{\"__type\":\"" + code + "\",\"message\":\"said so\"}", headers + "x-amzn-RequestId: r-1\r\n");
}
std::string key_of(test::seen_request const& r) {
  std::string const text = r.headers.at("authorization");
  std::size_t const at = text.find("Credential=") + 11;
  return text.substr(at, text.find('/', at) - at);
}

}  // namespace

TEST_CASE("a call is a signed POST", "[aws][client]") {
  http_server const server({http_answer::of(200, "{\"ShardIterator\":\"x\"}")});
  CHECK(testing::run(client_of(server).call("GetShardIterator", "{}")) == "{\"ShardIterator\":\"x\"}");
  auto const seen = server.seen();
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].method == "POST");
  CHECK(seen[0].target == "/");
  CHECK(seen[0].body == "{}");
  CHECK(seen[0].headers.at("content-type") == "application/x-amz-json-1.1");
  CHECK(seen[0].headers.at("x-amz-target") == "Kinesis_20131202.GetShardIterator");
  CHECK(seen[0].headers.at("x-amz-date") == "20240101T000000Z");  // where virtual time begins
  // What a receiver would find: the signature of what it got.
  net::request same("POST", server.url("/"), seen[0].body);
  same.headers.add("Content-Type", seen[0].headers.at("content-type")).add("X-Amz-Target", seen[0].headers.at("x-amz-target"));
  aws::sign(same, {"AKID1", "secret"}, {"eu-west-1", "kinesis"}, to_instant(std::chrono::sys_days(std::chrono::January / 1 / 2024)));
  CHECK(seen[0].headers.at("authorization") == same.headers.find("Authorization"));
}

TEST_CASE("what may succeed later is tried again, signed for that time", "[aws][client]") {
  http_server const server({refusal(400, "ProvisionedThroughputExceededException"), http_answer::of(500)});
  CHECK(testing::run(client_of(server).call("GetRecords", "{}")) == "ok");
  auto const seen = server.seen();
  REQUIRE(seen.size() == 3);
  CHECK(seen[1].headers.at("x-amz-date") == "20240101T000001Z");
  CHECK(seen[2].headers.at("x-amz-date") == "20240101T000003Z");
}

TEST_CASE("what cannot succeed is not tried again, and says what was asked of whom", "[aws][client]") {
  http_server const server({refusal(400, "ResourceNotFoundException")});
  fails_with(
      errc::not_found, [&] { testing::run(client_of(server).call("ListShards", "{}")); }, "kinesis: ListShards failed",
      "ResourceNotFoundException: said so", "in eu-west-1", "r-1");
  CHECK(server.seen().size() == 1);
}

TEST_CASE("who asks gets a refusal for an answer where the same again would get the same", "[aws][client]") {
  http_server const server({refusal(400, "ResourceNotFoundException"), refusal(400, "ConditionalCheckFailedException"),
                            refusal(400, "ThrottlingException"), http_answer::of(200, "{}"), refusal(403, "AccessDeniedException")});
  aws::json_client const client = client_of(server);
  for (char const* const code : {"ResourceNotFoundException", "ConditionalCheckFailedException"}) {
    aws::json_answer const answer = testing::run(client.ask("GetItem", "{}"));
    REQUIRE(answer.refusal);
    CHECK(answer.refusal->code == code);
    CHECK(answer.body.find(code) != std::string::npos);
  }
  aws::json_answer const result = testing::run(client.ask("GetItem", "{}"));
  CHECK_FALSE(result.refusal);
  CHECK(result.body == "{}");
  fails_with(errc::access_denied, [&] { testing::run(client.ask("GetItem", "{}")); }, "AccessDeniedException");
  CHECK(server.seen().size() == 5);
}

TEST_CASE("a service that stays busy is given up", "[aws][client]") {
  http_server const server({refusal(400, "ThrottlingException"), refusal(400, "ThrottlingException"), refusal(400, "ThrottlingException")});
  fails_with(errc::throttled, [&] { testing::run(client_of(server).call("ListShards", "{}")); }, "after 3 tries");
  CHECK(server.seen().size() == 3);
}

TEST_CASE("a clock that is off is corrected, and the call made again at once", "[aws][client]") {
  std::string const date = "Date: Sun, 29 Nov 2026 12:00:00 GMT\r\n";
  http_server const server({refusal(403, "InvalidSignatureException", date)});
  aws::json_client const client = client_of(server);
  CHECK(testing::run(client.call("ListShards", "{}")) == "ok");
  CHECK(testing::run(client.call("ListShards", "{}")) == "ok");
  auto const seen = server.seen();
  REQUIRE(seen.size() == 3);
  for (std::size_t const i : {std::size_t{1}, std::size_t{2}}) CHECK(seen[i].headers.at("x-amz-date") == "20261129T120000Z");
}

TEST_CASE("a secret that is wrong is not taken for a clock that is", "[aws][client]") {
  std::string const date = "Date: Sun, 29 Nov 2026 12:00:00 GMT\r\n";
  http_server const server({refusal(403, "InvalidSignatureException", date), refusal(403, "InvalidSignatureException", date)});
  fails_with(errc::access_denied, [&] { testing::run(client_of(server).call("ListShards", "{}")); }, "access key");
  CHECK(server.seen().size() == 2);
}

TEST_CASE("credentials whose time is up are fetched anew, once", "[aws][client]") {
  auto const keys = std::make_shared<counting>();
  http_server const server({refusal(400, "ExpiredTokenException"), http_answer::of(200, "ok"), refusal(400, "ExpiredTokenException"),
                            refusal(400, "ExpiredTokenException")});
  aws::json_client const client = client_of(server, keys);
  CHECK(testing::run(client.call("ListShards", "{}")) == "ok");
  fails_with(errc::access_denied, [&] { testing::run(client.call("ListShards", "{}")); }, "new credentials");
  auto const seen = server.seen();
  REQUIRE(seen.size() == 4);
  CHECK(key_of(seen[0]) == "AKID1");
  CHECK(key_of(seen[1]) == "AKID2");
  CHECK(key_of(seen[3]) == "AKID3");
}

TEST_CASE("a reply that was damaged on its way counts as lost", "[aws][client]") {
  // 907060870 is the CRC-32 of "hello" (python3 -c 'import zlib; print(zlib.crc32(b"hello"))').
  http_server const server(
      {http_answer::of(200, "hellO", "x-amz-crc32: 907060870\r\n"), http_answer::of(200, "hello", "x-amz-crc32: 907060870\r\n")});
  CHECK(testing::run(client_of(server).call("GetItem", "{}")) == "hello");
  CHECK(server.seen().size() == 2);
}
