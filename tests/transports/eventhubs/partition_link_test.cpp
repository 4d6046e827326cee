#include <weir/amqp/connection.hpp>
#include <weir/amqp/message_writer.hpp>
#include <weir/amqp/terminus.hpp>
#include <weir/eventhubs/detail/partition_link.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

using namespace weir;
using eventhubs::reaction;
using eventhubs::detail::partition_link;
using eventhubs::detail::partition_link_options;

namespace {

amqp::connection_options named(std::string name) {
  amqp::connection_options out;
  out.container_id = std::move(name);
  return out;
}

partition_link_options reading(std::uint32_t most_events = 10) {
  partition_link_options out;
  out.event_hub = "hub";
  out.partition = "3";
  out.receiver = "me";
  out.from = eventhubs::from_earliest{};
  out.most_events = most_events;
  return out;
}

// A hub with one partition, in memory: it gives what the filter asks for, as far as there is credit.
class small_hub {
public:
  amqp::connection client{named("client"), {}}, server{named("server"), {}};
  std::vector<std::string> bodies;  // the number of an event is its index
  std::vector<std::string> filters;
  std::optional<std::int64_t> epoch;
  std::string refuse_with;
  std::size_t sent = 0;
  bool presettled = false;

  amqp::session_id session() {
    if (!opened_) {
      client.open();
      server.open();
      opened_ = true;
    }
    exchange(nullptr);
    auto const out = client.begin();
    exchange(nullptr);
    REQUIRE(out);
    return *out;
  }
  void exchange(partition_link* link) {
    for (bool moved = true; moved;) {
      auto const up = std::string(client.output());
      client.sent(up.size());
      server.feed(up, {});
      while (auto const event = server.next()) on(*event);
      send();
      auto const down = std::string(server.output());
      server.sent(down.size());
      client.feed(down, {});
      moved = !up.empty() || !down.empty();
      while (auto const event = client.next())
        if (link != nullptr) link->take(client, *event);
    }
  }
  void lose(std::string_view condition) { server.detach(*link_, true, condition, "so it is"); }
  std::uint32_t credit() const { return server.credit(*link_); }

private:
  void on(amqp::connection_event const& event) {
    auto const* const asked = std::get_if<amqp::link_attached>(&event);
    if (asked == nullptr) return;
    if (!refuse_with.empty()) return server.refuse(asked->link, refuse_with, "so it is");
    auto const source = amqp::read_source(asked->peer.source);
    CHECK(source->address == "hub/ConsumerGroups/$Default/Partitions/3");
    auto const filter = amqp::find(*amqp::value_reader(source->filter.bytes).next(), "apache.org:selector-filter:string")->description();
    filters.emplace_back(*filter->second.text());
    auto const properties = *amqp::value_reader(asked->peer.properties.bytes).next();
    CHECK(amqp::find(properties, "com.microsoft:receiver-name")->text() == "me");
    epoch = amqp::find(properties, "com.microsoft:epoch")->integer();
    std::string_view const behind = "amqp.annotation.x-opt-sequence-number > '";
    next_ = filters.back().starts_with(behind) ? static_cast<std::size_t>(std::stoull(filters.back().substr(behind.size()))) + 1 : 0;
    link_ = asked->link;
    amqp::link_options mine;
    mine.name = asked->peer.name;
    mine.role = amqp::role::sender;
    mine.source = asked->peer.source;
    mine.target = asked->peer.target;
    server.accept(asked->link, mine);
  }
  void send() {
    while (link_ && next_ < bodies.size() && server.credit(*link_) > 0) {
      std::string bytes;
      amqp::message_writer message(bytes);
      auto const map = message.begin_message_annotations();
      message.to().symbol("x-opt-sequence-number");
      message.to().int64(static_cast<std::int64_t>(next_));
      message.to().symbol("x-opt-offset");
      message.to().string(std::to_string(next_ * 64));
      message.end(map);
      message.data(bodies[next_]);
      if (!server.send(*link_, "t", bytes, 0, presettled)) return;
      ++next_;
      ++sent;
    }
  }

  bool opened_ = false;
  std::optional<amqp::link_id> link_;
  std::size_t next_ = 0;
};

std::vector<std::string> numbered(std::size_t n) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i != n; ++i) out.push_back("event " + std::to_string(i));
  return out;
}

}  // namespace

TEST_CASE("a slow reader is sent no more than its window", "[eventhubs]") {
  for (bool const presettled : {false, true}) {
    small_hub hub;
    hub.presettled = presettled;
    hub.bodies = numbered(1000);
    partition_link link(reading(10));
    link.open(hub.client, hub.session());
    hub.exchange(&link);
    CHECK(hub.filters == std::vector<std::string>{"amqp.annotation.x-opt-offset > '-1'"});
    CHECK_FALSE(hub.epoch);
    std::vector<std::string> got;
    while (got.size() != 1000) {
      hub.exchange(&link);
      REQUIRE(link.waiting() > 0);
      CHECK(link.waiting() + hub.credit() <= 10);
      CHECK(hub.sent <= got.size() + 10);
      for (int idle = 0; idle != 50; ++idle) hub.exchange(&link);  // nobody takes: nothing more comes
      CHECK(link.waiting() + hub.credit() <= 10);
      for (auto const& r : link.records(&hub.client)) {
        CHECK(r.partition() == "3");
        CHECK(r.sequence_number() == static_cast<std::int64_t>(got.size()));
        got.emplace_back(r.payload());
      }
    }
    CHECK(got == hub.bodies);
  }
}

// azure-sdk-for-cpp #7254, azure-sdk-for-python #31258: after a detach nothing came, or all of it again.
TEST_CASE("after a detach the next link goes on behind the last event", "[eventhubs]") {
  small_hub hub;
  hub.bodies = numbered(100);
  auto options = reading(7);
  options.owner_level = 4;
  partition_link link(options);
  link.open(hub.client, hub.session());
  std::vector<std::string> got;
  for (int round = 0; got.size() != 100; ++round) {
    hub.exchange(&link);
    if (round % 3 == 1) {  // with events that nobody took yet
      hub.lose("amqp:link:detach-forced");
      hub.exchange(&link);
      REQUIRE(link.lost());
      CHECK(link.lost()->does == reaction::again);
      CHECK(link.lost()->description == "so it is");
      link.open(hub.client, hub.session());
      hub.exchange(&link);
      CHECK(hub.epoch == 4);
    }
    for (auto const& r : link.records(&hub.client)) got.emplace_back(r.payload());
  }
  CHECK(got == hub.bodies);
  CHECK(hub.filters.size() > 3);
  CHECK(hub.filters.at(1).starts_with("amqp.annotation.x-opt-sequence-number > '"));
}

TEST_CASE("what a link was lost for decides what to do", "[eventhubs]") {
  struct row {
    std::string_view condition;
    reaction does;
  };
  for (auto const& [condition, does] : {row{"amqp:link:stolen", reaction::let_go}, row{"com.microsoft:server-busy", reaction::later},
                                        row{"amqp:unauthorized-access", reaction::new_token}}) {
    small_hub hub;
    hub.bodies = numbered(5);
    partition_link link(reading());
    link.open(hub.client, hub.session());
    hub.exchange(&link);
    hub.lose(condition);
    hub.exchange(&link);
    REQUIRE(link.lost());
    CHECK(link.lost()->condition == condition);
    CHECK(link.lost()->does == does);
    CHECK(link.records(&hub.client).size() == 5);  // they came before
    hub.exchange(&link);
    CHECK(hub.client.fault() == std::nullopt);
  }
  small_hub refusing;
  refusing.refuse_with = "amqp:resource-limit-exceeded";
  partition_link link(reading());
  link.open(refusing.client, refusing.session());
  refusing.exchange(&link);
  REQUIRE(link.lost());
  CHECK_FALSE(link.attached());
  CHECK(link.lost()->does == reaction::give_up);
  // azure-sdk-for-net #48101: a position that is none of this hub's is given up for the start that was asked for.
  small_hub failed_over;
  failed_over.bodies = numbered(5);
  auto from_checkpoint = reading();
  eventhubs::from_offset gone;
  gone.offset = "4711";
  from_checkpoint.from = gone;
  from_checkpoint.otherwise = eventhubs::from_earliest{};
  partition_link moved(from_checkpoint);
  moved.open(failed_over.client, failed_over.session());
  failed_over.exchange(&moved);
  CHECK(moved.records(&failed_over.client).size() == 5);
  failed_over.lose("com.microsoft:georeplication:invalid-offset");
  failed_over.exchange(&moved);
  CHECK(std::holds_alternative<eventhubs::from_earliest>(moved.next_start()));
}
