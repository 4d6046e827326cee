#include <weir/net/http_client.hpp>

#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"
#include "support/temporary_folder.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <string>
#include <utility>

using namespace weir;
using namespace std::chrono_literals;
using net::http_client;
using net::request;
using test::certificate;
using test::fails_with;
using test::http_answer;
using test::http_server;

namespace {

class trusting {
public:
  explicit trusting(certificate const& c) { folder_.write("ca.pem", c.chain); }
  net::http_options options() const {
    return {.connect_timeout = 1min, .tls_timeout = 1min, .request_timeout = 5min, .ca_file = folder_.file("ca.pem")};
  }
  net::response ask(std::string url) const {
    http_client const client(options());
    return testing::run(client.send(request("GET", std::move(url))));
  }

private:
  test::temporary_folder folder_;
};

}  // namespace

TEST_CASE("a server that proves its name or address is talked to", "[net][tls]") {
  certificate const c("DNS:localhost,IP:127.0.0.1");
  trusting const us(c);
  http_server const server({http_answer::of(200, "secret")}, c);
  CHECK(us.ask(server.url("/", "127.0.0.1")).body == "secret");
  CHECK(us.ask(server.url("/", "localhost")).body == "ok");
}

TEST_CASE("a secure connection is kept, and its retirement noticed", "[net][tls]") {
  certificate const c("IP:127.0.0.1");
  trusting const us(c);
  http_server const server({http_answer::of(200), http_answer::of(200), http_answer::nothing(), http_answer::of(200, "again")}, c);
  http_client const client(us.options());
  auto const thrice = [&]() -> task<std::string> {
    request const r("GET", server.url());
    (void)co_await client.send(r);
    (void)co_await client.send(r);
    CHECK(server.connections() == 1);
    net::response const last = co_await client.send(r);
    co_return last.body;
  };
  CHECK(testing::run(thrice()) == "again");
  CHECK(server.connections() == 2);
}

TEST_CASE("a certificate for somebody else is refused", "[net][tls]") {
  for (char const* const names : {"DNS:example.com", "DNS:127.0.0.1", "IP:127.0.0.2"}) {
    certificate const c(names);
    trusting const us(c);
    http_server const server({}, c);
    fails_with(errc::access_denied, [&] { (void)us.ask(server.url()); }, "http: TLS refused", server.url(""), "not trusted");
    fails_with(errc::access_denied, [&] { (void)us.ask(server.url("/", "localhost")); }, "ostname mismatch");
    CHECK(server.seen().empty());
  }
}

TEST_CASE("a certificate of an unknown authority, or of the past, is refused", "[net][tls]") {
  certificate const c("IP:127.0.0.1");
  certificate const old("IP:127.0.0.1", -1h);
  http_server const server({}, c), outdated({}, old);
  fails_with(errc::access_denied, [&] { (void)trusting(certificate("IP:127.0.0.1")).ask(server.url()); }, "http: TLS refused", "ca_file");
  fails_with(errc::access_denied, [&] { (void)trusting(old).ask(outdated.url()); }, "expired");
  http_client const of_the_system({.tls_timeout = 1min, .request_timeout = 5min});
  fails_with(errc::access_denied, [&] { (void)testing::run(of_the_system.send(request("GET", server.url()))); }, "http: TLS refused");
}

TEST_CASE("a server without TLS is refused", "[net][tls]") {
  certificate const c("IP:127.0.0.1");
  trusting const us(c);
  http_server const plain({http_answer::raw("HTTP/1.1 400 Bad Request\r\n\r\n")});
  std::string const url = "https://127.0.0.1:" + std::to_string(plain.port());
  try {
    (void)us.ask(url);
    FAIL("nothing was thrown");
  } catch (error const& e) {  // by how the server takes it: it answers in plain text, or hangs up
    INFO(e.what());
    CHECK((e.code() == errc::access_denied || e.code() == errc::unavailable));
    CHECK(std::string(e.what()).find("TLS") != std::string::npos);
  }
}

TEST_CASE("a server that does not shake hands is given up", "[net][tls]") {
  boost::asio::io_context loop;
  boost::asio::ip::tcp::acceptor const silent(
      loop, boost::asio::ip::tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));  // the system connects, nobody answers
  std::string const url = "https://127.0.0.1:" + std::to_string(silent.local_endpoint().port());
  http_client const client({.tls_timeout = 100ms, .request_timeout = 5min});
  fails_with(errc::timed_out, [&] { (void)testing::run(client.send(request("GET", url))); }, "secure", "100 ms", "tls_timeout", url);
}

TEST_CASE("a file without certificates is no authority", "[net][tls]") {
  test::temporary_folder const folder;
  for (std::string const& file : {folder.file("none.pem"), folder.write("text.pem", "no certificate")}) {
    http_client const client({.ca_file = file});
    http_server const server({}, certificate("IP:127.0.0.1"));
    fails_with(errc::invalid_option, [&] { (void)testing::run(client.send(request("GET", server.url()))); }, "ca_file", file);
  }
}
