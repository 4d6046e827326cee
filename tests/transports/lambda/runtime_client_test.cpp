// Against a server in this process that follows a script.
#include <weir/lambda/runtime_client.hpp>

#include <weir/context.hpp>
#include <weir/log.hpp>
#include <weir/net/base64.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using lambda::function_error;
using lambda::invocation;
using lambda::runtime_client;
using test::fails_with;
using test::http_answer;
using test::http_server;
using then = test::http_answer::then;

namespace {

lambda::runtime_client_options at(http_server const& server) {
  lambda::runtime_client_options o;
  o.address = "127.0.0.1:" + std::to_string(server.port());
  return o;
}
http_answer invoked(std::string const& id, std::string const& payload, std::string const& more = "") {
  return http_answer::of(200, payload, "Lambda-Runtime-Aws-Request-Id: " + id + "\r\n" + more);
}
template <class T> T quietly(task<T> work) {
  testing::simulation world;
  world.log = logger(log_level::error, [](log_level, std::string_view) {});
  return world.run(std::move(work));
}

}  // namespace

TEST_CASE("an invocation has what the Runtime API's headers say", "[lambda][runtime]") {
  http_server const server(
      {invoked("8476a536-e9f4-11e8-9739-2dfe598c3fcd", R"({"Records":[]})",
               "Lambda-Runtime-Deadline-Ms: 1542409706888\r\n"
               "Lambda-Runtime-Invoked-Function-Arn: arn:aws:lambda:us-east-2:123456789012:function:custom-runtime\r\n"
               "Lambda-Runtime-Trace-Id: Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a9197af755a6419;Sampled=1\r\n"
               "Lambda-Runtime-Client-Context: {}\r\nLambda-Runtime-Cognito-Identity: {\"a\":1}\r\n"
               "Lambda-Runtime-Aws-Tenant-Id: t1\r\n")});
  runtime_client api(at(server));
  std::optional<invocation> const got = quietly(api.next());
  REQUIRE(got);
  CHECK(got->request_id == "8476a536-e9f4-11e8-9739-2dfe598c3fcd");
  CHECK(got->deadline == 1'542'409'706'888'000'000);
  CHECK(got->function_arn == "arn:aws:lambda:us-east-2:123456789012:function:custom-runtime");
  CHECK(got->trace_id == "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a9197af755a6419;Sampled=1");
  CHECK(got->client_context == "{}");
  CHECK(got->cognito_identity == R"({"a":1})");
  CHECK(got->tenant_id == "t1");
  CHECK(got->payload == R"({"Records":[]})");
  auto const seen = server.seen();
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].method == "GET");
  CHECK(seen[0].target == "/2018-06-01/runtime/invocation/next");
}

TEST_CASE("an invocation without a deadline has none, and neither has one with another text there", "[lambda][runtime]") {
  for (std::string const text : {"", "Lambda-Runtime-Deadline-Ms: soon\r\n", "Lambda-Runtime-Deadline-Ms: -5\r\n",
                                 "Lambda-Runtime-Deadline-Ms: 99999999999999999999\r\n"}) {
    INFO(text);
    http_server const server({invoked("1", "{}", text)});
    runtime_client api(at(server));
    CHECK_FALSE(quietly(api.next())->deadline);
  }
}

TEST_CASE("answers, failures and a failed start go where the Runtime API wants them", "[lambda][runtime]") {
  http_server const server({http_answer::of(202), http_answer::of(202), http_answer::of(202)});
  runtime_client api(at(server));
  quietly(api.respond("r1", R"({"batchItemFailures":[]})"));
  quietly(api.fail("r2", function_error("Weir.HandlerFailed", "it said \"no\"\n")));
  quietly(api.fail_init(function_error("Weir.StartFailed", "no database")));
  auto const seen = server.seen();
  REQUIRE(seen.size() == 3);
  CHECK(seen[0].method == "POST");
  CHECK(seen[0].target == "/2018-06-01/runtime/invocation/r1/response");
  CHECK(seen[0].body == R"({"batchItemFailures":[]})");
  CHECK_FALSE(seen[0].headers.contains("lambda-runtime-function-error-type"));
  CHECK(seen[1].target == "/2018-06-01/runtime/invocation/r2/error");
  CHECK(seen[1].headers.at("lambda-runtime-function-error-type") == "Weir.HandlerFailed");
  CHECK(seen[1].body == R"({"errorMessage":"it said \"no\"\u000a","errorType":"Weir.HandlerFailed","stackTrace":[]})");
  CHECK(seen[2].target == "/2018-06-01/runtime/init/error");
  CHECK(seen[2].headers.at("lambda-runtime-function-error-type") == "Weir.StartFailed");
}

TEST_CASE("a connection that is lost while it waits is made again", "[lambda][runtime]") {
  http_server const server({http_answer::nothing(), http_answer::raw("HTTP/1.1 200 OK\r\nContent-Le"), invoked("1", "{}")});
  runtime_client api(at(server));
  CHECK(quietly(api.next())->request_id == "1");
  CHECK(server.seen().size() == 3);
}

TEST_CASE("an answer whose connection is lost is sent again", "[lambda][runtime]") {
  http_server const server({http_answer::nothing(), http_answer::of(202)});
  runtime_client api(at(server));
  quietly(api.respond("r1", "{}"));
  auto const seen = server.seen();
  REQUIRE(seen.size() == 2);
  CHECK(seen[1].target == seen[0].target);
  CHECK(seen[1].body == seen[0].body);
}

TEST_CASE("an answer that had arrived when its connection was lost is not known any more", "[lambda][runtime]") {
  for (unsigned const status : {400U, 403U}) {
    http_server const server({http_answer::nothing(), http_answer::of(status, R"({"errorType":"InvalidRequestID"})")});
    runtime_client api(at(server));
    quietly(api.respond("r1", "{}"));
    CHECK(server.seen().size() == 2);
  }
}

TEST_CASE("what the Runtime API refuses is an error, and is not tried again", "[lambda][runtime]") {
  http_server const server({http_answer::of(403, R"({"errorType":"InvalidStateTransition"})"), http_answer::of(500),
                            http_answer::of(413, "too large"), http_answer::of(500), http_answer::of(403)});
  runtime_client api(at(server));
  fails_with(errc::rejected, [&] { quietly(api.next()); }, "take an invocation", "403", "InvalidStateTransition", "has to end");
  fails_with(errc::unavailable, [&] { quietly(api.next()); }, "500", "has to end");
  fails_with(errc::rejected, [&] { quietly(api.respond("r1", "{}")); }, "answer", "r1", "413", "too large");
  fails_with(errc::unavailable, [&] { quietly(api.fail("r1", {})); }, "report a failure", "r1", "500");
  fails_with(errc::rejected, [&] { quietly(api.fail_init({})); }, "cannot start", "403");
  CHECK(server.seen().size() == 5);
}

TEST_CASE("an answer of more than 6 MB is not sent", "[lambda][runtime]") {
  http_server const server;
  runtime_client api(at(server));
  fails_with(errc::too_large, [&] { quietly(api.respond("r1", std::string(6'291'457, 'x'))); }, "r1", "6291457", "6291456");
  CHECK(server.seen().empty());
  quietly(api.respond("r1", std::string(6'291'456, 'x')));
  CHECK(server.seen().size() == 1);
}

namespace {

stream<std::string_view> in_pieces(std::vector<std::string> all, std::string failing = {}) {
  for (std::string const& one : all) co_yield std::string_view(one);
  if (!failing.empty()) throw std::runtime_error(failing);
}

}  // namespace

// Source: "Building a custom runtime for AWS Lambda", response streaming, AWS Lambda developer guide.
TEST_CASE("an answer may be sent while it is made, and be larger than 6 MB", "[lambda][runtime]") {
  http_server const server({http_answer::of(202)});
  runtime_client api(at(server));
  std::vector<std::string> const parts(70, std::string(100'000, 'x'));
  quietly(api.respond("r1", lambda::streamed_answer(in_pieces(parts), "text/csv")));
  auto const seen = server.seen();
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].target == "/2018-06-01/runtime/invocation/r1/response");
  CHECK(seen[0].headers.at("lambda-runtime-function-response-mode") == "streaming");
  CHECK(seen[0].headers.at("transfer-encoding") == "chunked");
  CHECK(seen[0].headers.at("content-type") == "text/csv");
  CHECK_FALSE(seen[0].headers.contains("lambda-runtime-function-error-type"));
  bool const whole = seen[0].body == std::string(7'000'000, 'x');
  CHECK(whole);
}

TEST_CASE("an answer that fails half-way is told by trailers, and the function goes on", "[lambda][runtime]") {
  http_server const server({http_answer::of(202), invoked("2", "{}")});
  runtime_client api(at(server));
  quietly(api.respond("r1", lambda::streamed_answer(in_pieces({"a,b\n"}, "the cursor is closed"))));
  CHECK(quietly(api.next())->request_id == "2");
  auto const seen = server.seen().at(0);
  CHECK(seen.body == "a,b\n");
  CHECK(seen.headers.at("trailer") == "Lambda-Runtime-Function-Error-Type, Lambda-Runtime-Function-Error-Body");
  CHECK(seen.headers.at("lambda-runtime-function-error-type") == "Weir.AnswerFailed");
  CHECK(net::from_base64(seen.headers.at("lambda-runtime-function-error-body")) ==
        R"({"errorMessage":"the cursor is closed","errorType":"Weir.AnswerFailed","stackTrace":[]})");
}

TEST_CASE("a streamed answer whose connection is lost is not sent again, and the process ends", "[lambda][runtime]") {
  http_server const server({http_answer::nothing(), http_answer::of(413, "too large")});
  runtime_client api(at(server));
  auto const answer = [&] { quietly(api.respond("r1", lambda::streamed_answer(in_pieces({"a"})))); };
  fails_with(errc::unavailable, answer, "cannot answer", "r1", "after 1 try", "has to end");
  fails_with(errc::rejected, answer, "cannot answer", "r1", "413");
  CHECK(server.seen().size() == 2);
}

TEST_CASE("where nobody listens the process ends after some tries", "[lambda][runtime]") {
  std::string address;
  {
    http_server const gone;
    address = "127.0.0.1:" + std::to_string(gone.port());
  }
  lambda::runtime_client_options o;
  o.address = address;
  runtime_client api(o);
  fails_with(errc::unavailable, [&] { quietly(api.next()); }, "take an invocation", "after 5 tries", "has to end");
  fails_with(
      errc::unavailable, [&] { quietly(api.respond("r1", lambda::streamed_answer(in_pieces({"a"})))); }, "cannot answer", "after 5 tries");
}

TEST_CASE("a reply without a request id is none of the Runtime API's", "[lambda][runtime]") {
  http_server const server({http_answer::of(200, "{}")});
  runtime_client api(at(server));
  fails_with(errc::malformed, [&] { quietly(api.next()); }, "Lambda-Runtime-Aws-Request-Id");
}

TEST_CASE("outside of Lambda there is no Runtime API", "[lambda][runtime]") {
  fails_with(errc::invalid_option, [] { runtime_client api; }, "AWS_LAMBDA_RUNTIME_API is not set", "Runtime Interface Emulator");
}
