#include <local_lambda/runtime_api.hpp>

#include <weir/net/base64.hpp>

#include "support/catch.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

using namespace local_lambda;
using namespace std::chrono_literals;
using weir::net::request;
using weir::net::response;

namespace {

constexpr weir::instant now = 1'542'409'703'888'000'000;

std::optional<response> ask(runtime_api& api, std::string method, std::string const& path, std::string body = {}) {
  return api.take(request(std::move(method), "/2018-06-01/runtime/" + path, std::move(body)), now);
}
unsigned status_of(std::optional<response> const& r) { return r ? r->status : 0; }
// The id of an invocation that the function has taken.
std::string taken(runtime_api& api) {
  api.invoke("{}", 3s);
  return std::string(ask(api, "GET", "invocation/next")->headers.find("Lambda-Runtime-Aws-Request-Id").value());
}

}  // namespace

// Statuses and types of errors: those of the Runtime Interface Emulator, and of "Using the Lambda runtime API for custom runtimes".
TEST_CASE("the next invocation waits, and is then handed out with its deadline") {
  runtime_api api;
  CHECK_FALSE(ask(api, "GET", "invocation/next"));
  api.invoke(R"({"Records":[]})", 3s);
  CHECK_FALSE(api.begun());
  auto const got = ask(api, "GET", "invocation/next");
  REQUIRE(got);
  CHECK(got->status == 200);
  CHECK(got->body == R"({"Records":[]})");
  CHECK(got->headers.find("Lambda-Runtime-Deadline-Ms") == "1542409706888");
  CHECK(got->headers.find("Lambda-Runtime-Invoked-Function-Arn")->starts_with("arn:aws:lambda:"));
  CHECK(got->headers.find("Lambda-Runtime-Trace-Id")->starts_with("Root=1-5bef4de7-"));
  CHECK(api.begun() == now);
  CHECK(status_of(ask(api, "GET", "invocation/next")) == 403);
}

TEST_CASE("an invocation ends once, by an answer or an error") {
  runtime_api api;
  std::string const first = taken(api);
  CHECK(status_of(ask(api, "POST", "invocation/" + first + "/response", "{}")) == 202);
  REQUIRE(api.end());
  CHECK(api.end()->succeeded);
  CHECK(api.end()->answer == "{}");
  CHECK(status_of(ask(api, "POST", "invocation/" + first + "/response", "{}")) == 403);
  std::string const second = taken(api);
  CHECK(status_of(ask(api, "POST", "invocation/" + first + "/response", "{}")) == 400);
  CHECK_FALSE(api.end());
  request failing("POST", "/2018-06-01/runtime/invocation/" + second + "/error", "{\"errorMessage\":\"no\"}");
  failing.headers.add("Lambda-Runtime-Function-Error-Type", "Weir.HandlerFailed");
  CHECK(status_of(api.take(failing, now)) == 202);
  CHECK_FALSE(api.end()->succeeded);
  CHECK(api.end()->failure == "Weir.HandlerFailed: {\"errorMessage\":\"no\"}");
}

TEST_CASE("an answer of more than 6 MB fails the invocation unless it is streamed") {
  runtime_api api;
  std::string const large(runtime_api::most_answer + 1, 'x');
  CHECK(status_of(ask(api, "POST", "invocation/" + taken(api) + "/response", large)) == 413);
  CHECK(api.end()->failure.starts_with("Function.ResponseSizeTooLarge"));
  request streamed("POST", "/2018-06-01/runtime/invocation/" + taken(api) + "/response", large);
  streamed.headers.add("Lambda-Runtime-Function-Response-Mode", "streaming");
  CHECK(status_of(api.take(streamed, now)) == 202);
  CHECK(api.end()->succeeded);
  CHECK(api.end()->answer == large);
}

TEST_CASE("a streamed answer that broke off has failed, as its trailers say") {
  runtime_api api;
  request streamed("POST", "/2018-06-01/runtime/invocation/" + taken(api) + "/response", "half");
  streamed.headers.add("Lambda-Runtime-Function-Response-Mode", "streaming");
  streamed.headers.add("Lambda-Runtime-Function-Error-Type", "Weir.AnswerFailed");
  streamed.headers.add("Lambda-Runtime-Function-Error-Body", weir::net::to_base64("{\"errorMessage\":\"closed\"}"));
  CHECK(status_of(api.take(streamed, now)) == 202);
  CHECK_FALSE(api.end()->succeeded);
  CHECK(api.end()->answer == "half");
  CHECK(api.end()->failure == "Weir.AnswerFailed: {\"errorMessage\":\"closed\"}");
  request odd("POST", "/2018-06-01/runtime/invocation/" + taken(api) + "/response", "x");
  odd.headers.add("Lambda-Runtime-Function-Response-Mode", "buffered");
  CHECK(status_of(api.take(odd, now)) == 400);
}

TEST_CASE("a start fails before the first invocation is asked for, or not at all") {
  runtime_api api;
  api.invoke("{}", 3s);
  CHECK(status_of(ask(api, "POST", "init/error", "no database")) == 202);
  CHECK(api.start_failed());
  CHECK(api.end()->failure == "Error: no database");
  std::size_t const first = api.process();
  api.restart();
  CHECK(api.process() != first);
  CHECK_FALSE(api.start_failed());
  (void)taken(api);
  CHECK(status_of(ask(api, "POST", "init/error")) == 403);
  CHECK(status_of(ask(api, "GET", "init/error")) == 404);
  CHECK(status_of(api.take(request("GET", "/"), now)) == 404);
}
