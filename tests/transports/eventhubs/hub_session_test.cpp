#include <weir/eventhubs/detail/hub_session.hpp>

#include <weir/amqp/message_view.hpp>
#include <weir/amqp/message_writer.hpp>
#include <weir/error.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using namespace std::string_literals;
using eventhubs::detail::hub_session;
using eventhubs::detail::hub_session_options;
using eventhubs::detail::moment;
using eventhubs::detail::token_book;

namespace {

moment at(std::int64_t s) {
  moment out;
  out.at += std::chrono::seconds(s);
  out.unix_time = 1000 + s;
  return out;
}
hub_session_options patient() {
  hub_session_options out;
  out.container_id = "weir-1";
  out.hostname = "ns.example";
  out.patience = 30s;
  return out;
}
token_book hourly() {
  return token_book([](std::string const& audience, std::int64_t now) {
    eventhubs::token out;
    out.text = audience + " from " + std::to_string(now);
    out.expires = now + 3600;
    return out;
  });
}
amqp::connection_options named(std::string name) {
  amqp::connection_options out;
  out.container_id = std::move(name);
  out.idle_time_out = 240s;
  return out;
}

std::string const sasl_header("AMQP\x03\x01\x00\x00", 8);
// sasl-mechanisms with ANONYMOUS, MSSBCBS and PLAIN, and sasl-outcome with ok, as a broker wrote them.
std::string const mechanisms =
    "\x00\x00\x00\x36\x02\x01\x00\x00\x00\x53\x40\xd0\x00\x00\x00\x26\x00\x00\x00\x01\xf0\x00\x00\x00\x1d\x00\x00\x00\x03\xa3"
    "\x09"
    "ANONYMOUS"
    "\x07"
    "MSSBCBS"
    "\x05"
    "PLAIN"s;
std::string const let_in = "\x00\x00\x00\x16\x02\x01\x00\x00\x00\x53\x44\xd0\x00\x00\x00\x06\x00\x00\x00\x01\x50\x00"s;

// The service, in memory: what it has of SASL, the connection, and $cbs.
class token_node {
public:
  amqp::connection server{named("service"), {}};
  std::vector<std::string> tokens;
  int status = 202;
  bool silent = false, refuse = false;
  std::size_t pairs = 0, links = 0, most_links = 0;  // of $cbs: in all, there now, at a time

  // Moves all there is, by pieces of so many bytes; false: nothing moved.
  void exchange(hub_session& client, moment now, std::size_t piece = 4096) {
    for (bool moved = true; moved;) {
      std::string const up(client.output());
      client.sent(up.size());
      take(up, now);
      std::string const down = std::exchange(greeting_, {}) + std::string(server_speaks_ ? server.output() : std::string_view());
      if (server_speaks_) server.sent(server.output().size());
      for (std::string_view left = down; !left.empty(); left.remove_prefix(std::min(piece, left.size()))) {
        client.feed(left.substr(0, piece), now);
        while (client.next(now)) {}
      }
      while (client.next(now)) {}
      moved = !up.empty() || !down.empty();
    }
  }
  void lose_half_of_pair() {
    server.detach(*requests_, true, "amqp:link:detach-forced", "idle");
    --links;
  }

private:
  void take(std::string const& bytes, moment now) {
    sasl_ += bytes;
    if (!server_speaks_) {
      auto const whole = [&] {
        if (sasl_.size() < 12) return std::size_t{0};
        return std::size_t{8} + static_cast<unsigned char>(sasl_[11]);  // the header, and a short frame
      }();
      if (whole == 0 || sasl_.size() < whole) return;
      sasl_.erase(0, whole);
      greeting_ += let_in;
      server_speaks_ = true;
      server.open();
    }
    server.feed(std::exchange(sasl_, {}), now.at);
    while (auto const event = server.next()) on(*event);
  }
  void on(amqp::connection_event const& event) {
    if (auto const* const attached = std::get_if<amqp::link_attached>(&event)) return link(*attached);
    if (std::holds_alternative<amqp::session_ended>(event)) links = 0;
    if (auto const* const message = std::get_if<amqp::message_arrived>(&event)) return put(*message);
  }
  void link(amqp::link_attached const& asked) {
    if (refuse) return server.refuse(asked.link, "amqp:not-allowed", "there is one already");
    bool const requests = asked.peer.role == amqp::role::sender;
    (requests ? requests_ : answers_) = asked.link;
    pairs += requests ? 1 : 0;
    most_links = std::max(most_links, ++links);
    amqp::link_options mine;
    mine.name = asked.peer.name;
    mine.role = requests ? amqp::role::receiver : amqp::role::sender;
    mine.source = asked.peer.source;
    mine.target = asked.peer.target;
    server.accept(asked.link, mine);
    if (requests) server.grant(asked.link, 100);
  }
  void put(amqp::message_arrived const& arrived) {
    auto const message = amqp::message_view::read(arrived.bytes);
    auto const about = amqp::read_properties(message->properties);
    CHECK(amqp::find(message->application_properties, "operation")->text() == "put-token");
    CHECK(amqp::find(message->application_properties, "type")->text() == "servicebus.windows.net:sastoken");
    tokens.emplace_back(*message->body.text());
    server.settle(arrived.link, arrived.delivery_id, arrived.delivery_id, amqp::outcome::accepted);
    if (silent) return;
    std::string bytes;
    amqp::message_writer reply(bytes);
    amqp::properties_view to;
    to.correlation_id = about->message_id;
    reply.properties(to);
    auto const map = reply.begin_application_properties();
    reply.to().string("status-code");
    reply.to().int32(status);
    reply.end(map);
    server.send(*answers_, "t", bytes);
  }

  std::string sasl_, greeting_ = sasl_header + mechanisms;
  bool server_speaks_ = false;
  std::optional<amqp::link_id> requests_, answers_;
};

}  // namespace

TEST_CASE("a session opens and puts its tokens, whatever pieces the bytes come in", "[eventhubs]") {
  for (std::size_t const piece : {std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
    token_book book = hourly();
    book.want("a", at(0));
    token_node service;
    hub_session client(patient(), book, at(0));
    service.exchange(client, at(1), piece);
    CHECK(client.ready());
    CHECK(service.tokens == std::vector<std::string>{"a from 1001"});
    CHECK(book.holds("a", 1001));
    book.want("b", at(2));
    CHECK(client.deadline() == at(2).at);
    client.tick(at(2));
    service.exchange(client, at(2), piece);
    CHECK(service.tokens.size() == 2);
    client.tick(at(2701));  // three quarters of the first one's hour
    service.exchange(client, at(2701), piece);
    CHECK(service.pairs == 1);
  }
}

// event-hubs-node #174: a second pair of links to $cbs is refused.
TEST_CASE("a pair of links to $cbs that is lost is followed by another, one at a time", "[eventhubs]") {
  token_book book = hourly();
  book.want("a", at(0));
  token_node service;
  hub_session client(patient(), book, at(0));
  service.exchange(client, at(0));
  service.lose_half_of_pair();
  service.exchange(client, at(1));
  CHECK(service.pairs == 2);
  CHECK(service.most_links == 2);
  CHECK(client.ready());
  book.want("b", at(2));
  client.tick(at(2));
  service.exchange(client, at(2));
  CHECK(service.tokens.back() == "b from 1002");
}

// A service that takes the links and lets go of them again and again.
TEST_CASE("a pair of links to $cbs that is lost each time is asked for with pauses", "[eventhubs]") {
  token_book book = hourly();
  book.want("a", at(0));
  token_node service;
  service.silent = true;
  hub_session client(patient(), book, at(0));
  service.exchange(client, at(0));
  REQUIRE(service.pairs == 1);
  for (auto const& [then, next] : {std::pair(0, 0), std::pair(0, 1), std::pair(1, 3), std::pair(3, 7)}) {
    std::size_t const before = service.pairs;
    service.lose_half_of_pair();
    service.exchange(client, at(then));
    CHECK(service.pairs == before + (next == then ? 1 : 0));
    if (next != then) {
      client.tick(at(next - 1));
      service.exchange(client, at(next - 1));
      CHECK(service.pairs == before);
      CHECK(client.deadline() <= at(next).at);
      client.tick(at(next));
      service.exchange(client, at(next));
      CHECK(service.pairs == before + 1);
    }
  }
  CHECK_FALSE(client.lost());
}

TEST_CASE("a service that does not answer, or not to this, is given up in time", "[eventhubs]") {
  token_book book = hourly();
  hub_session alone(patient(), book, at(0));
  CHECK(alone.deadline() == at(30).at);
  alone.tick(at(29));
  CHECK_FALSE(alone.lost());
  alone.tick(at(30));
  REQUIRE(alone.lost());
  CHECK(alone.lost()->code == errc::timed_out);
  // A token that is not answered is put again; the connection stays.
  book.want("a", at(0));
  token_node service;
  service.silent = true;
  hub_session client(patient(), book, at(0));
  service.exchange(client, at(0));
  client.tick(at(30));
  CHECK_FALSE(client.lost());
  service.silent = false;
  client.tick(at(31));
  service.exchange(client, at(31));
  CHECK(service.tokens == std::vector<std::string>{"a from 1000", "a from 1031"});
  CHECK(book.holds("a", 1031));
}

TEST_CASE("why a connection is over is said", "[eventhubs]") {
  token_book book = hourly();
  {
    token_node service;
    hub_session client(patient(), book, at(0));
    service.exchange(client, at(0));
    service.server.close("amqp:connection:forced", "inactive for more than the allowed 240000 milliseconds");
    service.exchange(client, at(1));
    REQUIRE(client.lost());
    CHECK(client.lost()->code == errc::unavailable);
    CHECK(client.lost()->why ==
          "the service closed the connection: amqp:connection:forced: inactive for more than the allowed 240000 milliseconds");
  }
  {
    token_node service;
    service.refuse = true;
    hub_session client(patient(), book, at(0));
    service.exchange(client, at(0));
    REQUIRE(client.lost());
    CHECK(client.lost()->code == errc::rejected);
    CHECK(client.lost()->why == "no tokens can be put: amqp:not-allowed: there is one already");
  }
  hub_session confused(patient(), book, at(0));
  confused.feed("HTTP/1.1 400 Bad Request", at(0));
  REQUIRE(confused.lost());
  CHECK(confused.lost()->code == errc::malformed);
  // azure-sdk-for-js #6118: a peer that was silent was never given up.
  token_node quiet;
  hub_session client(patient(), book, at(0));
  quiet.exchange(client, at(0));
  client.tick(at(60));
  CHECK_FALSE(client.next(at(60)));
  REQUIRE(client.lost());
  CHECK(client.lost()->why == "the service was not heard of for too long");
}

TEST_CASE("a goodbye is over when it is answered, or in two seconds", "[eventhubs]") {
  token_book book = hourly();
  for (bool const answered : {true, false}) {
    token_node service;
    hub_session client(patient(), book, at(0));
    service.exchange(client, at(0));
    client.close(at(1));
    if (answered) service.exchange(client, at(1));
    else client.tick(at(3));
    REQUIRE(client.lost());
    CHECK(client.lost()->code == errc::cancelled);
  }
}
