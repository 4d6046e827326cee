// Requests whose body is pulled while it is sent.
#include <weir/net/http_client.hpp>

#include <weir/sleep.hpp>
#include <weir/testing/run.hpp>
#include <weir/when_any.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"
#include "support/temporary_folder.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using net::http_client;
using net::streamed_request;
using test::fails_with;
using test::http_answer;
using test::http_server;

namespace {

net::http_options patient() { return {.connect_timeout = 1min, .tls_timeout = 1min, .request_timeout = 5min}; }

stream<std::string_view> pieces(std::vector<std::string> all) {
  for (std::string const& one : all) co_yield std::string_view(one);
}
stream<std::string_view> breaking_off(bool& pulled) {
  pulled = true;
  co_yield std::string_view("abc");
  throw std::runtime_error("no more");
}
stream<std::string_view> without_end(std::size_t& given) {
  std::string const much(64 * 1024, 'x');
  for (;;) {
    co_yield std::string_view(much);
    given += much.size();
  }
}

// Who listens, and does nothing by itself: connections are made by the system.
class silent_server {
public:
  std::string url() const { return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/"; }
  // All that came by the first connection, which has ended.
  std::string received() {
    boost::asio::ip::tcp::socket socket = acceptor_.accept();
    std::string out;
    boost::system::error_code ended;
    boost::asio::read(socket, boost::asio::dynamic_buffer(out), ended);
    return out;
  }

private:
  boost::asio::io_context loop_;
  boost::asio::ip::tcp::acceptor acceptor_{loop_, {boost::asio::ip::address_v4::loopback(), 0}};
};

net::response send(http_client const& client, streamed_request r) { return testing::run(client.send(std::move(r))); }

}  // namespace

// Source: RFC 9112, section 7.1, and RFC 9110, section 6.5.
TEST_CASE("a body that is pulled arrives in chunks, with what is behind it", "[net][http]") {
  http_server const server({http_answer::of(202, "taken")});
  http_client const client(patient());
  streamed_request r("POST", server.url("/up"), pieces({"one", "", std::string(100'000, 'y'), "three"}));
  r.headers.add("Content-Type", "text/plain").add("Trailer", "X-Sum");
  r.trailers = [] { return net::headers().add("X-Sum", "17"); };
  net::response const answer = send(client, std::move(r));
  CHECK(answer.status == 202);
  CHECK(answer.body == "taken");
  test::seen_request const seen = server.seen().at(0);
  CHECK(seen.method == "POST");
  CHECK(seen.target == "/up");
  bool const whole = seen.body == "one" + std::string(100'000, 'y') + "three";
  CHECK(whole);
  CHECK(seen.headers == std::map<std::string, std::string>{{"host", "127.0.0.1:" + std::to_string(server.port())},
                                                           {"content-type", "text/plain"},
                                                           {"trailer", "X-Sum"},
                                                           {"transfer-encoding", "chunked"},
                                                           {"connection", "close"},
                                                           {"user-agent", "weir"},
                                                           {"x-sum", "17"}});
}

TEST_CASE("a body without a piece is an empty one, and its connection is not kept", "[net][http]") {
  http_server const server;
  http_client const client(patient());
  auto const twice = [](http_client by, std::string url) -> task<> {
    for (int i = 0; i != 2; ++i) {
      streamed_request r("PUT", url, pieces({}));
      task<net::response> sending = by.send(std::move(r));
      net::response const answer = co_await std::move(sending);
      CHECK(answer.status == 200);
      CHECK(by.idle_connections() == 0);
    }
  };
  testing::run(twice(client, server.url()));
  CHECK(server.seen().at(1).body.empty());
  CHECK(server.connections() == 2);
}

TEST_CASE("a body that fails half-way makes no whole request", "[net][http]") {
  silent_server server;
  bool pulled = false;
  CHECK_THROWS_WITH(send(http_client(patient()), streamed_request("POST", server.url(), breaking_off(pulled))), "no more");
  CHECK(pulled);
  std::string const got = server.received();
  CHECK(got.starts_with("POST / HTTP/1.1\r\n"));
  CHECK(got.ends_with("\r\n\r\n3\r\nabc\r\n"));  // and no last chunk
}

TEST_CASE("a body is not pulled where there is no connection", "[net][http]") {
  std::string gone;
  {
    silent_server const server;
    gone = server.url();
  }
  bool pulled = false;
  try {
    (void)send(http_client(patient()), streamed_request("POST", gone, breaking_off(pulled)));
    FAIL("nothing was thrown");
  } catch (error const& e) {
    CHECK(e.code() == std::errc::connection_refused);
  }
  CHECK_FALSE(pulled);
}

TEST_CASE("a server that does not read is waited for, and the body with it", "[net][http]") {
  silent_server const server;
  http_client const client(patient());
  std::size_t given = 0;
  // Until nothing was pulled for a while.
  auto const watch = [](std::size_t const& count) -> task<> {
    std::size_t last = 0;
    for (auto since = std::chrono::steady_clock::now(); last == 0 || std::chrono::steady_clock::now() - since < 100ms;) {
      if (std::exchange(last, count) != count) since = std::chrono::steady_clock::now();
      co_await sleep_for(1ms);  // virtual
      std::this_thread::yield();
    }
  };
  auto const both = [](http_client by, streamed_request r, task<> watching) -> task<> {
    co_await when_any(std::move(watching), by.send(std::move(r)));
  };
  testing::run(both(client, streamed_request("POST", server.url(), without_end(given)), watch(given)));
  CHECK(given > 0);
  CHECK(given < 64 * 1024 * 1024);  // what the system holds between the two is less
}

TEST_CASE("a body is pulled over TLS too", "[net][tls]") {
  test::certificate const c("IP:127.0.0.1");
  test::temporary_folder folder;
  folder.write("ca.pem", c.chain);
  http_server const server({}, c);
  net::http_options options = patient();
  options.ca_file = folder.file("ca.pem");
  CHECK(send(http_client(options), streamed_request("POST", server.url(), pieces({"se", "cret"}))).status == 200);
  CHECK(server.seen().at(0).body == "secret");
}

TEST_CASE("how a body is framed is the client's own", "[net][http]") {
  for (char const* const ours : {"Content-Length", "Transfer-Encoding"}) {
    streamed_request r("POST", "http://127.0.0.1:1/", pieces({"x"}));
    r.headers.add(ours, "1");
    fails_with(errc::invalid_option, [&] { (void)send(http_client(patient()), std::move(r)); }, ours);
  }
}
