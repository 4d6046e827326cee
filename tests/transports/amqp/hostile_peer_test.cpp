#include <weir/amqp/connection.hpp>
#include <weir/amqp/message_view.hpp>

#include "support/catch.hpp"
#include "transports/amqp/two_ends.hpp"

#include <cstddef>
#include <random>
#include <string>
#include <variant>

using namespace weir;
using test::two_ends;

namespace {

// What a server says to a client that opens, begins, and receives three messages, one of them in pieces.
std::string conversation() {
  auto options = two_ends::named("client");
  options.max_frame_size = 512;
  two_ends ends(0, options);
  ends.client.open();
  ends.server.open();
  auto const session = ends.client.begin();
  auto const link = ends.client.attach(*session, two_ends::options(amqp::role::receiver, "r"));
  ends.client.grant(*link, 10);
  ends.to_server();
  std::optional<amqp::link_id> out;
  while (auto const event = ends.server.next())
    if (auto const* const attached = std::get_if<amqp::link_attached>(&*event)) {
      out = attached->link;
      ends.server.accept(*out, two_ends::options(amqp::role::sender, "r"));
    }
  for (std::size_t const size : {10U, 1200U, 0U}) ends.server.send(*out, "tag", std::string(size, 'x'));
  ends.server.detach(*out, true, "amqp:link:stolen", "by another");
  ends.server.close("amqp:connection:forced", "bye");
  return std::string(ends.server.output());
}

// A client that has asked for all that; it answers what comes, as one would.
void receive(std::string_view bytes) {
  auto options = two_ends::named("client");
  options.max_frame_size = 512;
  amqp::connection client(options, two_ends::time_point{});
  client.open();
  auto const session = client.begin();
  auto const link = client.attach(*session, two_ends::options(amqp::role::receiver, "r"));
  client.grant(*link, 10);
  client.feed(bytes, two_ends::time_point{});
  std::size_t events = 0;
  while (auto const event = client.next()) {
    REQUIRE(++events < 1000);
    if (auto const* const message = std::get_if<amqp::message_arrived>(&*event)) {
      (void)amqp::message_view::read(message->bytes);
      client.settle(message->link, message->delivery_id, message->delivery_id, amqp::outcome::accepted);
    }
  }
  CHECK(client.output().size() < 4096);
}

}  // namespace

TEST_CASE("a conversation cut short or changed anywhere does no harm", "[amqp]") {
  std::string const all = conversation();
  REQUIRE(all.size() > 1400);
  for (std::size_t n = 0; n <= all.size(); ++n) receive(std::string_view(all).substr(0, n));
  std::mt19937 random(7);
  for (std::size_t at = 0; at != all.size(); ++at)
    for (unsigned const change : {0x01U, 0x80U, 0xffU, static_cast<unsigned>(random() & 0xff)}) {
      std::string changed = all;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ change);
      receive(changed);
    }
}
