// Against a server in this process that follows a script.
#include <weir/webhook/sink.hpp>

#include <weir/application.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/testing/faulty_store.hpp>
#include <weir/testing/run.hpp>
#include <weir/webhook/signer.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"
#include "support/keeping_in.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::fails_with;
using test::http_answer;
using test::http_server;
using testing::fault;
using testing::script;
using texts = std::vector<std::string>;
using then = test::http_answer::then;

namespace {

checkpoint_key const key("app/bars", "ticks", "0");

// Delays of exactly 1 s, 2 s, ..., patient with a busy machine.
webhook::options to(http_server const& server) {
  webhook::options o;
  o.url = server.url("/hook?secret");
  o.most_rows = 2;
  o.retry = retry_policy().attempts(3).first_delay(1s).blur(jitter::none);
  o.http.connect_timeout = 1min;
  o.http.request_timeout = 5min;
  return o;
}
webhook::sink<int> numbers(webhook::options o) {
  return {std::move(o), [](int x) { return std::to_string(x); }};
}
texts bodies(http_server const& server) {
  texts out;
  for (auto const& r : server.seen()) out.push_back(r.body);
  return out;
}
texts keys(http_server const& server) {
  texts out;
  for (auto const& r : server.seen()) out.push_back(r.headers.at("idempotency-key"));
  return out;
}
settings with(std::shared_ptr<state_store> store) {
  settings s = test::keeping_in(std::move(store), 3);
  s.name = "app";
  return s;
}
task<> copy(stream<int> s, stream_context& context) {
  while (int* const x = co_await s.next()) co_await context.sink<int>("out").write(*x);
}
void copy_to(webhook::sink<int> const& sink, std::shared_ptr<state_store> store, script<int> input) {
  application app(with(std::move(store)));
  app.use_memory_stream(std::move(input), [&](auto& pipeline) { pipeline.use_sink("out", sink).use_stream(copy); });
  testing::run(app.serve());
}

}  // namespace

TEST_CASE("the rows of a checkpoint are posted in batches, in order", "[webhook][sink]") {
  http_server const server;
  copy_to(numbers(to(server)), std::make_shared<memory_state_store>(), script<int>().elements({1, 2, 3}).elements({4, 5, 6}).element(7));
  CHECK(bodies(server) == texts{"[1,2]", "[3]", "[4,5]", "[6]", "[7]"});
  for (auto const& r : server.seen()) {
    CHECK(r.method == "POST");
    CHECK(r.target == "/hook?secret");
    CHECK(r.headers.at("content-type") == "application/json");
    CHECK_FALSE(r.headers.contains("webhook-signature"));
  }
  CHECK(server.connections() == 1);
}

TEST_CASE("rows may be sent as lines, with headers of one's own", "[webhook][sink]") {
  http_server const server;
  webhook::options o = to(server);
  o.form = webhook::body_form::lines;
  o.headers.add("Authorization", "Bearer abc");
  testing::run(numbers(o).write({1, 2})->write(key, 1));
  CHECK(bodies(server) == texts{"1\n2\n"});
  CHECK(server.seen().at(0).headers.at("content-type") == "application/x-ndjson");
  CHECK(server.seen().at(0).headers.at("authorization") == "Bearer abc");
}

TEST_CASE("a request is signed at the time of its try", "[webhook][sink]") {
  http_server const server({http_answer::of(500)});
  webhook::options o = to(server);
  o.secrets = {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};
  testing::run(numbers(o).write({1})->write(key, 1));
  auto const seen = server.seen();
  REQUIRE(seen.size() == 2);
  webhook::signer const same(o.secrets);
  for (auto const& r : seen) {
    CHECK(r.headers.at("webhook-id") == r.headers.at("idempotency-key"));
    std::int64_t const at = std::stoll(r.headers.at("webhook-timestamp"));
    CHECK(r.headers.at("webhook-signature") == same.sign(r.headers.at("webhook-id"), at, r.body));
  }
  CHECK(seen[0].headers.at("webhook-id") == seen[1].headers.at("webhook-id"));
  CHECK(std::stoll(seen[1].headers.at("webhook-timestamp")) == std::stoll(seen[0].headers.at("webhook-timestamp")) + 1);
}

TEST_CASE("what fails for a while is sent again, under the same key", "[webhook][sink]") {
  std::vector<http_answer> const failures{http_answer::of(500),
                                          http_answer::of(408),
                                          http_answer::of(425),
                                          http_answer::of(429),
                                          http_answer::of(503),
                                          http_answer::nothing(),
                                          http_answer::raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"),
                                          http_answer::raw("not HTTP\r\n\r\n")};
  for (http_answer const& failure : failures) {
    INFO(failure.bytes);
    http_server const server({failure, failure});
    testing::simulation world;
    instant const begin = world.clock().now();
    auto const w = numbers(to(server)).write({1, 2, 3});
    world.run(w->write(key, 1));
    CHECK(bodies(server) == texts{"[1,2]", "[1,2]", "[1,2]", "[3]"});
    auto const k = keys(server);
    CHECK(k[0] == k[1]);
    CHECK(k[1] == k[2]);
    CHECK(k[2] != k[3]);
    CHECK(world.clock().now() - begin == 3'000'000'000);  // 1 s and 2 s
  }
}

TEST_CASE("Retry-After is obeyed", "[webhook][sink]") {
  http_server const server({http_answer::of(429, "", "Retry-After: 60\r\n"), http_answer::of(503, "", "Retry-After: 86400\r\n")});
  testing::simulation world;
  instant const begin = world.clock().now();
  auto const w = numbers(to(server)).write({1});
  world.run(w->write(key, 1));
  CHECK(server.seen().size() == 3);
  CHECK(world.clock().now() - begin == 360'000'000'000);  // a minute, and the longest, five minutes
}

TEST_CASE("when tries are used up the commit fails, and the next one goes on behind what was taken", "[webhook][sink]") {
  http_server const server(
      {http_answer::of(200), http_answer::of(500, "down"), http_answer::of(500, "down"), http_answer::of(500, "down")});
  auto const w = numbers(to(server)).write({1, 2, 3});
  fails_with(errc::unavailable, [&] { testing::run(w->write(key, 1)); }, "status 500: down", "after 3 tries", server.url(""));
  testing::run(w->write(key, 1));
  CHECK(bodies(server) == texts{"[1,2]", "[3]", "[3]", "[3]", "[3]"});
  testing::run(w->write(key, 1));
  CHECK(server.seen().size() == 5);
}

TEST_CASE("a receiver that refuses is not asked again, and its URL not told", "[webhook][sink]") {
  http_server const server({http_answer::of(422, "no such bar"), http_answer::of(401), http_answer::of(404)});
  auto const sink = numbers(to(server));
  fails_with(errc::rejected, [&] { testing::run(sink.write({1})->write(key, 1)); }, "status 422: no such bar");
  fails_with(errc::access_denied, [&] { testing::run(sink.write({1})->write(key, 1)); }, "status 401");
  try {
    testing::run(sink.write({1})->write(key, 1));
    FAIL("nothing was thrown");
  } catch (error const& e) {
    CHECK(e.code() == errc::not_found);
    CHECK(std::string(e.what()).find("secret") == std::string::npos);
  }
  CHECK(server.seen().size() == 3);
}

TEST_CASE("a refused record becomes a dead letter, and the others arrive", "[webhook][sink][failures]") {
  http_server const server({}, {}, "3");
  std::vector<std::string> letters;
  application app(with(std::make_shared<memory_state_store>()));
  auto const policy = failure_policy().dead_letter_to([&](dead_letter const& l) { letters.push_back(l.payload); });
  app.use_memory_stream(script<int>().elements({1, 2, 3}).elements({4, 5}),
                        [&](auto& pipeline) { pipeline.use_sink("out", numbers(to(server))).on_failure(policy).use_stream(copy); });
  testing::run(app.serve());
  CHECK(letters == texts{"3"});
  std::string rows;
  for (auto const& r : server.seen())
    if (r.body.find('3') == std::string::npos) rows += r.body;
  for (char const* const row : {"1", "2", "4", "5"}) CHECK(rows.find(row) != std::string::npos);
}

TEST_CASE("rows that come again in the same batches have the same keys, and others never", "[webhook][sink]") {
  http_server const server;
  auto const kept = std::make_shared<memory_state_store>();
  // Both commits of the run fail: that of the stream, and the one at its end.
  auto const broken = std::make_shared<testing::faulty_store>(kept, testing::fault_script("commit").at(1, fault::fail).at(2, fault::fail));
  CHECK_THROWS_AS(copy_to(numbers(to(server)), broken, script<int>().elements({1, 2, 3})), error);
  copy_to(numbers(to(server)), kept, script<int>().elements({1, 2, 3}));
  CHECK(bodies(server) == texts{"[1,2]", "[3]", "[1,2]", "[3]"});
  auto const k = keys(server);
  CHECK(texts(k.begin(), k.begin() + 2) == texts(k.begin() + 2, k.end()));
  CHECK(k[0] != k[1]);
  // The same checkpoint, begun anew with other rows in it: a receiver that knows the key would drop what it has not.
  testing::run(numbers(to(server)).write({1, 2})->write(key, 1));
  testing::run(numbers(to(server)).write({1})->write(key, 1));
  auto const later = keys(server);
  CHECK(later.at(4) != later.at(5));
}

TEST_CASE("options out of range are refused when the sink is made", "[webhook][sink]") {
  http_server const server;
  auto const refused = [&](auto change, char const* why) {
    webhook::options o = to(server);
    change(o);
    fails_with(errc::invalid_option, [&] { (void)numbers(o); }, why);
  };
  refused([](webhook::options& o) { o.url = "example.com/hook"; }, "absolute URL");
  refused([](webhook::options& o) { o.most_rows = 0; }, "most_rows");
  refused([](webhook::options& o) { o.most_bytes = 0; }, "most_bytes");
  refused([](webhook::options& o) { o.longest_retry_after = -1ms; }, "longest_retry_after");
  refused([](webhook::options& o) { o.headers.add("content-type", "text/plain"); }, "Content-Type");
  refused([](webhook::options& o) { o.headers.add("Webhook-Id", "1"); }, "webhook-id");
  refused([](webhook::options& o) { o.secrets = {"whsec_"}; }, "secret");
  refused([](webhook::options& o) { o.http.request_timeout = 0ms; }, "request_timeout");
}
