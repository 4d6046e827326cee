#include <weir/webhook/keyed_sink.hpp>

#include <weir/application.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/testing/faulty_source.hpp>
#include <weir/testing/faulty_store.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>
#include <weir/testing/simulation.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"
#include "support/keeping_in.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::fails_with;
using test::http_server;
using testing::script;

namespace {

webhook::keyed_sink<int> numbers(http_server const& server) {
  webhook::options o;
  o.url = server.url("/hook");
  o.http.connect_timeout = 1min;
  o.http.request_timeout = 5min;
  return {o, [](int x) { return "{\"n\":" + std::to_string(x) + '}'; }, [](int x) { return std::to_string(x); }};
}
void copy_into(http_server const& server, application& app, script<int> const& input) {
  app.use_source(std::make_shared<testing::faulty_source<int>>(input), [&](auto& pipeline) {
    pipeline.name("bars").use_sink("out", numbers(server)).use_stream([](stream<int> s, stream_context& context) -> task<> {
      while (int* const x = co_await s.next()) co_await context.sink<int>("out").write(*x);
    });
  });
}

}  // namespace

TEST_CASE("a row is a request, under a key of its own", "[webhook][sink]") {
  http_server const server;
  testing::run(numbers(server).write({1, 2})->write(checkpoint_key("app", "ticks", "0"), 1));
  testing::run(numbers(server).write({2})->write(checkpoint_key("app", "other ticks", "1"), 7));
  auto const seen = server.seen();
  REQUIRE(seen.size() == 3);
  CHECK(seen[0].body == "{\"n\":1}");
  CHECK(seen[0].headers.at("content-type") == "application/json");
  CHECK(seen[0].headers.at("idempotency-key") != seen[1].headers.at("idempotency-key"));
  CHECK(seen[1].headers.at("idempotency-key") == seen[2].headers.at("idempotency-key"));
}

TEST_CASE("wherever the process crashes, a receiver that drops known keys has each row once, in order", "[webhook][sink]") {
  std::size_t crashes = 0, repeated = 0;
  for (std::uint64_t step = 0;; ++step) {
    http_server const server;
    auto const kept = std::make_shared<memory_state_store>();
    auto const input = script<int>().elements({1, 2}).element(3).elements({4, 5});
    bool crashed = false;
    try {
      testing::simulation world;  // its own: what Asio has to do for a process ends with it
      world.crash_after(step);
      application app(test::keeping_in(std::make_shared<testing::faulty_store>(kept), 2));
      copy_into(server, app, input);
      world.run(app.serve());
    } catch (testing::crashed const&) {
      crashed = true;
      ++crashes;
    }
    application app(test::keeping_in(std::make_shared<testing::faulty_store>(kept), 2));
    copy_into(server, app, input);
    testing::run(app.serve());
    std::set<std::string> known;
    std::string rows;
    for (auto const& r : server.seen()) {
      if (known.insert(r.headers.at("idempotency-key")).second) rows += r.body;
      else ++repeated;
    }
    INFO("crash after step " << step);
    CHECK(rows == "{\"n\":1}{\"n\":2}{\"n\":3}{\"n\":4}{\"n\":5}");
    if (!crashed) break;
  }
  CHECK(crashes > 12);
  CHECK(repeated >= 3);
}

TEST_CASE("a row without an identity is refused", "[webhook][sink]") {
  http_server const server;
  webhook::options o;
  o.url = server.url("/");
  webhook::keyed_sink<int> const nameless(o, [](int) { return std::string("1"); }, [](int) { return std::string(); });
  fails_with(errc::malformed, [&] { (void)nameless.write({1}); }, "identity");
}
