#include <weir/aws/service_error.hpp>

#include "support/catch.hpp"

#include <string>

using namespace weir;
using aws::service_error_kind;

namespace {

net::response answer(unsigned status, std::string body, std::string type = {}) {
  net::response r;
  r.status = status;
  r.body = std::move(body);
  if (!type.empty()) r.headers.add("x-amzn-ErrorType", std::move(type));
  r.headers.add("x-amzn-RequestId", "c0ffee");
  return r;
}
service_error_kind kind(unsigned status, std::string const& code) {
  return kind_of(aws::read_service_error(answer(status, "{\"__type\":\"" + code + "\"}")).value());
}

}  // namespace

TEST_CASE("an error is read from where services put it", "[aws][error]") {
  CHECK_FALSE(aws::read_service_error(answer(200, "{}")));
  // As kinesis-mock, kinesalite and AWS answer.
  auto e = aws::read_service_error(answer(
      400,
      R"({"__type":"ExpiredIteratorException","message":"The shard iterator has expired. Shard iterators are only valid for 300 seconds"})"));
  REQUIRE(e);
  CHECK(e->status == 400);
  CHECK(e->code == "ExpiredIteratorException");
  CHECK(e->message == "The shard iterator has expired. Shard iterators are only valid for 300 seconds");
  CHECK(e->request_id == "c0ffee");
  e = aws::read_service_error(
      answer(400, R"({"Message":"x \"y\"","__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"})"));
  CHECK(e->code == "ResourceNotFoundException");
  CHECK(e->message == "x \"y\"");
  e = aws::read_service_error(answer(403, "", "AccessDeniedException:http://internal.amazon.com/coral/"));
  CHECK(e->code == "AccessDeniedException");
  e = aws::read_service_error(answer(400, R"({"__type":"UnknownOperationException"})"));
  CHECK(e->code == "UnknownOperationException");
  CHECK(e->message.empty());
}

TEST_CASE("a body that is no JSON object has no code, and is no failure of ours", "[aws][error]") {
  for (char const* const body :
       {"", "<html>", "[1]", "{\"__type\":7,\"message\":null}", "{\"__type\"", "\"x\"", "{\"a\":{\"__type\":\"x\"}}"}) {
    CAPTURE(body);
    auto const e = aws::read_service_error(answer(500, body));
    REQUIRE(e);
    CHECK(e->code.empty());
    CHECK(kind_of(*e) == service_error_kind::transient);
  }
}

TEST_CASE("errors are told apart by their code, not by their status", "[aws][error]") {
  CHECK(kind(400, "ProvisionedThroughputExceededException") == service_error_kind::throttled);
  CHECK(kind(400, "LimitExceededException") == service_error_kind::throttled);
  CHECK(kind(429, "") == service_error_kind::throttled);
  CHECK(kind(400, "RequestTimeTooSkewed") == service_error_kind::clock);
  CHECK(kind(400, "ExpiredTokenException") == service_error_kind::expired_token);
  CHECK(kind(400, "UnrecognizedClientException") == service_error_kind::credentials);
  CHECK(kind(403, "InvalidSignatureException") == service_error_kind::credentials);
  CHECK(kind(400, "AccessDeniedException") == service_error_kind::forbidden);
  CHECK(kind(403, "") == service_error_kind::forbidden);
  CHECK(kind(400, "ResourceNotFoundException") == service_error_kind::not_found);
  CHECK(kind(500, "") == service_error_kind::transient);
  CHECK(kind(503, "Whatever") == service_error_kind::transient);
  CHECK(kind(400, "InternalFailure") == service_error_kind::transient);
  CHECK(kind(400, "ExpiredIteratorException") == service_error_kind::refused);
  CHECK(kind(400, "") == service_error_kind::refused);
}

TEST_CASE("an error says what the service said, and what to do", "[aws][error]") {
  error const e =
      to_error(*aws::read_service_error(answer(400, R"({"__type":"ResourceNotFoundException","message":"Stream ticks not found."})")),
               "kinesis: cannot list shards");
  CHECK(e.code() == errc::not_found);
  CHECK(e.request_id() == "c0ffee");
  CHECK(std::string(e.what()).find("kinesis: cannot list shards (") == 0);
  CHECK(std::string(e.what()).find("ResourceNotFoundException: Stream ticks not found.; correct the name, the region") !=
        std::string::npos);
  CHECK(to_error(*aws::read_service_error(answer(503, "")), "x").code() == condition::retryable);
  CHECK(to_error(*aws::read_service_error(answer(503, "")), "x").why() == "the service answers with status 503");
  CHECK(to_error(*aws::read_service_error(answer(400, "", "ThrottlingException")), "x").code() == condition::throttled);
}

TEST_CASE("of what should have been signed, which has the token of the session, an error says nothing", "[aws][error]") {
  // The form of "Troubleshooting AWS Signature Version 4 errors", IAM user guide.
  auto const e = aws::read_service_error(answer(
      403,
      R"({"__type":"InvalidSignatureException","message":"The request signature we calculated does not match the signature you provided.)"
      R"(\n\nThe Canonical String for this request should have been\n'POST\n/\n\nx-amz-security-token:FwoGZXIv\n'"})"));
  REQUIRE(e);
  std::string const what = to_error(*e, "kinesis: cannot list shards").what();
  CHECK(what.find("does not match the signature you provided.") != std::string::npos);
  CHECK(what.find("FwoGZXIv") == std::string::npos);
  CHECK(what.find("Canonical") == std::string::npos);
}
