// Hosts that do not exist are asked for, so that whatever comes came by the proxy.
#include <weir/net/http_client.hpp>

#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/certificate.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"
#include "support/temporary_folder.hpp"
#include "support/tunnel_proxy.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::fails_with;
using test::http_answer;
using test::http_server;
using then = test::http_answer::then;
using environment_of = std::map<std::string, std::string>;

namespace {

net::http_options with(environment_of all) {
  net::http_options o{.connect_timeout = 1min, .tls_timeout = 1min, .request_timeout = 5min};
  o.proxies_from = [all = std::move(all)](std::string const& name) -> std::optional<std::string> {
    auto const found = all.find(name);
    if (found == all.end() || found->second.empty()) return std::nullopt;
    return found->second;
  };
  return o;
}
net::response get(net::http_options o, std::string url) {
  net::http_client const client(std::move(o));
  return testing::run(client.send({"GET", std::move(url)}));
}
std::string at(std::uint16_t port) { return "127.0.0.1:" + std::to_string(port); }

constexpr char const* over_http = "http://stream.example/x?y=1";
constexpr char const* over_https = "https://stream.example/x?y=1";

}  // namespace

TEST_CASE("a proxy gets the whole request for http", "[net][proxy]") {
  http_server const proxy;
  net::response const answer = get(with({{"http_proxy", "http://" + at(proxy.port())}}), "http://stream.example:8080/x?y=1");
  CHECK(answer.body == "ok");
  auto const seen = proxy.seen().at(0);
  CHECK(seen.target == "http://stream.example:8080/x?y=1");
  CHECK(seen.headers.at("host") == "stream.example:8080");
  CHECK_FALSE(seen.headers.contains("proxy-authorization"));
}

TEST_CASE("a proxy gets host and port for https, and a tunnel of TLS", "[net][proxy]") {
  test::certificate const c("DNS:stream.example");
  test::temporary_folder const folder;
  http_server const server({http_answer::of(200, "secret")}, c);
  test::tunnel_proxy const proxy;
  auto o = with({{"HTTPS_PROXY", "http://us%40er:pa%3Ass@" + at(proxy.port())}});
  o.ca_file = folder.write("ca.pem", c.chain);
  net::http_client const client(o);
  auto const twice = [&]() -> task<> {
    net::request const first("GET", server.url("/path", "stream.example"));
    net::response const answer = co_await client.send(first);
    CHECK(answer.body == "secret");
    net::response const again = co_await client.send(first);
    CHECK(again.body == "ok");
  };
  testing::run(twice());
  // "us@er:pa:ss" by `base64`.
  std::string const to = "stream.example:" + std::to_string(server.port());
  CHECK(proxy.seen() == std::vector<std::string>{"CONNECT " + to + " HTTP/1.1\r\nHost: " + to +
                                                 "\r\nUser-Agent: weir\r\nProxy-Authorization: Basic dXNAZXI6cGE6c3M=\r\n\r\n"});
  CHECK(server.seen().at(0).target == "/path");
  CHECK_FALSE(server.seen().at(0).headers.contains("proxy-authorization"));
}

TEST_CASE("a server behind a proxy has to prove its name", "[net][proxy]") {
  test::certificate const c("DNS:other.example");
  test::temporary_folder const folder;
  http_server const server({}, c);
  test::tunnel_proxy const proxy;
  auto o = with({{"HTTPS_PROXY", at(proxy.port())}});
  o.ca_file = folder.write("ca.pem", c.chain);
  fails_with(
      errc::access_denied, [&] { get(o, server.url("/", "stream.example")); }, "ostname mismatch",
      "by the proxy " + at(proxy.port()) + " of HTTPS_PROXY");
  CHECK(server.seen().empty());
}

TEST_CASE("which variable names the proxy", "[net][proxy]") {
  http_server const wrong, right;
  std::string const no = at(wrong.port()), yes = at(right.port());
  auto const asks_right = [&](environment_of all, std::string const& url) {
    std::size_t const before = right.seen().size();
    // The tunnel is refused: that it was asked for is enough.
    try {
      get(with(std::move(all)), url);
    } catch (error const&) {
      CHECK(url == over_https);
    }
    CHECK(right.seen().size() == before + 1);
  };
  asks_right({{"http_proxy", yes}, {"HTTP_PROXY", no}, {"all_proxy", no}, {"https_proxy", no}}, over_http);
  asks_right({{"all_proxy", yes}, {"ALL_PROXY", no}, {"https_proxy", no}}, over_http);
  asks_right({{"ALL_PROXY", yes}, {"http_proxy", ""}}, over_http);
  asks_right({{"https_proxy", yes}, {"HTTPS_PROXY", no}, {"http_proxy", no}, {"all_proxy", no}}, over_https);
  asks_right({{"HTTPS_PROXY", yes}, {"all_proxy", no}, {"ALL_PROXY", no}}, over_https);
  asks_right({{"ALL_PROXY", yes}, {"http_proxy", no}}, over_https);
  CHECK(wrong.seen().empty());
}

TEST_CASE("HTTP_PROXY, which a request by CGI can set, is not believed", "[net][proxy]") {
  http_server const proxy;
  fails_with(errc::not_found, [&] { get(with({{"HTTP_PROXY", at(proxy.port())}}), "http://stream.invalid/"); }, "no host stream.invalid");
  CHECK(proxy.seen().empty());
}

TEST_CASE("this machine is asked directly, unless the program says otherwise", "[net][proxy]") {
  http_server const server, proxy;
  auto o = with({{"ALL_PROXY", at(proxy.port())}});
  get(o, server.url());
  get(o, server.url("/", "localhost"));
  CHECK(server.seen().size() == 2);
  CHECK(proxy.seen().empty());
  o.proxy = "http://" + at(proxy.port());
  get(o, server.url("/there"));
  CHECK(proxy.seen().at(0).target == server.url("/there"));
}

TEST_CASE("a client without an environment has no proxy", "[net][proxy]") {
  http_server const proxy;
  auto o = with({{"ALL_PROXY", at(proxy.port())}});
  o.proxies_from = nullptr;
  fails_with(errc::not_found, [&] { get(o, "http://stream.invalid/"); });
  CHECK(proxy.seen().empty());
}

TEST_CASE("who NO_PROXY has is asked directly", "[net][proxy]") {
  http_server const proxy;
  auto const o = with({{"ALL_PROXY", at(proxy.port())}, {"NO_PROXY", "localhost, .invalid"}});
  fails_with(errc::not_found, [&] { get(o, "http://stream.invalid/"); }, "no host stream.invalid");
  CHECK(proxy.seen().empty());
  CHECK(get(o, over_http).body == "ok");
}

TEST_CASE("a proxy that refuses is named, and what to do is said", "[net][proxy]") {
  auto const refused = [](http_answer answer, std::string const& login, errc code, auto const&... parts) {
    http_server const proxy({std::move(answer)});
    std::string const by = "by the proxy " + at(proxy.port()) + " of HTTPS_PROXY";
    fails_with(
        code, [&] { get(with({{"HTTPS_PROXY", "http://" + login + at(proxy.port())}}), over_https); }, "https://stream.example", by,
        parts...);
    CHECK(proxy.seen().size() == 1);
  };
  auto const basic = http_answer::of(407, "<html>", "Proxy-Authenticate: Basic realm=\"x\"\r\n");
  refused(basic, "", errc::access_denied, "it wants a user and a password (407)", "put them into HTTPS_PROXY");
  refused(basic, "me:secret@", errc::access_denied, "does not take the user and the password (407)");
  refused(http_answer::of(407, "", "Proxy-Authenticate: NTLM\r\n"), "", errc::access_denied, "wants NTLM, and only Basic is known");
  refused(http_answer::of(403), "", errc::access_denied, "status 403", "NO_PROXY");
  refused(http_answer::of(502, "bad"), "", errc::unavailable, "status 502", "see that the proxy reaches the host");
  refused(http_answer::of(429), "", errc::throttled, "status 429");
  refused(http_answer::of(405), "", errc::rejected, "status 405 to CONNECT", "names a proxy for https");
  refused(http_answer::nothing(), "", errc::unavailable, "closed the connection before it had answered");
  refused(http_answer::raw("HTTP/1.1 200 Conn"), "", errc::unavailable, "closed the connection before it had answered");
  refused(http_answer::raw("SSH-2.0-OpenSSH\r\n\r\n"), "", errc::malformed, "cannot read the reply");
  refused(http_answer::raw("HTTP/1.1 200 OK\r\n\r\nhello"), "", errc::malformed, "bytes come behind its answer");
}

TEST_CASE("a password of a proxy is in no message", "[net][proxy]") {
  http_server const proxy({http_answer::of(407)});
  for (std::string const& url : {"http://me:hush@" + at(proxy.port()), std::string("socks5://me:hush@x"), std::string("http://me:hu#sh@x")})
    try {
      get(with({{"HTTPS_PROXY", url}}), over_https);
      FAIL("nothing was thrown");
    } catch (error const& e) {
      INFO(e.what());
      CHECK(std::string(e.what()).find("hush") == std::string::npos);
      CHECK(std::string(e.what()).find("HTTPS_PROXY") != std::string::npos);
    }
}

TEST_CASE("a proxy for http that wants a password says so, and its other answers are answers", "[net][proxy]") {
  http_server const proxy({http_answer::of(407), http_answer::of(502, "bad")});
  auto const o = with({{"http_proxy", "me:hush@" + at(proxy.port())}});
  fails_with(errc::access_denied, [&] { get(o, over_http); }, "does not take the user and the password", "http_proxy");
  CHECK(get(o, over_http).status == 502);
  CHECK(proxy.seen().at(1).headers.at("proxy-authorization") == "Basic bWU6aHVzaA==");  // "me:hush" by `base64`
}

TEST_CASE("a proxy for http that refuses on a connection that was kept says so, each time", "[net][proxy]") {
  http_server const proxy({http_answer::of(200), http_answer::of(407), http_answer::of(407), http_answer::of(200)});
  auto const asking = [&]() -> task<std::vector<unsigned>> {
    net::http_client const client(with({{"http_proxy", "me:hush@" + at(proxy.port())}}));
    std::vector<unsigned> out;
    for (int i = 0; i != 4; ++i) {
      try {
        net::request question("GET", over_http);
        net::response const answer = co_await client.send(std::move(question));
        out.push_back(answer.status);
      } catch (error const& e) {
        CHECK(e.code() == errc::access_denied);
        out.push_back(0);
      }
    }
    co_return out;
  };
  CHECK(testing::run(asking()) == std::vector<unsigned>{200, 0, 0, 200});
  CHECK(proxy.connections() == 1);
}

TEST_CASE("a proxy that does not answer, and one that is not there", "[net][proxy]") {
  http_server const silent({http_answer::nothing(then::hold)});
  auto o = with({{"HTTPS_PROXY", at(silent.port())}});
  o.connect_timeout = 100ms;
  fails_with(errc::timed_out, [&] { get(o, over_https); }, "100 ms", "connect_timeout", "by the proxy " + at(silent.port()));
  std::uint16_t gone = 0;
  {
    http_server const server;
    gone = server.port();
  }
  try {
    get(with({{"HTTPS_PROXY", at(gone)}}), over_https);
    FAIL("nothing was thrown");
  } catch (error const& e) {
    INFO(e.what());
    CHECK(e.code() == std::errc::connection_refused);
    for (std::string const part : {"cannot connect to the proxy", "nobody listens there", "correct HTTPS_PROXY", "https://stream.example"})
      CHECK(std::string(e.what()).find(part) != std::string::npos);
  }
  fails_with(
      errc::not_found, [&] { get(with({{"HTTPS_PROXY", "proxy.invalid:1"}}), over_https); }, "no host proxy.invalid",
      "correct HTTPS_PROXY");
}

TEST_CASE("a proxy that is none is refused by the request that would need it", "[net][proxy]") {
  auto const refuses = [](std::string const& value, auto const&... parts) {
    fails_with(errc::invalid_option, [&] { get(with({{"ALL_PROXY", value}}), over_http); }, "ALL_PROXY", parts...);
  };
  refuses("socks5://localhost:1080", "begins with socks5://", "write http://proxy:3128");
  refuses("https://localhost:1080", "begins with https://");
  refuses("http://proxy:0", "port");
  refuses("http://", "");
  refuses("not a host", "is no URL");
  http_server const server;
  CHECK(get(with({{"ALL_PROXY", "socks5://localhost:1080"}}), server.url()).status == 200);
  fails_with(
      errc::invalid_option, [&] { get(with({{"ALL_PROXY", "x"}, {"NO_PROXY", "10.0.0.0/40"}}), over_http); }, "NO_PROXY", "10.0.0.0/40");
}
