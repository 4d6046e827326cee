#include <weir/amqp/connection.hpp>
#include <weir/amqp/message_view.hpp>
#include <weir/amqp/terminus.hpp>
#include <weir/amqp/terminus_writer.hpp>
#include <weir/eventhubs/detail/request_channel.hpp>
#include <weir/eventhubs/sas_token.hpp>

#include "support/catch.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

using namespace weir;
using eventhubs::detail::request_channel;

namespace {

amqp::connection_options named(std::string name) {
  amqp::connection_options out;
  out.container_id = std::move(name);
  return out;
}

// A service with a node "$cbs" which knows one key, in memory: what Event Hubs does with tokens.
class token_service {
public:
  amqp::connection client{named("client"), {}}, server{named("server"), {}};
  std::map<std::string, std::string> accepted;  // token by audience
  bool refuse_links = false, old_names = false, silent = false;

  amqp::session_id open() {
    client.open();
    server.open();
    exchange(nullptr);
    auto const session = client.begin();
    exchange(nullptr);
    REQUIRE(session);
    return *session;
  }
  // Moves all there is; answers of the channel are kept.
  struct answer {
    std::uint64_t request;
    int status;
    std::string condition;
  };
  std::vector<answer> exchange(request_channel* channel) {
    std::vector<answer> out;
    for (bool moved = true; moved;) {
      moved = !client.output().empty() || !server.output().empty();
      auto const up = std::string(client.output()), down = std::string(server.output());
      client.sent(up.size());
      server.sent(down.size());
      server.feed(up, {});
      client.feed(down, {});
      while (auto const event = server.next()) on(*event);
      while (auto const event = client.next()) {
        if (channel != nullptr) channel->take(client, *event);
        if (channel != nullptr && channel->reply())
          out.push_back({channel->reply()->request, channel->reply()->status, std::string(channel->reply()->condition)});
      }
    }
    return out;
  }
  void lose_links() {
    server.detach(*requests_, true, "amqp:link:detach-forced", "idle");
    server.detach(*answers_, true, "amqp:link:detach-forced", "idle");
  }

private:
  void on(amqp::connection_event const& event) {
    if (auto const* const attached = std::get_if<amqp::link_attached>(&event)) return link(*attached);
    if (auto const* const message = std::get_if<amqp::message_arrived>(&event)) return put_token(*message);
  }
  void link(amqp::link_attached const& asked) {
    if (refuse_links) return server.refuse(asked.link, "amqp:not-allowed", "A link to connection ... $cbs node has already been opened");
    bool const requests = asked.peer.role == amqp::role::sender;
    CHECK((requests ? amqp::read_target(asked.peer.target)->address : amqp::read_source(asked.peer.source)->address) == "$cbs");
    (requests ? requests_ : answers_) = asked.link;
    amqp::link_options mine;
    mine.name = asked.peer.name;
    mine.role = requests ? amqp::role::receiver : amqp::role::sender;
    mine.source = asked.peer.source;
    mine.target = asked.peer.target;
    server.accept(asked.link, mine);
    if (requests) server.grant(asked.link, 2);
    if (!requests) reply_to_ = asked.peer.name;
  }
  void put_token(amqp::message_arrived const& arrived) {
    server.settle(arrived.link, arrived.delivery_id, arrived.delivery_id, amqp::outcome::accepted);
    server.grant(*requests_, 2);
    auto const message = amqp::message_view::read(arrived.bytes);
    REQUIRE(message.has_value());
    auto const about = amqp::read_properties(message->properties);
    CHECK(about->to == "$cbs");
    CHECK(about->reply_to == reply_to_);
    CHECK(amqp::find(message->application_properties, "operation")->text() == "put-token");
    CHECK(amqp::find(message->application_properties, "type")->text() == "servicebus.windows.net:sastoken");
    std::string const name(*amqp::find(message->application_properties, "name")->text()), token(*message->body.text());
    bool const good = token == eventhubs::sas_token(name, "n", "key", 1795965383);
    if (good) accepted[name] = token;
    if (silent) return;
    std::string bytes;
    amqp::message_writer reply(bytes);
    amqp::properties_view to;
    to.correlation_id = about->message_id;
    reply.properties(to);
    auto const map = reply.begin_application_properties();
    reply.to().string(old_names ? "statusCode" : "status-code");
    reply.to().int32(good ? 202 : 401);
    if (!good) {
      reply.to().string("error-condition");
      reply.to().symbol("com.microsoft:auth-failed");
    }
    reply.end(map);
    server.send(*answers_, "t", bytes);
  }

  std::optional<amqp::link_id> requests_, answers_;
  std::string reply_to_;
};

std::optional<std::uint64_t> put(request_channel& channel, amqp::connection& client, std::string const& audience, std::string_view key) {
  return channel.ask(client, [&](amqp::message_writer& message) {
    auto const map = message.begin_application_properties();
    message.to().string("operation");
    message.to().string("put-token");
    message.to().string("type");
    message.to().string("servicebus.windows.net:sastoken");
    message.to().string("name");
    message.to().string(audience);
    message.end(map);
    message.begin_value();
    message.to().string(eventhubs::sas_token(audience, "n", key, 1795965383));
  });
}

}  // namespace

TEST_CASE("a request is answered under its number", "[eventhubs]") {
  for (bool const old_names : {false, true}) {
    token_service service;
    service.old_names = old_names;
    auto const session = service.open();
    request_channel channel("$cbs", "cbs-1");
    CHECK_FALSE(put(channel, service.client, "sb://h/hub", "key"));  // no link yet
    channel.open(service.client, session);
    CHECK_FALSE(channel.ready(service.client));
    service.exchange(&channel);
    REQUIRE(channel.ready(service.client));
    auto const first = put(channel, service.client, "sb://h/hub", "key");
    auto const second = put(channel, service.client, "sb://h/other", "wrong");
    REQUIRE((first && second));
    CHECK_FALSE(put(channel, service.client, "sb://h/third", "key"));  // the node takes two at a time
    auto const answers = service.exchange(&channel);
    REQUIRE(answers.size() == 2);
    CHECK(answers[0].request == *first);
    CHECK(answers[0].status == 202);
    CHECK(answers[1].request == *second);
    CHECK(answers[1].status == 401);
    CHECK(answers[1].condition == "com.microsoft:auth-failed");
    CHECK(service.accepted.size() == 1);
  }
}

TEST_CASE("answers go on for as long as there are requests", "[eventhubs]") {
  token_service service;
  auto const session = service.open();
  request_channel channel("$cbs", "cbs-1");
  channel.open(service.client, session);
  service.exchange(&channel);
  for (int i = 0; i != 1000; ++i) {
    REQUIRE(put(channel, service.client, "sb://h/" + std::to_string(i), "key"));
    REQUIRE(service.exchange(&channel).size() == 1);
  }
  CHECK(service.accepted.size() == 1000);
}

TEST_CASE("a node that does not take the links, or lets go of them, is lost", "[eventhubs]") {
  token_service service;
  service.refuse_links = true;
  auto session = service.open();
  request_channel channel("$cbs", "cbs-1");
  channel.open(service.client, session);
  service.exchange(&channel);
  CHECK(channel.lost());
  CHECK_FALSE(put(channel, service.client, "sb://h/hub", "key"));

  token_service other;
  session = other.open();
  request_channel dropped("$cbs", "cbs-2");
  dropped.open(other.client, session);
  other.exchange(&dropped);
  other.silent = true;
  REQUIRE(put(dropped, other.client, "sb://h/hub", "key"));
  other.lose_links();
  CHECK(other.exchange(&dropped).empty());
  CHECK(dropped.lost());
  CHECK_FALSE(dropped.ready(other.client));
}
