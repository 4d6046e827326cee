// Against a peer whose frames are written here, one by one.
#include <weir/amqp/connection.hpp>
#include <weir/amqp/frame.hpp>
#include <weir/amqp/performatives.hpp>

#include "support/catch.hpp"
#include "transports/amqp/two_ends.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

using namespace weir;
using test::two_ends;

namespace {

class scripted_peer {
public:
  amqp::connection client{two_ends::named("client"), two_ends::time_point{}};

  // A session, and receivers of the client's whose senders have sent so many messages.
  scripted_peer(std::size_t receivers, std::uint32_t count) {
    client.open();
    session_ = *client.begin();
    for (std::size_t i = 0; i != receivers; ++i)
      links.push_back(*client.attach(session_, two_ends::options(amqp::role::receiver, "link" + std::to_string(i))));
    out_ = amqp::protocol_header(amqp::protocol::amqp);
    amqp::open open;
    open.container_id = "server";
    amqp::write_frame(out_, 0, open);
    amqp::begin begin;
    begin.remote_channel = session_.channel;
    begin.incoming_window = begin.outgoing_window = 100;
    amqp::write_frame(out_, 0, begin);
    for (std::size_t i = 0; i != receivers; ++i) {
      std::string const name = "link" + std::to_string(i);
      amqp::attach attach;
      attach.name = name;
      attach.handle = static_cast<std::uint32_t>(i);
      attach.source = {source_};
      attach.target = {target_};
      attach.initial_delivery_count = count;
      amqp::write_frame(out_, 0, attach);
    }
  }
  void transfer(std::uint32_t handle, std::optional<std::uint32_t> id, std::string_view part, bool more) {
    amqp::transfer body;
    body.handle = handle;
    body.delivery_id = id;
    if (id) body.delivery_tag = amqp::binary_view{"t"};
    body.settled = true;
    body.more = more;
    amqp::write_frame(out_, 0, body, part);
  }
  void leave(std::uint32_t handle) {
    amqp::detach body;
    body.handle = handle;
    body.closed = true;
    amqp::write_frame(out_, 0, body);
    amqp::write_frame(out_, 0, amqp::end{});
  }
  std::size_t said() const noexcept { return out_.size(); }
  // What the client makes of it: messages by their links. Of what was said, first so many bytes, then the others.
  std::map<amqp::link_id, std::vector<std::string>> messages(std::size_t split = 0) {
    std::map<amqp::link_id, std::vector<std::string>> out;
    std::string const all = std::exchange(out_, {});
    for (std::string_view const part : {std::string_view(all).substr(0, split), std::string_view(all).substr(split)}) {
      client.feed(part, {});
      take(out);
    }
    return out;
  }
  void take(std::map<amqp::link_id, std::vector<std::string>>& out) {
    while (auto const event = client.next()) {
      events += static_cast<char>('a' + event->index());
      if (auto const* const message = std::get_if<amqp::message_arrived>(&*event)) out[message->link].emplace_back(message->bytes);
      if (auto const* const over = std::get_if<amqp::connection_closed>(&*event)) FAIL(over->why.condition.text);
    }
  }
  // The last frame of this kind that the client has written.
  template <class Body> std::optional<Body> last() {
    sent_ += client.output();
    client.sent(client.output().size());
    std::optional<Body> out;
    std::string_view left = std::string_view(sent_).substr(8);
    for (auto frame = amqp::take_frame(left, 65536); frame && *frame; frame = amqp::take_frame(left, 65536)) {
      amqp::value_reader reader((*frame)->body);
      auto const body = amqp::read_performative(reader);
      if (body && std::holds_alternative<Body>(*body)) out = std::get<Body>(*body);
    }
    return out;
  }

  std::vector<amqp::link_id> links;
  std::string events;  // a letter for each, by its kind

private:
  std::string source_{std::string_view("\x00\x53\x28\x45", 4)}, target_{std::string_view("\x00\x53\x29\x45", 4)};
  amqp::session_id session_;
  std::string out_, sent_;
};

}  // namespace

// AMQP 1.0, 2.6.7: counts and credit are of serial arithmetic (RFC 1982).
TEST_CASE("a delivery count goes on behind its largest number, at either end", "[amqp]") {
  scripted_peer peer(1, 0xfffffffe);
  peer.client.grant(peer.links[0], 5);
  for (std::uint32_t id = 0; id != 3; ++id) peer.transfer(0, id, std::to_string(id), false);
  CHECK(peer.messages()[peer.links[0]] == std::vector<std::string>{"0", "1", "2"});
  CHECK(peer.client.credit(peer.links[0]) == 2);
  peer.client.grant(peer.links[0], 7);
  auto const flow = peer.last<amqp::flow>();
  REQUIRE(flow);
  CHECK(flow->delivery_count == 1);
  CHECK(flow->link_credit == 7);

  two_ends ends;  // a sender whose count is moved to its end by what it gives back
  auto const session = ends.open();
  auto const [sender, receiver] = ends.attach(session, amqp::role::sender);
  for (std::uint32_t const step : {0x7ffffff8U, 0x7ffffff8U}) {  // a step is at most half of the numbers
    ends.server.drain(receiver, step);
    CHECK(ends.at_client<amqp::credit_changed>().drain);
    ends.client.drained(sender);
    ends.at_server<amqp::link_drained>();
  }
  ends.server.grant(receiver, 40);
  ends.at_client<amqp::credit_changed>();
  CHECK(ends.client.credit(sender) == 40);
  for (int i = 0; i != 30; ++i) {
    REQUIRE(ends.client.send(sender, "t", "x", 0, true));
    ends.at_server<amqp::message_arrived>();
  }
  CHECK(ends.client.credit(sender) == 10);
  CHECK(ends.server.credit(receiver) == 10);
  ends.server.grant(receiver, 25);
  ends.at_client<amqp::credit_changed>();
  CHECK(ends.client.credit(sender) == 25);
}

// hdinsight/eventhubs-client #3.
TEST_CASE("messages of two links whose frames alternate are put together each by itself", "[amqp]") {
  scripted_peer peer(2, 0);
  for (auto const& link : peer.links) peer.client.grant(link, 5);
  peer.transfer(0, 0, "a1", true);
  peer.transfer(1, 1, "b1", true);
  peer.transfer(0, std::nullopt, "a2", true);
  peer.transfer(1, std::nullopt, "b2", false);
  peer.transfer(0, std::nullopt, "a3", false);
  peer.transfer(1, 2, "c", false);
  auto const got = peer.messages();
  CHECK(got.at(peer.links[0]) == std::vector<std::string>{"a1a2a3"});
  CHECK(got.at(peer.links[1]) == std::vector<std::string>{"b1b2", "c"});
}

TEST_CASE("what a peer says comes to the same wherever its bytes are split", "[amqp]") {
  auto const conversation = [] {
    scripted_peer out(2, 0);
    for (auto const& link : out.links) out.client.grant(link, 5);
    out.transfer(0, 0, "one", false);
    out.transfer(1, 1, "tw", true);
    out.transfer(1, std::nullopt, "o", false);
    out.leave(1);
    return out;
  };
  scripted_peer whole = conversation();
  std::size_t const size = whole.said();
  auto const messages = whole.messages();
  REQUIRE(messages.size() == 2);
  for (std::size_t split = 1; split != size; ++split) {
    CAPTURE(split);
    scripted_peer pieces = conversation();
    CHECK(pieces.messages(split) == messages);
    CHECK(pieces.events == whole.events);
    CHECK(pieces.client.output() == whole.client.output());
  }
}

// qpid-proton PROTON-936, azure-sdk-for-python PR #43462.
TEST_CASE("windows that are announced are open, and links are attached without a limit of messages", "[amqp]") {
  scripted_peer peer(1, 0);
  auto const begin = peer.last<amqp::begin>();
  REQUIRE(begin);
  CHECK(begin->outgoing_window == 0x7fffffff);
  CHECK(begin->incoming_window > 0);
  auto const attach = peer.last<amqp::attach>();
  REQUIRE(attach);
  CHECK_FALSE(attach->max_message_size);
}
