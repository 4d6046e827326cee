// Against a server of nghttp2 in this process.
#include <weir/net/http2_client.hpp>

#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/sleep.hpp>
#include <weir/spawn.hpp>
#include <weir/testing/run.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/h2_server.hpp"
#include "support/http_server.hpp"
#include "support/temporary_folder.hpp"
#include "support/tunnel_proxy.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <nghttp2/nghttp2.h>

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using net::http2_client;
using net::request;
using net::streamed_response;
using test::certificate;
using test::fails_with;
using test::h2_id;
using test::h2_request;
using test::h2_server;

namespace {

net::http2_options patient() {
  net::http2_options o;
  o.http.connect_timeout = o.http.tls_timeout = 1min;
  o.http.request_timeout = 5min;
  o.http.proxies_from = nullptr;
  o.ping_after = o.ping_timeout = 5min;
  return o;
}

// Trusts a certificate.
class h2_trust {
public:
  explicit h2_trust(certificate const& c) { folder_.write("ca.pem", c.chain); }
  net::http2_options options() const {
    net::http2_options o = patient();
    o.http.ca_file = folder_.file("ca.pem");
    return o;
  }

private:
  test::temporary_folder folder_;
};

task<std::string> whole(streamed_response answer) {
  std::string out;
  while (std::string_view const* piece = co_await answer.body.next()) out += *piece;
  co_return out;
}
task<std::string> ask_whole(http2_client client, request r) {
  task<streamed_response> asking = client.send(std::move(r));
  streamed_response answer = co_await std::move(asking);
  task<std::string> reading = whole(std::move(answer));
  co_return co_await std::move(reading);
}
std::string ask(http2_client const& client, request r) { return testing::run(ask_whole(client, std::move(r))); }
request get(h2_server const& from, std::string const& path = "/") { return {"GET", from.url(path)}; }

// Until it holds, while the event loop goes on.
template <class F> task<> until(F holds) {
  for (auto const end = std::chrono::steady_clock::now() + 30s; !holds() && std::chrono::steady_clock::now() < end;) {
    co_await sleep_for(1ms);  // virtual
    std::this_thread::yield();
  }
  CHECK(holds());
}

void echo(h2_server& server, h2_request const& r) { server.answer(r.id, 200, "to " + r.headers.at(":path")); }

}  // namespace

TEST_CASE("a request arrives over HTTP/2 as it was made, and so does its answer", "[net][h2]") {
  h2_server server([](h2_server& s, h2_request const& r) { s.answer(r.id, 201, "made", {{"x-kind", "a"}, {"x-kind", "b"}}); });
  http2_client const client(patient());
  request r("POST", server.url("/hook?x=%201#there"), R"({"ok":true})");
  r.headers.add("Content-Type", "application/json");
  auto const run = [](http2_client c, request q) -> task<> {
    task<streamed_response> asking = c.send(std::move(q));
    streamed_response answer = co_await std::move(asking);
    CHECK(answer.status == 201);
    CHECK(answer.headers.find("X-Kind") == "a");
    CHECK(answer.headers.size() == 2);
    std::string const body = co_await whole(std::move(answer));
    CHECK(body == "made");
    CHECK(c.connections() <= 1);
  };
  testing::run(run(client, r));
  h2_request const seen = server.seen().at(0);
  CHECK(seen.body == R"({"ok":true})");
  CHECK(seen.headers == std::map<std::string, std::string>{{":method", "POST"},
                                                           {":scheme", "http"},
                                                           {":authority", "127.0.0.1:" + std::to_string(server.port())},
                                                           {":path", "/hook?x=%201"},
                                                           {"content-type", "application/json"},
                                                           {"content-length", "11"},
                                                           {"user-agent", "weir"}});
}

TEST_CASE("requests of one strand share a connection, which ends with the last of them", "[net][h2]") {
  h2_server server(echo);
  http2_client const client(patient());
  auto const run = [](http2_client c, h2_server& s) -> task<> {
    std::vector<task<std::string>> asking;
    for (int i = 0; i != 20; ++i) asking.push_back(ask_whole(c, get(s, "/" + std::to_string(i))));
    std::vector<std::string> const got = co_await when_all(std::move(asking));
    for (int i = 0; i != 20; ++i) CHECK(got.at(static_cast<std::size_t>(i)) == "to /" + std::to_string(i));
  };
  testing::run(run(client, server));
  CHECK(server.connections() == 1);
  CHECK(server.wait([&] { return server.is_over(0); }));
  CHECK(server.early_goodbyes() == 0);
}

TEST_CASE("where a connection takes no more requests, there is another one", "[net][h2]") {
  h2_server::options o;
  o.most_streams = 3;
  h2_server server([](h2_server& s, h2_request const& r) { s.head(r.id, 200); }, o);
  auto const run = [](http2_client c, h2_server& s) -> task<> {
    std::vector<streamed_response> held;
    for (int i = 0; i != 7; ++i) {
      task<streamed_response> asking = c.send(get(s));
      held.push_back(co_await std::move(asking));
    }
    CHECK(s.connections() == 3);
    CHECK(c.connections() == 3);
  };
  testing::run(run(http2_client(patient()), server));
}

// A strand that outlives its event loop is freed into what is gone: sanitizers see it.
TEST_CASE("a client over HTTP/2 may outlive the event loops that it was used on", "[net][h2]") {
  h2_server server(echo);
  http2_client const client(patient());
  for (int i = 0; i != 2; ++i) {
    boost::asio::io_context loop;
    std::string body;
    spawn(boost::asio::make_strand(loop), ask_whole(client, get(server, "/a")), [&](std::exception_ptr, std::string got) { body = got; });
    loop.run();
    CHECK(body == "to /a");
  }
  CHECK(client.connections() == 0);
}

TEST_CASE("a server sends no more than the window ahead of who takes it, and nothing is lost", "[net][h2]") {
  static constexpr std::size_t window = 100'000, size = 1'000'000;
  std::string body;
  while (body.size() < size) body += std::to_string(body.size()) + ',';
  h2_server server([&](h2_server& s, h2_request const& r) { s.answer(r.id, 200, body); });
  net::http2_options o = patient();
  o.window = window;
  auto const run = [](http2_client c, h2_server& s) -> task<std::string> {
    task<streamed_response> asking = c.send(get(s));
    streamed_response answer = co_await std::move(asking);
    h2_id const id = s.seen().at(0).id;
    std::string got;
    auto const full = [&] { return s.sent(id) >= window; };
    co_await until(full);
    CHECK(s.sent(id) == window);
    while (std::string_view const* piece = co_await answer.body.next()) {
      got += *piece;
      if (s.sent(id) > got.size() + window) FAIL("it has sent ahead");
    }
    co_return got;
  };
  CHECK(testing::run(run(http2_client(o), server)) == body);
}

TEST_CASE("a reply that is dropped half-way is reset, and those beside it go on", "[net][h2]") {
  h2_server server([](h2_server& s, h2_request const& r) {
    s.head(r.id, 200);
    s.send(r.id, "first");
  });
  auto const run = [](http2_client c, h2_server& s) -> task<> {
    task<streamed_response> asking = c.send(get(s));
    streamed_response kept = co_await std::move(asking);
    {
      task<streamed_response> other = c.send(get(s));
      streamed_response dropped = co_await std::move(other);
      std::string_view const* piece = co_await dropped.body.next();
      CHECK(*piece == "first");
    }
    std::vector<h2_request> const seen = s.seen();
    auto const was_reset = [&] { return s.was_reset(seen.at(1).id).has_value(); };
    co_await until(was_reset);
    CHECK(s.was_reset(seen.at(1).id) == NGHTTP2_CANCEL);
    s.send(seen.at(0).id, " and last");
    s.end(seen.at(0).id);
    std::string const body = co_await whole(std::move(kept));
    CHECK(body == "first and last");
    CHECK(s.early_goodbyes() == 0);
  };
  testing::run(run(http2_client(patient()), server));
}

TEST_CASE("a cancelled request over HTTP/2 ends at once, and is reset", "[net][h2]") {
  h2_server server([](h2_server& s, h2_request const& r) {
    if (r.headers.at(":path") == "/head") s.head(r.id, 200);
  });
  auto const run = [](http2_client c, h2_server& s) -> task<> {
    task<streamed_response> asking = c.send(get(s, "/head"));
    streamed_response const keeps = co_await std::move(asking);
    context& own = co_await current_context();
    context branch(own);
    auto const stop = [&]() -> task<> {
      auto const arrived = [&s] { return s.seen().size() == 2; };
      co_await until(arrived);
      branch.cancel();
    };
    auto const silent = [&]() -> task<bool> {
      try {
        task<streamed_response> never = c.send(get(s, "/never"));
        (void)co_await std::move(never).under(branch);
      } catch (error const& e) {
        co_return e.code() == condition::cancelled;
      }
      co_return false;
    };
    auto const [ended, done] = co_await when_all(silent(), stop());
    CHECK(ended);
    auto const was_reset = [&s] { return s.was_reset(s.seen().at(1).id).has_value(); };
    co_await until(was_reset);
  };
  testing::run(run(http2_client(patient()), server));
}

TEST_CASE("a body that is reset half-way fails behind what came", "[net][h2]") {
  h2_server server([](h2_server& s, h2_request const& r) {
    s.head(r.id, 200);
    s.send(r.id, "half");
  });
  auto const run = [](http2_client c, h2_server& s) -> task<> {
    task<streamed_response> asking = c.send(get(s));
    streamed_response answer = co_await std::move(asking);
    std::string_view const* piece = co_await answer.body.next();
    CHECK(*piece == "half");
    s.reset(s.seen().at(0).id, NGHTTP2_INTERNAL_ERROR);
    (void)co_await answer.body.next();
  };
  fails_with(
      errc::unavailable, [&] { testing::run(run(http2_client(patient()), server)); }, "http: no whole reply", server.url(""),
      "the stream was reset (INTERNAL_ERROR)");
}

TEST_CASE("a connection that is lost fails all that is under way on it", "[net][h2]") {
  h2_server server([](h2_server& s, h2_request const& r) { s.head(r.id, 200); });
  auto const run = [](http2_client c, h2_server& s) -> task<> {
    task<streamed_response> asking = c.send(get(s));
    streamed_response answer = co_await std::move(asking);
    s.drop(0);
    (void)co_await answer.body.next();
  };
  fails_with(errc::unavailable, [&] { testing::run(run(http2_client(patient()), server)); }, "http: no whole reply", "connection");
}

TEST_CASE("what a server has not looked at is sent again, once", "[net][h2]") {
  SECTION("refused streams") {
    h2_server server([](h2_server& s, h2_request const& r) {
      if (s.seen().size() == 1) s.reset(r.id, NGHTTP2_REFUSED_STREAM);
      else echo(s, r);
    });
    CHECK(ask(http2_client(patient()), get(server, "/a")) == "to /a");
    CHECK(server.seen().size() == 2);
  }
  SECTION("before a GOAWAY") {
    h2_server server([](h2_server& s, h2_request const& r) {
      if (s.seen().size() == 1) s.go_away(r.id.connection, 0);
      else echo(s, r);
    });
    CHECK(ask(http2_client(patient()), get(server, "/a")) == "to /a");
    CHECK(server.connections() == 2);
  }
  SECTION("for ever: an error") {
    h2_server server([](h2_server& s, h2_request const& r) { s.reset(r.id, NGHTTP2_REFUSED_STREAM); });
    fails_with(errc::unavailable, [&] { (void)ask(http2_client(patient()), get(server)); }, "http: no reply", "REFUSED_STREAM");
    CHECK(server.seen().size() == 2);
  }
}

TEST_CASE("a body goes on behind a GOAWAY, and the next request has another connection", "[net][h2]") {
  h2_server server([](h2_server& s, h2_request const& r) {
    if (s.seen().size() != 1) return echo(s, r);
    s.head(r.id, 200);
    s.go_away(r.id.connection, r.id.stream);
    s.send(r.id, "before");
  });
  auto const run = [](http2_client c, h2_server& s) -> task<> {
    task<streamed_response> asking = c.send(get(s));
    streamed_response answer = co_await std::move(asking);
    std::string_view const* piece = co_await answer.body.next();
    CHECK(*piece == "before");
    std::string const other = co_await ask_whole(c, get(s, "/b"));
    CHECK(other == "to /b");
    CHECK(s.connections() == 2);
    h2_id const id = s.seen().at(0).id;
    s.send(id, ", behind");
    s.end(id);
    std::string const rest = co_await whole(std::move(answer));
    CHECK(rest == ", behind");
  };
  testing::run(run(http2_client(patient()), server));
}

TEST_CASE("a server that vanishes is noticed, since it is asked", "[net][h2]") {
  h2_server::options o;
  o.answers_pings = false;
  h2_server server([](h2_server& s, h2_request const& r) { s.head(r.id, 200); }, o);
  net::http2_options quick = patient();
  quick.ping_after = 20ms;
  quick.ping_timeout = 20ms;
  auto const run = [](http2_client c, h2_server& s) -> task<> {
    task<streamed_response> asking = c.send(get(s));
    streamed_response answer = co_await std::move(asking);
    (void)co_await answer.body.next();
  };
  fails_with(errc::unavailable, [&] { testing::run(run(http2_client(quick), server)); }, "does not answer any more (PING)");
  CHECK(server.pings() == 1);
}

TEST_CASE("a server that answers PINGs may be silent for as long as it likes", "[net][h2]") {
  h2_server server([](h2_server& s, h2_request const& r) { s.head(r.id, 200); });
  net::http2_options quick = patient();
  quick.ping_after = 5ms;
  quick.ping_timeout = 1min;
  auto const run = [](http2_client c, h2_server& s) -> task<std::string> {
    task<streamed_response> asking = c.send(get(s));
    streamed_response answer = co_await std::move(asking);
    std::thread late([&s] {
      (void)s.wait([&s] { return s.pings() >= 5; });
      s.end(s.seen().at(0).id);
    });
    task<std::string> reading = whole(std::move(answer));
    std::string const out = co_await std::move(reading);
    late.join();
    co_return out;
  };
  CHECK(testing::run(run(http2_client(quick), server)).empty());
}

TEST_CASE("the head of a reply has to come in time, its body has not", "[net][h2]") {
  h2_server server([](h2_server&, h2_request const&) {});
  net::http2_options o = patient();
  o.http.request_timeout = 30ms;
  fails_with(errc::timed_out, [&] { (void)ask(http2_client(o), get(server)); }, "http: no reply", "request_timeout", server.url(""));
}

TEST_CASE("over TLS both agree to HTTP/2, and the server proves its name", "[net][h2][tls]") {
  certificate const c("DNS:localhost");
  h2_trust const us(c);
  h2_server::options o;
  o.secure = c;
  SECTION("they do") {
    h2_server server(echo, o);
    CHECK(ask(http2_client(us.options()), request("GET", server.url("/s", "localhost"))) == "to /s");
  }
  SECTION("it is somebody else") {
    h2_server server(echo, o);
    fails_with(errc::access_denied, [&] { (void)ask(http2_client(us.options()), get(server)); }, "certificate is not trusted");
    fails_with(
        errc::access_denied, [&] { (void)ask(http2_client(patient()), request("GET", server.url("/", "localhost"))); },
        "certificate is not trusted");
  }
  SECTION("it speaks HTTP/1.1 only") {
    o.protocol = "http/1.1";
    h2_server server(echo, o);
    fails_with(
        errc::incompatible, [&] { (void)ask(http2_client(us.options()), request("GET", server.url("/", "localhost"))); },
        "does not speak HTTP/2");
  }
  SECTION("it knows nothing of such agreements") {
    test::http_server old({}, c);
    fails_with(
        errc::incompatible, [&] { (void)ask(http2_client(us.options()), request("GET", old.url("/", "localhost"))); },
        "does not speak HTTP/2");
  }
  SECTION("through a proxy") {
    test::tunnel_proxy const proxy;
    h2_server server(echo, o);
    net::http2_options through = us.options();
    through.http.proxy = "http://127.0.0.1:" + std::to_string(proxy.port());
    CHECK(ask(http2_client(through), request("GET", server.url("/p", "localhost"))) == "to /p");
    CHECK(proxy.seen().size() == 1);
  }
}

TEST_CASE("without TLS a server of HTTP/1.1 is told from one of HTTP/2", "[net][h2]") {
  h2_server::options o;
  o.greeting = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
  h2_server server(echo, o);
  fails_with(
      errc::incompatible, [&] { (void)ask(http2_client(patient()), get(server)); }, "the server does not speak HTTP/2 there",
      server.url(""));
}

TEST_CASE("nobody listens where HTTP/2 should be spoken", "[net][h2]") {
  std::string url;
  {
    h2_server const gone(echo);
    url = gone.url();
  }
  try {
    (void)ask(http2_client(patient()), request("GET", url));
    FAIL("it was connected");
  } catch (error const& e) {
    CHECK(e.code() == std::errc::connection_refused);
  }
}

TEST_CASE("what cannot be sent over HTTP/2 is refused before it is", "[net][h2]") {
  http2_client const client(patient());
  request r("GET", "http://127.0.0.1:1/");
  r.headers.add("Connection", "close");
  fails_with(errc::invalid_option, [&] { (void)ask(client, r); }, "Connection", "the client's own");
  fails_with(errc::invalid_option, [&] { (void)ask(client, request("GET", "nowhere")); });
  net::http2_options o = patient();
  o.window = 65'534;
  fails_with(errc::invalid_option, [&] { http2_client const c(o); }, "window");
  o = patient();
  o.ping_timeout = 0ms;
  fails_with(errc::invalid_option, [&] { http2_client const c(o); }, "ping_timeout");
}
