#include <weir/net/tcp_client.hpp>

#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <memory>
#include <string>
#include <thread>

using namespace weir;
using net::tcp_client;
using test::fails_with;

namespace {

net::http_options without_proxies() {
  net::http_options o;
  o.proxies_from = nullptr;
  return o;
}

task<std::string> ask_over_tcp(std::string url, std::string question) {
  tcp_client const client(without_proxies());
  std::unique_ptr<net::byte_stream> const stream = co_await client.open(std::move(url));
  co_await stream->write(question);
  std::string out;
  std::array<char, 64> room{};
  for (;;) {
    std::size_t const size = co_await stream->read_some(room);
    if (size == 0) break;
    out.append(room.data(), size);
  }
  co_await stream->close();
  co_return out;
}

}  // namespace

TEST_CASE("a plain stream of bytes goes both ways, and ends", "[net][tcp]") {
  using boost::asio::ip::tcp;
  boost::asio::io_context loop;
  tcp::acceptor acceptor(loop, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
  std::string const port = std::to_string(acceptor.local_endpoint().port());
  std::string heard(5, '\0');
  std::thread server([&] {
    tcp::socket peer = acceptor.accept();
    boost::asio::read(peer, boost::asio::buffer(heard));
    boost::asio::write(peer, boost::asio::buffer(std::string(1000, 'y')));
  });
  auto const answer = testing::run(ask_over_tcp("tcp://127.0.0.1:" + port, "hello"));
  server.join();
  CHECK(heard == "hello");
  CHECK(answer == std::string(1000, 'y'));
  acceptor.close();
  try {
    testing::run(ask_over_tcp("tcp://127.0.0.1:" + port, "hello"));
    FAIL("nobody listens there");
  } catch (error const& e) {
    CHECK(e.code() == condition::retryable);
    CHECK(std::string(e.what()).find("tcp://127.0.0.1:" + port) != std::string::npos);
  }
}

TEST_CASE("a URL that no plain stream can be opened by says why", "[net][tcp]") {
  auto const open = [](char const* url) { return [url] { testing::run(ask_over_tcp(url, "")); }; };
  fails_with(errc::invalid_option, open("http://localhost:1"), "begins neither with tcp:// nor with tls://");
  fails_with(errc::invalid_option, open("tcp://localhost"), "has no port");
  fails_with(errc::invalid_option, open("tls://localhost:0"), "has a port that is not between 1 and 65535");
  net::http_options none;
  none.connect_timeout = {};
  fails_with(errc::invalid_option, [&] { tcp_client const made(none); }, "connect_timeout");
}
