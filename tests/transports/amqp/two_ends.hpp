#pragma once
#include <weir/amqp/connection.hpp>

#include "support/catch.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace weir::test {

/// Two ends of a connection in memory; bytes go over in pieces of `piece`, or as they come (0).
class two_ends {
public:
  using time_point = amqp::connection::clock::time_point;

  explicit two_ends(std::size_t piece = 0, amqp::connection_options const& client_options = named("client"),
                    amqp::connection_options const& server_options = named("server"))
      : client(client_options, time_point{}), server(server_options, time_point{}), piece_(piece) {}

  static amqp::connection_options named(std::string name) {
    amqp::connection_options out;
    out.container_id = std::move(name);
    return out;
  }

  /// Moves what the client has to say.
  void to_server() { move(client, server); }
  void to_client() { move(server, client); }
  /// The next event of a side, which must be this.
  template <class Event> Event at_client() { return of<Event>(client, server); }
  template <class Event> Event at_server() { return of<Event>(server, client); }
  /// Nothing is left to happen.
  bool quiet() {
    for (bool moved = true; moved;) {
      moved = !client.output().empty() || !server.output().empty();
      to_server();
      to_client();
      if (client.next() || server.next()) return false;
    }
    return true;
  }
  /// Both are open, and a session is there.
  amqp::session_id open() {
    client.open();
    server.open();
    at_server<amqp::opened>();
    at_client<amqp::opened>();
    auto const session = client.begin();
    REQUIRE(session);
    CHECK(at_server<amqp::session_begun>().by_peer);
    CHECK(at_client<amqp::session_begun>().session == *session);
    return *session;
  }
  /// A link on which `own` is what the client does: its id there and at the server.
  std::pair<amqp::link_id, amqp::link_id> attach(amqp::session_id session, amqp::role own, std::string_view name = "link") {
    auto const link = client.attach(session, options(own, name));
    REQUIRE(link);
    auto const asked = at_server<amqp::link_attached>();
    CHECK(asked.by_peer);
    CHECK(asked.peer.name == name);
    server.accept(asked.link, options(own == amqp::role::sender ? amqp::role::receiver : amqp::role::sender, name));
    auto const answered = at_client<amqp::link_attached>();
    CHECK(answered.link == *link);
    CHECK_FALSE(answered.refused);
    return {*link, asked.link};
  }
  static amqp::link_options options(amqp::role own, std::string_view name) {
    using namespace std::string_view_literals;
    amqp::link_options out;
    out.name = name;
    out.role = own;
    out.source = {"\x00\x53\x28\x45"sv};
    out.target = {"\x00\x53\x29\x45"sv};
    return out;
  }

  time_point now{};
  amqp::connection client, server;

private:
  void move(amqp::connection& from, amqp::connection& to) {
    std::string const all(from.output());
    from.sent(all.size());
    waiting_.append(all);
    if (piece_ == 0) {
      to.feed(std::exchange(waiting_, {}), now);
    } else {
      for (std::size_t at = 0; at < waiting_.size(); at += piece_) to.feed(std::string_view(waiting_).substr(at, piece_), now);
      waiting_.clear();
    }
  }
  template <class Event> Event of(amqp::connection& side, amqp::connection& other) {
    auto event = side.next();
    for (int i = 0; i != 4 && !event; ++i) {
      move(side, other);
      move(other, side);
      event = side.next();
    }
    REQUIRE(event);
    REQUIRE(std::holds_alternative<Event>(*event));
    return std::get<Event>(*event);
  }

  std::size_t piece_;
  std::string waiting_;
};

}  // namespace weir::test
