#include <weir/lambda/batch_response.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <string>

using namespace weir;
using lambda::batch_response;
using test::fails_with;

// The forms of the AWS Lambda developer guide: "partial batch response" of Kinesis, SQS and Kafka, and the example of a tumbling window.

TEST_CASE("a batch that is done has no failures", "[lambda][response]") {
  CHECK(batch_response().json() == R"({"batchItemFailures":[]})");
  CHECK(batch_response().failures() == 0);
}

TEST_CASE("failures are named one by one", "[lambda][response]") {
  batch_response r;
  r.failed("49590338271490256608559692538361571095921575989136588898");
  CHECK(r.json() == R"({"batchItemFailures":[{"itemIdentifier":"49590338271490256608559692538361571095921575989136588898"}]})");
  r.failed("id2");
  r.failed("\"4\"");
  CHECK(r.json() ==
        R"({"batchItemFailures":[{"itemIdentifier":"49590338271490256608559692538361571095921575989136588898"},{"itemIdentifier":"id2"},)"
        R"({"itemIdentifier":"\"4\""}]})");
  CHECK(r.failures() == 3);
}

TEST_CASE("a failure of Kafka is a partition and an offset", "[lambda][response]") {
  batch_response r;
  r.failed("my-topic-0", 100).failed("my-topic-1", 0);
  CHECK(r.json() == R"({"batchItemFailures":[{"itemIdentifier":{"partition":"my-topic-0","offset":100}},)"
                    R"({"itemIdentifier":{"partition":"my-topic-1","offset":0}}]})");
}

TEST_CASE("a failure without a name is refused, which the service would take for all", "[lambda][response]") {
  batch_response r;
  fails_with(errc::misuse, [&] { r.failed(""); }, "it has no identifier");
  fails_with(errc::misuse, [&] { r.failed("", 7); }, "it has no identifier");
  CHECK(r.json() == R"({"batchItemFailures":[]})");
}

TEST_CASE("the state of a window is handed on as it is", "[lambda][response]") {
  batch_response r;
  r.state(R"({"1":282,"2":715})");
  CHECK(r.json() == R"({"state":{"1":282,"2":715},"batchItemFailures":[]})");
  r.failed("7");
  CHECK(r.json() == R"({"state":{"1":282,"2":715},"batchItemFailures":[{"itemIdentifier":"7"}]})");
  r.state("{}");
  CHECK(r.json() == R"({"state":{},"batchItemFailures":[{"itemIdentifier":"7"}]})");
}

TEST_CASE("a state that is no object, or too large, is refused", "[lambda][response]") {
  batch_response r;
  for (char const* const text : {"", "[]", "7", "{", R"({"a"})", R"({"a":tru})", "{}{}"}) {
    INFO(text);
    fails_with(errc::malformed, [&] { r.state(text); }, "cannot hand on the state of a window", "no JSON object");
  }
  std::string const most = R"({"a":")" + std::string(1'000'000 - 8, 'x') + "\"}";
  REQUIRE(most.size() == 1'000'000);
  r.state(most);
  fails_with(errc::too_large, [&] { r.state(most + " "); }, "it has 1000001 bytes, and may have 1000000");
  CHECK(r.json().size() == most.size() + std::string(R"({"state":,"batchItemFailures":[]})").size());
}
