#include <weir/status/detail/pages.hpp>

#include "support/catch.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using weir::status::detail::page;
using weir::status::detail::pages;
using weir::status::detail::request_head;

namespace {

request_head get(std::string target, std::string authorization = "") {
  request_head r;
  r.method = "GET";
  r.target = std::move(target);
  r.authorization = std::move(authorization);
  return r;
}

std::vector<pipeline_figures> one_pipeline() {
  std::vector<pipeline_figures> all(1);
  all[0].name = "bars";
  all[0].source = "ticks";
  all[0].guarantee = "ticks -> bars: effects exactly once";
  return all;
}

// A partition that has taken 17 records, and whose handler has had the last ones since second 5.
class running_application {
public:
  running_application() {
    status->begin(one_pipeline(), 1min);
    partition = std::make_shared<partition_status>("bars", "ticks", "shard \"3\"\xff");
    status->add(partition);
    status->connected("bars");
    partition_figures f;
    f.records = 17;
    f.frontier = "15";
    f.committed = "12";
    f.committed_at = 1'704'067'200'000'000'000;
    f.frontier_gap = 5;
    f.unread = 4;
    f.state.emplace_back("window", 1'000);
    partition_time t;
    t.watermark = 1'704'067'195'000'000'000;
    f.time.partitions.push_back(t);
    open_window w;
    w.operator_name = "window";
    w.start = 1'704'067'140'000'000'000;
    w.end = 1'704'067'200'000'000'000;
    w.keys = 2;
    w.elements = 9;
    f.time.windows.push_back(w);
    partition->show(f);
    partition->enter(partition_phase::handling, 5s);
  }
  std::shared_ptr<application_status> status = std::make_shared<application_status>("test");
  std::shared_ptr<partition_status> partition;
};

}  // namespace

TEST_CASE("health turns when a handler does not return, and says which", "[host][status]") {
  prometheus_metrics figures;
  pages all("", pages::names::any, figures);
  running_application const app;
  all.show(app.status);
  CHECK(all.answer(get("/healthz"), 65s).status == 200);
  CHECK(*all.answer(get("/healthz"), 65s).body == "ok\n");
  page const stalled = all.answer(get("/healthz"), 65s + 200ms);
  CHECK(stalled.status == 503);
  CHECK(stalled.body->find("stalled: pipeline bars, partition shard") == 0);
  CHECK(all.answer(get("/readyz"), 66s).status == 200);  // it is read
  app.status->draining();
  CHECK(all.answer(get("/readyz"), 67s).status == 503);
}

// Read by hand from the figures above.
TEST_CASE("pipelines are shown as JSON", "[host][status]") {
  prometheus_metrics figures;
  pages all("", pages::names::any, figures);
  running_application const app;
  all.show(app.status);
  page const p = all.answer(get("/pipeline?x=1"), 8s);
  CHECK(p.status == 200);
  CHECK(p.type == "application/json");
  CHECK(*p.body ==
        R"({"application":"test","ready":true,"healthy":true,"draining":false,"pipelines":[{"name":"bars","source":"ticks",)"
        R"("guarantee":"ticks -> bars: effects exactly once","connected":true,"failure":null,"partitions":[{"partition":"shard \"3\")"
        "\xEF\xBF\xBD"
        R"(","stream":"ticks","phase":"handling","phase_seconds":3E0,"stalled":false,"records":17,"unread":4,"idle":false,)"
        R"("frontier":"15","committed":"12","committed_at":"2024-01-01T00:00:00Z","frontier_gap":5,"waiting_bytes":0,)"
        R"("state_bytes":{"window":1000},"inputs":[{"name":null,"state":"reading","watermark":"2023-12-31T23:59:55Z",)"
        R"("highest_event_time":null,"since":null,"holds_the_others":true}],"windows":[{"operator":"window",)"
        R"("start":"2023-12-31T23:59:00Z","end":"2024-01-01T00:00:00Z","windows":1,"keys":2,"elements":9,"fired":false}],)"
        R"("failure":null}]}]})"
        "\n");
}

TEST_CASE("the sentences say what a window waits for", "[host][status]") {
  prometheus_metrics figures;
  pages all("", pages::names::any, figures);
  running_application const app;
  all.show(app.status);
  std::string const text = *all.answer(get("/explain"), 8s).body;
  INFO(text);
  CHECK(text.find("pipeline bars, partition shard \"3\"") != std::string::npos);
  CHECK(text.find("is open until the watermark reaches 2024-01-01T00:00:00Z") != std::string::npos);
}

TEST_CASE("figures are shown, and one answer is good for all who ask at a time", "[host][status]") {
  prometheus_metrics figures;
  pages all("", pages::names::any, figures);
  figures.set("x", 1);
  page const first = all.answer(get("/metrics"), 1s);
  CHECK(first.type == "text/plain; version=0.0.4; charset=utf-8");
  CHECK(first.body->find("weir_x 1\n") != std::string::npos);
  figures.set("x", 2);
  CHECK(all.answer(get("/metrics"), 1s + 50ms).body == first.body);
  CHECK(all.answer(get("/metrics"), 1s + 100ms).body->find("weir_x 2\n") != std::string::npos);
}

TEST_CASE("a browser gets a page that may run what comes from here, and nothing else", "[host][status]") {
  prometheus_metrics figures;
  pages all("secret", pages::names::any, figures);  // in files there is nothing to hide
  page const first = all.answer(get("/"), 1s);
  CHECK(first.status == 200);
  CHECK(first.type == "text/html; charset=utf-8");
  CHECK(first.body->find("<!doctype html>") == 0);
  std::string const head = first.head(page::connection::stays);
  CHECK(head.find("Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; ") !=
        std::string::npos);
  CHECK(head.find("frame-ancestors 'none'") != std::string::npos);
  page const script = all.answer(get("/page/main.js"), 1s);
  CHECK(script.type == "text/javascript; charset=utf-8");
  CHECK(all.answer(get("/page/../main.js"), 1s).status == 401);
  CHECK(all.answer(get("/metrics", "Bearer secret"), 1s).head(page::connection::stays).find("script-src") == std::string::npos);
}

TEST_CASE("a program adds pages of its own", "[host][status]") {
  prometheus_metrics figures;
  pages all("", pages::names::any, figures);
  status::own_page own;
  own.path = "/bars";
  own.type = "application/json";
  own.make = [](std::string_view query) {
    if (query == "bad") throw std::runtime_error("no such symbol");
    return "\"" + std::string(query) + "\"";
  };
  all.add(own);
  CHECK(*all.answer(get("/bars?A"), 1s).body == "\"A\"");
  CHECK(*all.answer(get("/bars?B"), 1s).body == "\"B\"");
  CHECK(*all.answer(get("/bars"), 1s).body == "\"\"");
  CHECK(all.answer(get("/bars?bad"), 1s).status == 500);
  CHECK(*all.answer(get("/bars?bad"), 1s).body == "it cannot be made: no such symbol\n");
  CHECK(all.answer(get("/nothing"), 1s).body->find("/bars\n") != std::string::npos);
}

TEST_CASE("with a token, only who has it sees more than yes or no", "[host][status]") {
  prometheus_metrics figures;
  pages all("secret", pages::names::any, figures);
  status::own_page own;
  own.path = "/own";
  own.type = "text/plain";
  own.make = [](std::string_view) { return "own"; };
  all.add(own);
  running_application const app;
  all.show(app.status);
  for (std::string const wrong : {"", "secret", "Bearer ", "Bearer secre", "Bearer secrets", "Bearer secretsecret", "Basic secret"}) {
    CAPTURE(wrong);
    for (std::string const path : {"/metrics", "/pipeline", "/events", "/explain", "/own", "/nothing"})
      CHECK(all.answer(get(path, wrong), 8s).status == 401);
    CHECK(*all.answer(get("/healthz", wrong), 90s).body == "not ok\n");
  }
  CHECK(all.answer(get("/pipeline", "Bearer secret"), 8s).status == 200);
  CHECK(all.answer(get("/healthz", "Bearer secret"), 90s).body->find("stalled") == 0);
  CHECK(all.answer(get("/metrics"), 8s).head(page::connection::closes).find("\r\nWWW-Authenticate: Bearer\r\n") != std::string::npos);
}

TEST_CASE("nothing but these pages is there, and nothing can be changed", "[host][status]") {
  prometheus_metrics figures;
  pages all("", pages::names::any, figures);
  for (std::string const path : {"/..", "/../etc/passwd", "/%2e%2e/etc/passwd", "//healthz", "/healthz/", "healthz", "", "*", "/Healthz"}) {
    CAPTURE(path);
    CHECK(all.answer(get(path), 1s).status == 404);
  }
  for (std::string const method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get"}) {
    CAPTURE(method);
    request_head r = get("/healthz");
    r.method = method;
    CHECK(all.answer(r, 1s).status == 405);
  }
  CHECK(all.answer(get("/healthz"), 1s).status == 503);  // no application runs
}

TEST_CASE("what listens to this machine alone is not asked for by names that others give", "[host][status]") {
  prometheus_metrics figures;
  pages local("", pages::names::local, figures), any("", pages::names::any, figures);
  auto const asked = [](pages& of, std::string host) {
    request_head r = get("/metrics");
    r.host = std::move(host);
    return of.answer(r, 1s).status;
  };
  for (std::string const host : {"", "localhost", "LocalHost:9464", "bars.localhost", "127.0.0.1:9464", "[::1]:9464"}) {
    CAPTURE(host);
    CHECK(asked(local, host) == 200);
  }
  for (std::string const host :
       {"evil.example", "evil.example:9464", "localhost.evil.example", "127.0.0.1.evil.example", "xn--localhost"}) {
    CAPTURE(host);
    CHECK(asked(local, host) == 421);
    CHECK(asked(any, host) == 200);
  }
}
