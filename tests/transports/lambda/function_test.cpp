// A function over HTTP: the loop and its client, against a server in this process.
#include <weir/lambda/use_aws_lambda.hpp>

#include <weir/lambda/runtime_client.hpp>
#include <weir/sleep.hpp>
#include <weir/when_all.hpp>

#include "made_events.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"
#include "support/keeping_in.hpp"

#include <weir/testing/run.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::record;
using test::http_answer;
using test::http_server;
using test::kinesis_event;
using test::reports;
using texts = std::vector<std::string>;
using then = test::http_answer::then;

namespace {

http_answer handed_out(std::string const& id, std::string const& payload) {
  return http_answer::of(200, payload, "Lambda-Runtime-Aws-Request-Id: " + id + "\r\nLambda-Runtime-Deadline-Ms: 4102444800000\r\n");
}
http_answer accepted() { return http_answer::of(202, R"({"status":"OK"})"); }
// Behind it the process ends.
http_answer over() { return http_answer::of(500, R"({"errorType":"over"})"); }

lambda::options of(http_server const& server) {
  lambda::runtime_client_options o;
  o.address = "127.0.0.1:" + std::to_string(server.port());
  lambda::options out;
  out.service = std::make_shared<lambda::runtime_client>(o);
  return out;
}
auto writing_to(texts& done) {
  return [&done](auto& events) {
    events.use_kinesis_stream({}, [&done](auto& pipeline) {
      pipeline.use_stream([&done](stream<record> records, stream_context&) -> task<> {
        while (record const* const r = co_await records.next()) done.emplace_back(r->payload());
      });
    });
  };
}
texts posted(http_server const& server) {
  texts out;
  for (auto const& r : server.seen())
    if (r.method == "POST") out.push_back(r.target + " " + r.body);
  return out;
}

}  // namespace

TEST_CASE("a function answers over HTTP until it is told to end", "[lambda][function]") {
  http_server const server({handed_out("r1", kinesis_event({1, 2})), accepted(), handed_out("r2", R"({"key1":"value1"})"), accepted(),
                            handed_out("r3", kinesis_event({3})), accepted(), over()});
  texts done;
  application app(test::keeping_in(nullptr));
  app.use_aws_lambda(of(server), writing_to(done));
  test::fails_with(errc::unavailable, [&] { testing::run(app.serve()); }, "has to end");
  CHECK(done == texts{"1", "2", "3"});
  texts const said = posted(server);
  REQUIRE(said.size() == 3);
  CHECK(said[0] == "/2018-06-01/runtime/invocation/r1/response " + reports({}));
  CHECK(said[1].starts_with("/2018-06-01/runtime/invocation/r2/error {\"errorMessage\":"));
  CHECK(said[2] == "/2018-06-01/runtime/invocation/r3/response " + reports({}));
}

TEST_CASE("connections that are lost on the way make no effect twice", "[lambda][function]") {
  http_server const server({http_answer::nothing(), handed_out("r1", kinesis_event({1, 2})), http_answer::nothing(), accepted(),
                            http_answer::raw("HTTP/1.1 2"), handed_out("r2", kinesis_event({3})), http_answer::nothing(),
                            http_answer::of(403, R"({"errorType":"InvalidStateTransition"})"), over()});
  texts done;
  application app(test::keeping_in(nullptr));
  app.use_aws_lambda(of(server), writing_to(done));
  test::fails_with(errc::unavailable, [&] { testing::run(app.serve()); }, "has to end");
  CHECK(done == texts{"1", "2", "3"});
}

TEST_CASE("an answer that is refused ends the process before it takes another", "[lambda][function]") {
  http_server const server({handed_out("r1", kinesis_event({1})), http_answer::of(400, "no"), handed_out("r2", kinesis_event({2}))});
  texts done;
  application app(test::keeping_in(nullptr));
  app.use_aws_lambda(of(server), writing_to(done));
  test::fails_with(errc::rejected, [&] { testing::run(app.serve()); }, "cannot answer", "r1", "400");
  CHECK(done == texts{"1"});
}

TEST_CASE("a function that waits for an invocation ends when it is drained", "[lambda][function]") {
  http_server const server({http_answer::nothing(then::hold)});
  texts done;
  application app(test::keeping_in(nullptr));
  app.use_aws_lambda(of(server), writing_to(done));
  auto const stop = [](application& a) -> task<> {
    co_await sleep_for(1h);
    a.stop();
  };
  auto const both = [](application& a, task<> stopping) -> task<> { co_await when_all(a.serve(), std::move(stopping)); };
  testing::run(both(app, stop(app)));
  CHECK(done.empty());
  CHECK(server.seen().size() <= 1);
}
