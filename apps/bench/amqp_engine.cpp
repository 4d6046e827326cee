// Messages of 200 bytes over a connection of AMQP in memory, both ends on this core: sent, cut into frames, read, settled; beside Qpid
// Proton's connection driver doing the same, where that is there.
#include "reference.hpp"

#include <weir/amqp/connection.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#if WEIR_HAS_PROTON
#include <proton/connection.h>
#include <proton/connection_driver.h>
#include <proton/delivery.h>
#include <proton/event.h>
#include <proton/link.h>
#include <proton/sasl.h>
#include <proton/session.h>
#include <proton/transport.h>
#endif

namespace {

using namespace weir;
constexpr std::int64_t messages = 10'000;
constexpr std::uint32_t window = 300;

class weir_ends {
public:
  weir_ends() : client_(named("client"), {}), server_(named("server"), {}) {
    client_.open();
    server_.open();
    auto const session = client_.begin();
    receiver_ = *client_.attach(*session, link(amqp::role::receiver));
    client_.grant(receiver_, window);
    while (!sender_) exchange();
    while (server_.credit(*sender_) == 0) exchange();
  }
  std::size_t run() {
    std::string const body(200, 'x');
    std::size_t bytes = 0;
    std::int64_t sent = 0, got = 0;
    while (got != messages) {
      while (sent != messages && server_.send(*sender_, "tag", body)) ++sent;
      take_to(server_, client_);
      std::optional<std::uint32_t> first;
      std::uint32_t last = 0;
      while (auto const event = client_.next()) {
        auto const* const message = std::get_if<amqp::message_arrived>(&*event);
        if (message == nullptr) continue;
        bytes += message->bytes.size();
        ++got;
        last = message->delivery_id;
        if (!first) first = last;
      }
      if (first) {
        client_.settle(receiver_, *first, last, amqp::outcome::accepted);
        client_.grant(receiver_, window);
      }
      take_to(client_, server_);
      while (server_.next()) {}
    }
    return bytes;
  }

private:
  static amqp::connection_options named(char const* name) {
    amqp::connection_options out;
    out.container_id = name;
    return out;
  }
  static amqp::link_options link(amqp::role own) {
    using namespace std::string_view_literals;
    amqp::link_options out;
    out.name = "link";
    out.role = own;
    out.source = {"\x00\x53\x28\x45"sv};
    out.target = {"\x00\x53\x29\x45"sv};
    return out;
  }
  static void take_to(amqp::connection& from, amqp::connection& to) {
    to.feed(from.output(), {});
    from.sent(from.output().size());
  }
  void exchange() {
    take_to(client_, server_);
    while (auto const event = server_.next())
      if (auto const* const asked = std::get_if<amqp::link_attached>(&*event)) {
        server_.accept(asked->link, link(amqp::role::sender));
        sender_ = asked->link;
      }
    take_to(server_, client_);
    while (client_.next()) {}
  }

  amqp::connection client_, server_;
  amqp::link_id receiver_;
  std::optional<amqp::link_id> sender_;
};

void by_weir(benchmark::State& state) {
  weir_ends ends;
  for (auto _ : state) benchmark::DoNotOptimize(ends.run());
  bench::per_element(state, messages);
}

#if WEIR_HAS_PROTON
class proton_ends {
public:
  proton_ends() {
    for (auto* const d : {&client_, &server_}) pn_connection_driver_init(d, nullptr, nullptr);
    pn_transport_set_server(server_.transport);
    pn_connection_open(client_.connection);
    pn_session_t* const session = pn_session(client_.connection);
    pn_session_open(session);
    receiver_ = pn_receiver(session, "link");
    pn_link_open(receiver_);
    pn_link_flow(receiver_, window);
    while (sender_ == nullptr || pn_link_credit(sender_) == 0) exchange();
  }
  proton_ends(proton_ends const&) = delete;
  proton_ends& operator=(proton_ends const&) = delete;
  ~proton_ends() {
    for (auto* const d : {&client_, &server_}) pn_connection_driver_destroy(d);
  }
  std::size_t run() {
    std::string const body(200, 'x');
    bytes_ = 0;
    got_ = 0;
    std::int64_t sent = 0;
    while (got_ != messages) {
      while (sent != messages && pn_link_credit(sender_) > 0) {
        pn_delivery(sender_, pn_dtag("tag", 3));
        pn_link_send(sender_, body.data(), body.size());
        pn_link_advance(sender_);
        ++sent;
      }
      exchange();
    }
    return bytes_;
  }

private:
  static void move(pn_connection_driver_t& from, pn_connection_driver_t& to) {
    for (;;) {
      pn_bytes_t const out = pn_connection_driver_write_buffer(&from);
      pn_rwbytes_t const in = pn_connection_driver_read_buffer(&to);
      std::size_t const size = out.size < in.size ? out.size : in.size;
      if (size == 0) return;
      std::string_view(out.start, size).copy(in.start, size);
      pn_connection_driver_write_done(&from, size);
      pn_connection_driver_read_done(&to, size);
    }
  }
  void exchange() {
    take_events(client_);
    move(client_, server_);
    take_events(server_);
    move(server_, client_);
  }
  void take_events(pn_connection_driver_t& of) {
    while (pn_event_t* const event = pn_connection_driver_next_event(&of)) {
      switch (pn_event_type(event)) {
        case PN_CONNECTION_REMOTE_OPEN: pn_connection_open(of.connection); break;
        case PN_SESSION_REMOTE_OPEN: pn_session_open(pn_event_session(event)); break;
        case PN_LINK_REMOTE_OPEN:
          pn_link_open(pn_event_link(event));
          if (pn_link_is_sender(pn_event_link(event))) sender_ = pn_event_link(event);
          break;
        case PN_DELIVERY: delivered(pn_event_delivery(event)); break;
        default: break;
      }
    }
  }
  void delivered(pn_delivery_t* d) {
    pn_link_t* const link = pn_delivery_link(d);
    if (pn_link_is_sender(link)) {
      if (pn_delivery_updated(d)) pn_delivery_settle(d);
      return;
    }
    if (!pn_delivery_readable(d) || pn_delivery_partial(d)) return;
    char room[256];
    bytes_ += static_cast<std::size_t>(pn_link_recv(link, room, sizeof room));
    pn_delivery_update(d, PN_ACCEPTED);
    pn_link_advance(link);
    pn_delivery_settle(d);
    ++got_;
    pn_link_flow(link, 1);
  }

  pn_connection_driver_t client_{}, server_{};
  pn_link_t *receiver_ = nullptr, *sender_ = nullptr;
  std::size_t bytes_ = 0;
  std::int64_t got_ = 0;
};

void by_proton(benchmark::State& state) {
  proton_ends ends;
  for (auto _ : state) benchmark::DoNotOptimize(ends.run());
  bench::per_element(state, messages);
}
BENCHMARK(by_proton)->Name("AMQP, both ends: Proton, by hand")->Unit(benchmark::kMillisecond);
#endif
BENCHMARK(by_weir)->Name("AMQP, both ends: Weir")->Unit(benchmark::kMillisecond);

}  // namespace
