// Against a server in this process that follows a script.
#include <weir/net/http_client.hpp>

#include <weir/testing/run.hpp>
#include <weir/timeout.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using net::http_client;
using net::request;
using net::response;
using test::fails_with;
using test::http_answer;
using test::http_server;
using then = test::http_answer::then;

namespace {

// Patient: a busy machine is not what is tested.
net::http_options patient() { return {.connect_timeout = 1min, .tls_timeout = 1min, .request_timeout = 5min}; }

response ask(http_client const& client, request r) { return testing::run(client.send(std::move(r))); }

// One after the other on one event loop, so that connections can be kept.
task<std::vector<response>> ask_all(http_client client, std::vector<request> all) {
  std::vector<response> out;
  for (request const& r : all) out.push_back(co_await client.send(r));
  co_return out;
}
request post(http_server const& to, std::string body) { return {"POST", to.url("/hook"), std::move(body)}; }
request get(http_server const& from) { return {"GET", from.url("/")}; }

}  // namespace

TEST_CASE("a request arrives as it was made, and so does its answer", "[net][http]") {
  http_server const server({http_answer::of(201, "made", "X-Kind: a\r\nX-Kind: b\r\n")});
  http_client const client(patient());
  request r("POST", server.url("/hook?x=%201#there"), R"({"ok":true})");
  r.headers.add("Content-Type", "application/json");
  response const answer = ask(client, r);
  CHECK(answer.status == 201);
  CHECK(answer.headers.find("x-kind") == "a");
  CHECK(answer.headers.size() == 3);
  CHECK(answer.body == "made");
  test::seen_request const seen = server.seen().at(0);
  CHECK(seen.method == "POST");
  CHECK(seen.target == "/hook?x=%201");
  CHECK(seen.body == R"({"ok":true})");
  CHECK(seen.headers == std::map<std::string, std::string>{{"host", "127.0.0.1:" + std::to_string(server.port())},
                                                           {"content-type", "application/json"},
                                                           {"content-length", "11"},
                                                           {"user-agent", "weir"}});
}

TEST_CASE("a length is said where there could be a body", "[net][http]") {
  http_server const server;
  http_client const client(patient());
  (void)testing::run(ask_all(client, {get(server), post(server, ""), {"DELETE", server.url()}}));
  CHECK_FALSE(server.seen().at(0).headers.contains("content-length"));
  CHECK(server.seen().at(1).headers.at("content-length") == "0");
  CHECK_FALSE(server.seen().at(2).headers.contains("content-length"));
}

TEST_CASE("a body may come in any of the ways of HTTP", "[net][http]") {
  http_server const server(
      {http_answer::raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: 1\r\n\r\n", then::keep),
       http_answer::raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", then::keep),
       http_answer::raw("HTTP/1.1 204 No Content\r\n\r\n", then::keep),
       http_answer::raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", then::keep),
       http_answer::raw("HTTP/1.1 200 OK\r\n\r\nuntil the end")});
  http_client const client(patient());
  request const head("HEAD", server.url());
  auto const answers = testing::run(ask_all(client, {get(server), get(server), get(server), head, get(server)}));
  CHECK(answers.at(0).body == "abcde");
  CHECK(answers.at(1).body == "hi");
  CHECK(answers.at(2).status == 204);
  CHECK(answers.at(3).body.empty());
  CHECK(answers.at(4).body == "until the end");
  CHECK(server.connections() == 1);
}

TEST_CASE("a connection is kept for the next request, and closed with its event loop", "[net][http]") {
  http_server const server;
  http_client const client(patient());
  auto const twice = [&]() -> task<> {
    (void)co_await client.send(get(server));
    CHECK(client.idle_connections() == 1);
    (void)co_await client.send(get(server));
    CHECK(client.idle_connections() == 1);
  };
  testing::run(twice());
  CHECK(server.connections() == 1);
  CHECK(client.idle_connections() == 0);
  testing::run(twice());
  CHECK(server.connections() == 2);
}

TEST_CASE("no connection is kept where none is to be, or the server will close it", "[net][http]") {
  http_server const server({http_answer::of(200), http_answer::of(200), http_answer::of(200, "", "Connection: close\r\n")});
  net::http_options alone = patient();
  alone.idle_timeout = 0ms;
  (void)testing::run(ask_all(http_client(alone), {get(server), get(server)}));
  CHECK(server.connections() == 2);
  (void)testing::run(ask_all(http_client(patient()), {get(server), get(server)}));
  CHECK(server.connections() == 4);
}

TEST_CASE("a reply that nobody asked for spoils a connection", "[net][http]") {
  std::string const one = http_answer::of(200, "one").bytes, two = http_answer::of(200, "two").bytes;
  http_server const server({http_answer::raw(one + two, then::keep), http_answer::of(200, "three")});
  auto const answers = testing::run(ask_all(http_client(patient()), {get(server), get(server)}));
  CHECK(answers.at(0).body == "one");
  CHECK(answers.at(1).body == "three");
}

TEST_CASE("a request on a connection that the server retires meanwhile is sent again", "[net][http]") {
  std::vector<http_answer> const script{http_answer::of(200), http_answer::nothing(), http_answer::of(200, "again")};
  SECTION("when it is idempotent") {
    http_server const server(script);
    request keyed = post(server, "x");
    keyed.headers.add("Idempotency-Key", "7");
    auto const answers = testing::run(ask_all(http_client(patient()), {get(server), keyed}));
    CHECK(answers.at(1).body == "again");
    CHECK(server.connections() == 2);
    CHECK(server.seen().at(2).body == "x");
  }
  SECTION("and otherwise not") {
    http_server const server(script);
    fails_with(
        errc::unavailable, [&] { (void)testing::run(ask_all(http_client(patient()), {get(server), post(server, "x")})); }, "http: no reply",
        server.url(""), "closed");
    CHECK(server.seen().size() == 2);
  }
}

TEST_CASE("a request on a new connection is sent once", "[net][http]") {
  http_server const server({http_answer::nothing()});
  fails_with(errc::unavailable, [&] { (void)ask(http_client(patient()), get(server)); }, "http: no reply");
  CHECK(server.seen().size() == 1);
}

TEST_CASE("a connection on which a reply had begun is not tried again", "[net][http]") {
  http_server const server({http_answer::of(200), http_answer::raw("HTTP/1.1 200")});
  fails_with(errc::unavailable, [&] { (void)testing::run(ask_all(http_client(patient()), {get(server), get(server)})); }, "in the middle");
  CHECK(server.seen().size() == 2);
}

TEST_CASE("half a reply is none", "[net][http]") {
  for (std::string const half : {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "HTTP/1.1 200 OK\r\nContent-Le",
                                 "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"}) {
    http_server const server({http_answer::raw(half)});
    fails_with(errc::unavailable, [&] { (void)ask(http_client(patient()), get(server)); }, "http: no whole reply", server.url(""));
  }
}

TEST_CASE("what is not HTTP is malformed", "[net][http]") {
  for (std::string const odd : {"SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                                "HTTP/1.1 101 Switching Protocols\r\n\r\n"}) {
    http_server const server({http_answer::raw(odd)});
    fails_with(errc::malformed, [&] { (void)ask(http_client(patient()), get(server)); }, "http: cannot read the reply", server.url(""));
  }
}

TEST_CASE("a reply is no larger than allowed", "[net][http]") {
  net::http_options small = patient();
  small.most_body = 10;
  small.most_header = 200;
  auto const refused = [&](std::string const& bytes, char const* limit) {
    http_server const server({http_answer::raw(bytes, then::hold)});
    fails_with(errc::too_large, [&] { (void)ask(http_client(small), get(server)); }, "larger than allowed", limit, server.url(""));
  };
  refused("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n", "most_body");
  refused("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n6\r\nghijkl\r\n", "most_body");
  refused("HTTP/1.1 200 OK\r\n\r\n" + std::string(11, 'x'), "most_body");
  refused("HTTP/1.1 200 OK\r\nX: " + std::string(200, 'x'), "most_header");
  http_server const server({http_answer::of(200, "0123456789")});
  CHECK(ask(http_client(small), get(server)).body == "0123456789");
}

TEST_CASE("a server that takes too long is given up", "[net][http]") {
  http_server const server(
      {http_answer::nothing(then::hold), http_answer::raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", then::hold)});
  net::http_options hasty = patient();
  hasty.request_timeout = 100ms;
  for (int i = 0; i != 2; ++i)
    fails_with(errc::timed_out, [&] { (void)ask(http_client(hasty), get(server)); }, "http: no whole reply", "100 ms", server.url(""));
}

TEST_CASE("whoever cancels a request does not wait for its end", "[net][http]") {
  http_server const server({http_answer::nothing(then::hold)});
  http_client const client(patient());
  fails_with(errc::timed_out, [&] { testing::run(with_timeout(1h, client.send(get(server)))); }, "timeout: cancelled");  // of virtual time
  CHECK(client.idle_connections() == 0);
}

TEST_CASE("where nobody listens, it is said", "[net][http]") {
  std::string gone;
  {
    http_server const server;
    gone = server.url("/secret");
  }
  try {
    (void)ask(http_client(patient()), {"GET", gone});
    FAIL("nothing was thrown");
  } catch (error const& e) {
    std::string const message = e.what();
    CHECK(e.code() == std::errc::connection_refused);
    CHECK(e.code() == condition::retryable);
    CHECK(message.find(gone.substr(0, gone.size() - 7)) != std::string::npos);
    CHECK(message.find("secret") == std::string::npos);
  }
}

TEST_CASE("what cannot be sent is refused before anything is", "[net][http]") {
  http_client const client(patient());
  fails_with(errc::invalid_option, [&] { (void)ask(client, {"GET", "ftp://example.com/"}); }, "http: nor https:");
  fails_with(errc::invalid_option, [&] { (void)ask(client, {"GET me", "http://127.0.0.1:1/"}); }, "no method");
  for (char const* const ours : {"host", "Content-Length", "transfer-encoding", "Connection"}) {
    request r("GET", "http://127.0.0.1:1/");
    r.headers.add(ours, "1");
    fails_with(errc::invalid_option, [&] { (void)ask(client, r); }, ours);
  }
  net::http_options none = patient();
  none.request_timeout = 0ms;
  fails_with(errc::invalid_option, [&] { (void)http_client(none); }, "request_timeout");
}
