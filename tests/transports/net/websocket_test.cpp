#include <weir/net/websocket_client.hpp>

#include <weir/timeout.hpp>
#include <weir/when_all.hpp>

#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/temporary_folder.hpp"
#include "support/tunnel_proxy.hpp"
#include "support/websocket_server.hpp"

#include <array>
#include <future>
#include <memory>
#include <string>
#include <utility>

using namespace weir;
using namespace std::chrono_literals;
using net::websocket;
using net::websocket_client;
using test::certificate;
using test::fails_with;
using test::websocket_peer;
using test::websocket_server;

namespace {

net::websocket_options patient() {
  net::websocket_options o;
  o.http = {.connect_timeout = 1min, .tls_timeout = 1min, .request_timeout = 5min};
  o.http.proxies_from = nullptr;
  o.close_timeout = 1min;
  return o;
}

task<std::string> read_bytes(websocket& from, std::size_t bytes) {
  std::string out;
  std::array<char, 4096> room{};
  while (out.size() < bytes) {
    std::size_t const size = co_await from.read_some(room);
    if (size == 0) break;
    out.append(room.data(), size);
  }
  co_return out;
}

task<> say(websocket& to, std::string bytes) { co_await to.write(bytes); }

// What the server's messages come out as, and then its end.
task<std::string> read_all(std::string url, net::websocket_options o) {
  websocket_client const client(std::move(o));
  std::unique_ptr<websocket> const socket = co_await client.open(std::move(url));
  constexpr std::size_t no_end = 1 << 30;
  co_return co_await read_bytes(*socket, no_end);
}
std::string all_from(websocket_server const& server, net::websocket_options o = patient()) {
  return testing::run(read_all(server.url(), std::move(o)));
}
task<> only_open(std::string url, net::websocket_options o) {
  websocket_client const client(std::move(o));
  (void)co_await client.open(std::move(url));
}
void open(std::string url, net::websocket_options o = patient()) { testing::run(only_open(std::move(url), std::move(o))); }

void echo(websocket_peer& peer) {
  while (auto const message = peer.read()) peer.write(*message);
}

task<> there_and_back(std::string url, net::websocket_options o, std::string const& bytes) {
  websocket_client const client(std::move(o));
  std::unique_ptr<websocket> const socket = co_await client.open(std::move(url));
  task<> saying = say(*socket, bytes);
  task<std::string> hearing = read_bytes(*socket, bytes.size());
  auto both = when_all(std::move(saying), std::move(hearing));
  auto const heard = co_await std::move(both);
  CHECK((std::get<1>(heard) == bytes));
  co_await socket->close();
}

std::string megabyte() {
  std::string out(1'000'000, '\0');
  for (std::size_t i = 0; i != out.size(); ++i) out[i] = static_cast<char>(i * 7 + i / 251);
  return out;
}

}  // namespace

// service-bus-java PR #308: messages above 4 KB did not come through.
TEST_CASE("messages of a megabyte go both ways", "[net][websocket]") {
  websocket_server const server(echo);
  testing::run(there_and_back(server.url("/a?b=c"), patient(), megabyte()));
  auto const asked = server.seen().at(0);
  CHECK(asked.at(":target") == "/a?b=c");
  CHECK(asked.at("host") == "127.0.0.1:" + std::to_string(server.port()));
  CHECK(asked.at("user-agent") == "weir");
  CHECK_FALSE(asked.contains("sec-websocket-extensions"));
  CHECK_FALSE(asked.contains("sec-websocket-protocol"));
}

TEST_CASE("over TLS the server proves its name, and messages go both ways", "[net][websocket][tls]") {
  certificate const c("DNS:localhost");
  test::temporary_folder const folder;
  websocket_server const server(echo, {.secure = c});
  auto o = patient();
  o.http.ca_file = folder.write("ca.pem", c.chain);
  testing::run(there_and_back(server.url("/", "localhost"), o, megabyte()));
  std::string const origin = "wss://127.0.0.1:" + std::to_string(server.port());
  fails_with(errc::access_denied, [&] { open(server.url(), o); }, "TLS refused", origin);
  fails_with(errc::access_denied, [&] { open(server.url("/", "localhost")); }, "not trusted");
  CHECK(server.seen().size() == 1);
}

TEST_CASE("a message in many frames, and many in one read, are one stream of bytes", "[net][websocket]") {
  websocket_server const server([](websocket_peer& peer) {
    peer.write_in_frames("abcdefghijabcdefghij", 8);
    peer.write("");
    peer.write("k");
    peer.write("l");
    peer.close(1000, "");
  });
  CHECK(all_from(server) == "abcdefghijabcdefghijkl");
}

TEST_CASE("of the sub-protocols that are offered one has to be chosen", "[net][websocket]") {
  auto o = patient();
  o.protocols = {"AMQPWSB10", "amqp"};
  o.headers.add("Authorization", "Bearer x");
  websocket_server const good(echo, {.protocol = "amqp"}), none(echo), other(echo, {.protocol = "mqtt"});
  auto const choice = [&](std::string url) -> task<std::string> {
    websocket_client const client(o);
    std::unique_ptr<websocket> const socket = co_await client.open(std::move(url));
    co_return socket->protocol();
  };
  CHECK(testing::run(choice(good.url())) == "amqp");
  CHECK(good.seen().at(0).at("sec-websocket-protocol") == "AMQPWSB10, amqp");
  CHECK(good.seen().at(0).at("authorization") == "Bearer x");
  fails_with(errc::incompatible, [&] { open(none.url(), o); }, "none of the sub-protocols AMQPWSB10, amqp", none.url(""));
  fails_with(errc::incompatible, [&] { open(other.url(), o); }, "mqtt, which was not offered");
  fails_with(errc::incompatible, [&] { open(good.url()); }, "amqp, which was not offered");
}

TEST_CASE("an answer that is no WebSocket says what it is", "[net][websocket]") {
  auto const answers = [](std::string instead, errc code, auto const&... parts) {
    websocket_server const server(echo, {.instead = std::move(instead)});
    fails_with(code, [&] { open(server.url("/secret/path")); }, server.url(""), parts...);
    try {
      open(server.url("/secret/path"));
    } catch (error const& e) {
      CHECK(std::string(e.what()).find("secret") == std::string::npos);
    }
  };
  auto const with_status = [](std::string const& status, std::string const& body = "") {
    return "HTTP/1.1 " + status + " So\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  };
  answers(with_status("400", "Invalid protocol\nselected"), errc::rejected, "status 400: Invalid protocol selected", "sub-protocols");
  answers(with_status("401"), errc::access_denied, "status 401");
  answers(with_status("403"), errc::access_denied, "status 403");
  answers(with_status("404"), errc::not_found, "status 404", "correct the path");
  answers(with_status("429"), errc::throttled, "status 429");
  answers(with_status("503"), errc::unavailable, "status 503");
  answers(with_status("200", "<html>"), errc::rejected, "status 200: <html>");
  answers("HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n", errc::malformed);
  answers("SSH-2.0-OpenSSH\r\n\r\n", errc::malformed, "cannot read the reply");
  answers("HTTP/1.1 101 Sw", errc::unavailable, "no whole reply");
}

TEST_CASE("a server that is not there, or does not answer, is given up", "[net][websocket]") {
  std::string gone;
  {
    websocket_server const server(echo);
    gone = server.url();
  }
  try {
    open(gone);
    FAIL("nothing was thrown");
  } catch (error const& e) {
    CHECK(e.code() == std::errc::connection_refused);
  }
  websocket_server const silent(echo, {.silent = true});
  auto o = patient();
  o.http.request_timeout = 100ms;
  fails_with(errc::timed_out, [&] { open(silent.url(), o); }, "100 ms", "request_timeout", silent.url(""));
}

TEST_CASE("a connection that is lost in the middle of a message is not its end", "[net][websocket]") {
  websocket_server const server([](websocket_peer& peer) { peer.raw(std::string("\x82\x0a") + "abc"); });  // 10 bytes, says the frame
  fails_with(errc::unavailable, [&] { all_from(server); }, "the connection was lost");
  websocket_server const between([](websocket_peer& peer) { peer.write("abc"); });  // no goodbye
  fails_with(errc::unavailable, [&] { all_from(between); }, "the connection was lost");
}

TEST_CASE("a server's goodbye is the end, unless its code says that something is wrong", "[net][websocket]") {
  for (std::uint16_t const code : {std::uint16_t{1000}, std::uint16_t{1001}}) {
    websocket_server const server([code](websocket_peer& peer) {
      peer.write("abc");
      peer.close(code, "");
    });
    CHECK(all_from(server) == "abc");
  }
  websocket_server const upset([](websocket_peer& peer) { peer.close(1011, "out of order\r\n"); });
  fails_with(errc::unavailable, [&] { all_from(upset); }, "code 1011: out of order");
}

TEST_CASE("what a server must not send ends it", "[net][websocket]") {
  websocket_server const wordy([](websocket_peer& peer) {
    peer.text("hello");
    peer.hold();
  });
  fails_with(errc::malformed, [&] { all_from(wordy); }, "text, and not bytes");
  websocket_server const odd([](websocket_peer& peer) {
    peer.raw("\xff\x01x");
    peer.hold();
  });
  fails_with(errc::malformed, [&] { all_from(odd); }, "cannot read");
  auto small = patient();
  small.most_message = 1000;
  for (std::size_t const frame : {std::size_t{0}, std::size_t{300}}) {
    websocket_server const large([frame](websocket_peer& peer) {
      peer.write_in_frames(std::string(1001, 'x'), frame);
      peer.hold();
    });
    fails_with(errc::too_large, [&] { all_from(large, small); }, "raise most_message");
  }
  websocket_server const fits([](websocket_peer& peer) {
    peer.write(std::string(1000, 'x'));
    peer.write(std::string(1000, 'y'));
    peer.close(1000, "");
  });
  CHECK(all_from(fits, small).size() == 2000);
}

TEST_CASE("pings are answered while it is read, and can be sent", "[net][websocket]") {
  std::promise<std::vector<std::string>> pongs, pings;
  websocket_server const server([&](websocket_peer& peer) {
    peer.ping("are you there");
    peer.write("x");
    peer.read();
    pongs.set_value(peer.pongs);
    pings.set_value(peer.pings);
    peer.hold();
  });
  auto const talk = [&]() -> task<> {
    websocket_client const client(patient());
    std::unique_ptr<websocket> const socket = co_await client.open(server.url());
    co_await socket->ping();
    std::string const heard = co_await read_bytes(*socket, 1);
    CHECK(heard == "x");
    co_await socket->write("go on");
    CHECK(pongs.get_future().get() == std::vector<std::string>{"are you there"});
    CHECK(pings.get_future().get() == std::vector<std::string>{""});
  };
  testing::run(talk());
}

// azure-sdk-for-net #60353: a goodbye on a connection whose other end is gone took for ever.
TEST_CASE("a goodbye that nobody answers ends in time", "[net][websocket]") {
  websocket_server const server([](websocket_peer& peer) { peer.hold(); });
  auto o = patient();
  o.close_timeout = 50ms;
  auto const leave = [&]() -> task<> {
    websocket_client const client(o);
    std::unique_ptr<websocket> const socket = co_await client.open(server.url());
    co_await socket->close();
    std::array<char, 1> room{};
    co_await socket->read_some(room);
  };
  fails_with(errc::unavailable, [&] { testing::run(leave()); });
}

TEST_CASE("waits end with their cancellation", "[net][websocket]") {
  websocket_server const server([](websocket_peer& peer) { peer.hold(); });
  auto const wait = [&]() -> task<> {
    websocket_client const client(patient());
    std::unique_ptr<websocket> const socket = co_await client.open(server.url());
    std::array<char, 1> room{};
    task<std::size_t> reading = socket->read_some(room);
    co_await with_timeout(1s, std::move(reading));  // virtual: at once
  };
  fails_with(errc::timed_out, [&] { testing::run(wait()); });
  websocket_server const silent(echo, {.silent = true});
  auto const begin = [&]() -> task<> {
    websocket_client const client(patient());
    task<std::unique_ptr<websocket>> opening = client.open(silent.url());
    co_await with_timeout(1s, std::move(opening));
  };
  fails_with(errc::timed_out, [&] { testing::run(begin()); });
}

TEST_CASE("a proxy is asked for a tunnel, for ws as for wss", "[net][websocket][proxy]") {
  test::tunnel_proxy const proxy;
  websocket_server const server(echo);
  auto o = patient();
  o.http.proxy = "http://127.0.0.1:" + std::to_string(proxy.port());
  testing::run(there_and_back(server.url("/", "stream.example"), o, "hello"));
  std::string const place = "stream.example:" + std::to_string(server.port());
  CHECK(proxy.seen().at(0).starts_with("CONNECT " + place + " HTTP/1.1\r\n"));
  CHECK(server.seen().at(0).at("host") == place);
}

TEST_CASE("what cannot be a WebSocket's address, or its options, is refused", "[net][websocket]") {
  for (std::string const url : {"http://localhost/", "localhost", "ws://", "wss://a:b@localhost/", "ws://localhost:0/"})
    fails_with(errc::invalid_option, [&] { open(url); }, "websocket: cannot open it", "write wss://");
  auto const refuses = [](auto change, std::string_view part) {
    auto o = patient();
    change(o);
    fails_with(errc::invalid_option, [&] { websocket_client const client(std::move(o)); }, part);
  };
  refuses([](auto& o) { o.close_timeout = 0ms; }, "close_timeout");
  refuses([](auto& o) { o.most_message = 0; }, "most_message");
  refuses([](auto& o) { o.http.request_timeout = 0ms; }, "request_timeout");
  refuses([](auto& o) { o.protocols = {"a b"}; }, "\"a b\"");
  refuses([](auto& o) { o.headers.add("upgrade", "x"); }, "upgrade is the client's own");
}
