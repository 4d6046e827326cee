#include <weir/amqp/connection.hpp>
#include <weir/amqp/message_view.hpp>
#include <weir/amqp/sasl_client.hpp>
#include <weir/eventhubs/detail/hub_session.hpp>
#include <weir/eventhubs/detail/partition_link.hpp>
#include <weir/eventhubs/detail/token_book.hpp>

#include "fuzz/targets.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace weir::test {
namespace {

using time_point = amqp::connection::clock::time_point;

// A frame says how it is: pieces of `piece` bytes, or all at once (0).
template <class Feed> void feed_in_pieces(std::string_view bytes, std::size_t piece, Feed feed) {
  if (piece == 0) return feed(bytes);
  for (std::size_t at = 0; at < bytes.size(); at += piece) feed(bytes.substr(at, piece));
}

std::string said_by_sasl(std::string_view bytes, std::size_t piece) {
  amqp::sasl_options options;
  options.mechanism = "PLAIN";
  options.user = "u";
  options.password = "p";
  options.hostname = "h";
  amqp::sasl_client client(options);
  std::string out;
  feed_in_pieces(bytes, piece, [&](std::string_view some) {
    if (client.progress() == amqp::sasl_progress::under_way) (void)client.feed(some);
    out += client.output();
    client.sent(client.output().size());
  });
  out += client.output();
  return out + '/' + std::to_string(static_cast<int>(client.progress())) + client.offered();
}

amqp::link_options link_of(amqp::role own, std::string_view name) {
  using namespace std::string_view_literals;
  amqp::link_options out;
  out.name = name;
  out.role = own;
  out.source = {"\x00\x53\x28\x45"sv};
  out.target = {"\x00\x53\x29\x45"sv};
  return out;
}

// A client with a receiver and a sender, which does what one would.
std::string said_by_connection(std::string_view bytes, std::size_t piece) {
  amqp::connection_options options;
  options.container_id = "client";
  options.max_frame_size = 4096;
  options.max_message_size = 100'000;
  options.channel_max = 20;
  amqp::connection client(options, time_point{});
  client.open();
  auto const session = client.begin();
  auto const receiver = client.attach(*session, link_of(amqp::role::receiver, "r"));
  auto const sender = client.attach(*session, link_of(amqp::role::sender, "s"));
  client.grant(*receiver, 10);
  std::string seen, said;  // apart, as pieces shift the one against the other
  std::size_t events = 0;
  auto const react = [&](amqp::connection_event const& event) {
    if (++events > 100'000) std::abort();
    seen += static_cast<char>('a' + event.index());
    if (auto const* const message = std::get_if<amqp::message_arrived>(&event)) {
      (void)amqp::message_view::read(message->bytes);
      seen += std::to_string(message->bytes.size());
      client.settle(message->link, message->delivery_id, message->delivery_id, amqp::outcome::accepted);
      if (client.credit(message->link) < 3) client.grant(message->link, 10);
    } else if (auto const* const attached = std::get_if<amqp::link_attached>(&event); attached != nullptr && attached->by_peer) {
      auto const own = attached->peer.role == amqp::role::sender ? amqp::role::receiver : amqp::role::sender;
      if (attached->peer.name.size() % 2 == 0) client.accept(attached->link, link_of(own, attached->peer.name));
      else client.refuse(attached->link, "amqp:not-found", "no");
    } else if (auto const* const credit = std::get_if<amqp::credit_changed>(&event)) {
      for (int i = 0; i != 3; ++i) (void)client.send(credit->link, "t", std::string(5000, 'x'));
      if (credit->drain) client.drained(credit->link);
    }
  };
  feed_in_pieces(bytes, piece, [&](std::string_view some) {
    client.feed(some, time_point{});
    while (auto const event = client.next()) react(*event);
    said += client.output();
    client.sent(client.output().size());
  });
  (void)client.credit(*sender);
  client.tick(time_point(std::chrono::hours(1)));
  while (auto const event = client.next()) react(*event);
  return seen + '/' + said + std::string(client.output());
}

eventhubs::detail::moment at(std::chrono::seconds t) {
  eventhubs::detail::moment out;
  out.at = time_point(t);
  out.unix_time = 1'700'000'000 + t.count();
  return out;
}

// A client that puts a token and reads a partition.
void run_hub_session(std::string_view bytes, std::size_t piece) {
  namespace hub = eventhubs::detail;
  hub::token_book tokens([](std::string const& audience, std::int64_t unix_time) {
    eventhubs::token out;
    out.text = audience;
    out.type = "jwt";
    out.expires = unix_time + 3600;
    return out;
  });
  tokens.want("sb://ns/hub", at(std::chrono::seconds(0)));
  hub::hub_session_options options;
  options.container_id = "client";
  options.hostname = "ns";
  options.patience = std::chrono::seconds(60);
  hub::hub_session session(options, tokens, at(std::chrono::seconds(0)));
  hub::partition_link_options reading;
  reading.event_hub = "hub";
  reading.partition = "0";
  reading.receiver = "me";
  reading.from = eventhubs::from_earliest{};
  hub::partition_link link(reading);
  bool asked = false;
  auto const run = [&](std::chrono::seconds t) {
    while (auto const event = session.next(at(t))) {
      link.take(session.connection(), *event);
      (void)link.records(&session.connection());
    }
    if (session.ready() && !std::exchange(asked, true))
      if (auto const own = session.connection().begin()) link.open(session.connection(), *own);
    session.sent(session.output().size());
  };
  feed_in_pieces(bytes, piece, [&](std::string_view some) {
    session.feed(some, at(std::chrono::seconds(1)));
    run(std::chrono::seconds(1));
  });
  for (int i = 1; i != 5; ++i) {
    session.tick(at(std::chrono::minutes(30 * i)));
    run(std::chrono::minutes(30 * i));
  }
}

// In pieces of one size, which the first byte says, as all at once.
template <class Say> void compare_pieces(std::string_view bytes, Say say) {
  if (bytes.empty()) return;
  std::size_t const piece = 1 + static_cast<unsigned char>(bytes.front()) % 64U;
  bytes.remove_prefix(1);
  if (say(bytes, 0) != say(bytes, piece)) std::abort();
}

}  // namespace

void fuzz_sasl(std::string_view bytes) { compare_pieces(bytes, said_by_sasl); }
void fuzz_connection(std::string_view bytes) { compare_pieces(bytes, said_by_connection); }
// When it asks for its link depends on the pieces, and with that what it says.
void fuzz_hub_session(std::string_view bytes) {
  run_hub_session(bytes, 0);
  run_hub_session(bytes, 7);
}

}  // namespace weir::test
