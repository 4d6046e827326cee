#include <weir/amqp/connection.hpp>
#include <weir/amqp/encoder.hpp>
#include <weir/amqp/value_view.hpp>

#include "support/catch.hpp"
#include "support/skip.hpp"
#include "transports/amqp/two_ends.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#if WEIR_HAS_PROTON
#include <proton/codec.h>
#include <proton/condition.h>
#include <proton/connection.h>
#include <proton/connection_driver.h>
#include <proton/delivery.h>
#include <proton/link.h>
#include <proton/session.h>
#include <proton/terminus.h>
#include <proton/transport.h>
#endif

using namespace weir;
using test::two_ends;

// Qpid Proton is another implementation of AMQP 1.0, by other people: what it writes is read here, and the reverse.

#if WEIR_HAS_PROTON
namespace {

pn_bytes_t bytes_for(std::string_view text) { return pn_bytes(text.size(), text.data()); }
std::string_view text_of(pn_bytes_t bytes) { return {bytes.start, bytes.size}; }

// The same random value for both, of every type that the encoder writes; the reader's view of it is compared to Proton's.
struct both {
  pn_data_t* proton;
  amqp::encoder& ours;
  std::mt19937& random;

  std::string text() const {
    return std::string(random() % 3 == 0 ? random() % 600 : random() % 20, static_cast<char>('a' + random() % 26));
  }
  std::uint64_t number() const { return (static_cast<std::uint64_t>(random()) << 32 | random()) >> (random() % 64); }

  void value(int depth) const {
    switch (random() % (depth > 3 ? 12 : 15)) {
      case 0: pn_data_put_null(proton), ours.null(); break;
      case 1: pn_data_put_bool(proton, true), ours.boolean(true); break;
      case 2: {
        auto const n = static_cast<std::uint8_t>(number());
        pn_data_put_ubyte(proton, n), ours.uint8(n);
        break;
      }
      case 3: {
        auto const n = static_cast<std::uint16_t>(number());
        pn_data_put_ushort(proton, n), ours.uint16(n);
        break;
      }
      case 4: {
        auto const n = static_cast<std::uint32_t>(number());
        pn_data_put_uint(proton, n), ours.uint32(n);
        break;
      }
      case 5: {
        auto const n = number();
        pn_data_put_ulong(proton, n), ours.uint64(n);
        break;
      }
      case 6: {
        auto const n = static_cast<std::int32_t>(~number());
        pn_data_put_int(proton, n), ours.int32(n);
        break;
      }
      case 7: {
        auto const n = static_cast<std::int64_t>(~number());
        pn_data_put_long(proton, n), ours.int64(n);
        break;
      }
      case 8: {
        auto const n = static_cast<std::int64_t>(number());
        pn_data_put_timestamp(proton, n), ours.timestamp(n);
        break;
      }
      case 9: {
        auto const t = text();
        pn_data_put_string(proton, bytes_for(t)), ours.string(t);
        break;
      }
      case 10: {
        auto const t = text();
        pn_data_put_symbol(proton, bytes_for(t)), ours.symbol(t);
        break;
      }
      case 11: {
        auto const t = text();
        pn_data_put_binary(proton, bytes_for(t)), ours.binary(t);
        break;
      }
      case 12: list(depth); break;
      case 13: map(depth); break;
      default: {
        auto const code = number();
        pn_data_put_described(proton);
        pn_data_enter(proton);
        pn_data_put_ulong(proton, code);
        ours.described_by(code);
        value(4);
        pn_data_exit(proton);
      }
    }
  }
  void list(int depth) const {
    pn_data_put_list(proton);
    pn_data_enter(proton);
    auto const mark = ours.begin_list();
    for (auto n = random() % 6; n != 0; --n) value(depth + 1);
    ours.end(mark);
    pn_data_exit(proton);
  }
  void map(int depth) const {
    pn_data_put_map(proton);
    pn_data_enter(proton);
    auto const mark = ours.begin_map();
    for (auto n = random() % 4; n != 0; --n) {
      auto const key = text();
      pn_data_put_symbol(proton, bytes_for(key));
      ours.symbol(key);
      value(depth + 1);
    }
    ours.end(mark);
    pn_data_exit(proton);
  }
};

// Proton stands on the value.
void same(pn_data_t* proton, amqp::value_view ours) {
  switch (pn_data_type(proton)) {
    case PN_NULL: CHECK(ours.is_null()); break;
    case PN_BOOL: CHECK(ours.boolean() == pn_data_get_bool(proton)); break;
    case PN_UBYTE: CHECK((ours.type() == amqp::type::uint8 && ours.unsigned_integer() == pn_data_get_ubyte(proton))); break;
    case PN_USHORT: CHECK((ours.type() == amqp::type::uint16 && ours.unsigned_integer() == pn_data_get_ushort(proton))); break;
    case PN_UINT: CHECK((ours.type() == amqp::type::uint32 && ours.unsigned_integer() == pn_data_get_uint(proton))); break;
    case PN_ULONG: CHECK((ours.type() == amqp::type::uint64 && ours.unsigned_integer() == pn_data_get_ulong(proton))); break;
    case PN_INT: CHECK((ours.type() == amqp::type::int32 && ours.integer() == pn_data_get_int(proton))); break;
    case PN_LONG: CHECK((ours.type() == amqp::type::int64 && ours.integer() == pn_data_get_long(proton))); break;
    case PN_TIMESTAMP: CHECK(ours.timestamp() == pn_data_get_timestamp(proton)); break;
    case PN_STRING: CHECK((ours.type() == amqp::type::string && ours.text() == text_of(pn_data_get_string(proton)))); break;
    case PN_SYMBOL: CHECK((ours.type() == amqp::type::symbol && ours.text() == text_of(pn_data_get_symbol(proton)))); break;
    case PN_BINARY: CHECK(ours.binary() == text_of(pn_data_get_binary(proton))); break;
    case PN_DESCRIBED: {
      auto const parts = ours.description();
      REQUIRE(parts.has_value());
      pn_data_enter(proton);
      pn_data_next(proton);
      same(proton, parts->first);
      pn_data_next(proton);
      same(proton, parts->second);
      pn_data_exit(proton);
      break;
    }
    case PN_LIST:
    case PN_MAP: {
      bool const list = pn_data_type(proton) == PN_LIST;
      CHECK(ours.type() == (list ? amqp::type::list : amqp::type::map));
      REQUIRE(ours.count() == (list ? pn_data_get_list(proton) : pn_data_get_map(proton)));
      pn_data_enter(proton);
      for (auto items = ours.items(); items.left() != 0;) {
        auto const item = items.next();
        REQUIRE(item.has_value());
        REQUIRE(pn_data_next(proton));
        same(proton, *item);
      }
      pn_data_exit(proton);
      break;
    }
    default: FAIL("a type that nobody wrote: " << pn_type_name(pn_data_type(proton)));
  }
}

// Proton as the server, in memory.
class proton_server {
public:
  explicit proton_server(std::uint32_t max_frame) {
    REQUIRE(pn_connection_driver_init(&driver_, nullptr, nullptr) == 0);
    pn_transport_set_server(driver_.transport);
    pn_transport_set_max_frame(driver_.transport, max_frame);
  }
  proton_server(proton_server const&) = delete;
  proton_server& operator=(proton_server const&) = delete;
  ~proton_server() { pn_connection_driver_destroy(&driver_); }

  std::vector<std::string> received;    // whole messages
  std::vector<std::string> to_send;     // as soon as there is credit
  std::vector<std::uint64_t> outcomes;  // of those
  std::string refuse_with, fault;       // a condition for the next link; what Proton says is wrong with the client

  // Moves bytes until neither has any.
  void exchange(amqp::connection& client, std::function<void(amqp::connection_event const&)> const& on_event) {
    for (bool moved = true; moved;) {
      moved = false;
      while (!client.output().empty()) {
        auto const room = pn_connection_driver_read_buffer(&driver_);
        if (room.size == 0) break;
        auto const part = client.output().substr(0, room.size);
        part.copy(room.start, part.size());
        pn_connection_driver_read_done(&driver_, part.size());
        client.sent(part.size());
        moved = true;
        events();
      }
      events();
      for (auto out = pn_connection_driver_write_buffer(&driver_); out.size != 0; out = pn_connection_driver_write_buffer(&driver_)) {
        client.feed({out.start, out.size}, {});
        pn_connection_driver_write_done(&driver_, out.size);
        moved = true;
        while (auto const event = client.next()) on_event(*event);
      }
    }
  }

private:
  void events() {
    while (auto* const e = pn_connection_driver_next_event(&driver_)) on(e);
  }
  void on(pn_event_t* e) {
    auto* const link = pn_event_link(e);
    switch (pn_event_type(e)) {
      case PN_CONNECTION_REMOTE_OPEN: pn_connection_open(pn_event_connection(e)); break;
      case PN_CONNECTION_REMOTE_CLOSE: pn_connection_close(pn_event_connection(e)); break;
      case PN_SESSION_REMOTE_OPEN: pn_session_open(pn_event_session(e)); break;
      case PN_SESSION_REMOTE_CLOSE: pn_session_close(pn_event_session(e)); break;
      case PN_LINK_REMOTE_OPEN:
        if (!refuse_with.empty()) {
          pn_condition_set_name(pn_link_condition(link), refuse_with.c_str());
          pn_link_open(link);
          pn_link_close(link);
          break;
        }
        pn_terminus_copy(pn_link_source(link), pn_link_remote_source(link));
        pn_terminus_copy(pn_link_target(link), pn_link_remote_target(link));
        pn_link_open(link);
        if (pn_link_is_receiver(link)) pn_link_flow(link, 50);
        break;
      case PN_LINK_REMOTE_CLOSE: pn_link_close(link); break;
      case PN_LINK_FLOW:
        while (pn_link_is_sender(link) && pn_link_credit(link) > 0 && sent_ < to_send.size()) {
          auto const tag = std::to_string(sent_);
          pn_delivery(link, pn_dtag(tag.data(), tag.size()));
          pn_link_send(link, to_send[sent_].data(), to_send[sent_].size());
          pn_link_advance(link);
          ++sent_;
        }
        if (pn_link_is_sender(link)) pn_link_drained(link);
        break;
      case PN_DELIVERY: on(pn_event_delivery(e)); break;
      case PN_TRANSPORT_ERROR: {
        auto* const why = pn_transport_condition(pn_event_transport(e));
        fault = std::string(pn_condition_get_name(why)) + ": " + pn_condition_get_description(why);
        break;
      }
      default: break;
    }
  }
  void on(pn_delivery_t* d) {
    auto* const link = pn_delivery_link(d);
    if (pn_link_is_sender(link)) {
      if (pn_delivery_updated(d)) {
        outcomes.push_back(pn_delivery_remote_state(d));
        pn_delivery_settle(d);
      }
      return;
    }
    if (!pn_delivery_readable(d) || pn_delivery_partial(d)) return;
    std::string bytes(pn_delivery_pending(d), '\0');
    pn_link_recv(link, bytes.data(), bytes.size());
    pn_link_advance(link);
    received.push_back(std::move(bytes));
    pn_delivery_update(d, received.size() % 5 == 0 ? PN_REJECTED : PN_ACCEPTED);
    pn_delivery_settle(d);
    if (pn_link_credit(link) < 10) pn_link_flow(link, 40);
  }

  pn_connection_driver_t driver_{};
  std::size_t sent_ = 0;
};

std::vector<std::string> messages() {
  std::vector<std::string> out;
  std::mt19937 random(11);
  for (int i = 0; i != 200; ++i)
    out.push_back(std::string(i % 20 == 7 ? 100000 + random() % 9999 : random() % 900, static_cast<char>('a' + i % 26)));
  return out;
}

}  // namespace
#endif

TEST_CASE("values written by Proton are read, and the reverse", "[amqp]") {
#if WEIR_HAS_PROTON
  std::mt19937 random(3);
  for (int round = 0; round != 2000; ++round) {
    pn_data_t* const written = pn_data(16);
    std::string ours;
    amqp::encoder to(ours);
    both{written, to, random}.value(0);
    std::string theirs(static_cast<std::size_t>(pn_data_encoded_size(written)), '\0');
    REQUIRE(pn_data_encode(written, theirs.data(), theirs.size()) == static_cast<ssize_t>(theirs.size()));
    for (std::string const* const bytes : {&theirs, &ours}) {
      amqp::value_reader reader(*bytes);
      auto const view = reader.next();
      REQUIRE(view.has_value());
      CHECK(reader.at_end());
      pn_data_rewind(written);
      pn_data_next(written);
      same(written, *view);
    }
    pn_data_t* const read = pn_data(16);
    CHECK(pn_data_decode(read, ours.data(), ours.size()) == static_cast<ssize_t>(ours.size()));
    pn_data_rewind(read);
    pn_data_next(read);
    same(read, *amqp::value_reader(theirs).next());
    pn_data_free(read);
    pn_data_free(written);
  }
#else
  test::skip("needs libqpid-proton11-dev");
#endif
}

TEST_CASE("messages of every size go to Proton, and each is settled as it says", "[amqp]") {
#if WEIR_HAS_PROTON
  for (std::uint32_t const max_frame : {512U, 65536U}) {
    proton_server server(max_frame);
    amqp::connection client(two_ends::named("client"), {});
    client.open();
    std::optional<amqp::link_id> link;
    auto const all = messages();
    std::size_t sent = 0, accepted = 0, rejected = 0;
    auto const send = [&] {
      while (sent != all.size() && client.send(*link, std::to_string(sent), all[sent])) ++sent;
    };
    server.exchange(client, [&](amqp::connection_event const& event) {
      if (std::holds_alternative<amqp::opened>(event)) client.begin();
      if (auto const* const begun = std::get_if<amqp::session_begun>(&event))
        link = client.attach(begun->session, two_ends::options(amqp::role::sender, "s"));
      if (std::holds_alternative<amqp::credit_changed>(event)) send();
      if (auto const* const settled = std::get_if<amqp::delivery_settled>(&event))
        ++(settled->state.outcome == amqp::outcome::accepted ? accepted : rejected);
    });
    CHECK(server.fault.empty());
    CHECK(server.received == all);
    CHECK(accepted == 160);
    CHECK(rejected == 40);
    client.close();
    bool closed = false;
    server.exchange(client, [&](amqp::connection_event const& event) { closed = std::holds_alternative<amqp::connection_closed>(event); });
    CHECK(closed);
  }
#else
  test::skip("needs libqpid-proton11-dev");
#endif
}

TEST_CASE("messages of every size come from Proton, within the credit", "[amqp]") {
#if WEIR_HAS_PROTON
  proton_server server(65536);
  server.to_send = messages();
  auto options = two_ends::named("client");
  options.max_frame_size = 1024;
  options.incoming_window = 16;
  amqp::connection client(options, {});
  client.open();
  std::vector<std::string> got;
  server.exchange(client, [&](amqp::connection_event const& event) {
    if (std::holds_alternative<amqp::opened>(event)) client.begin();
    if (auto const* const begun = std::get_if<amqp::session_begun>(&event))
      client.grant(*client.attach(begun->session, two_ends::options(amqp::role::receiver, "r")), 7);
    if (auto const* const message = std::get_if<amqp::message_arrived>(&event)) {
      CHECK(message->tag == std::to_string(got.size()));
      got.emplace_back(message->bytes);
      client.settle(message->link, message->delivery_id, message->delivery_id,
                    got.size() % 2 == 0 ? amqp::outcome::accepted : amqp::outcome::released);
      if (client.credit(message->link) == 0) client.grant(message->link, 7);
    }
  });
  CHECK(server.fault.empty());
  CHECK(got == server.to_send);
  REQUIRE(server.outcomes.size() == 200);
  CHECK(server.outcomes[0] == PN_RELEASED);
  CHECK(server.outcomes[1] == PN_ACCEPTED);
#else
  test::skip("needs libqpid-proton11-dev");
#endif
}

TEST_CASE("a link that Proton refuses is detached with its reason", "[amqp]") {
#if WEIR_HAS_PROTON
  proton_server server(65536);
  server.refuse_with = "amqp:not-found";
  amqp::connection client(two_ends::named("client"), {});
  client.open();
  bool refused = false;
  std::string why;
  server.exchange(client, [&](amqp::connection_event const& event) {
    if (std::holds_alternative<amqp::opened>(event)) client.begin();
    if (auto const* const begun = std::get_if<amqp::session_begun>(&event))
      client.attach(begun->session, two_ends::options(amqp::role::receiver, "r"));
    if (auto const* const attached = std::get_if<amqp::link_attached>(&event)) refused = attached->refused;
    if (auto const* const detached = std::get_if<amqp::link_detached>(&event)) why = detached->why.condition.text;
  });
  CHECK(server.fault.empty());
  CHECK(why == "amqp:not-found");
  (void)refused;  // Proton gives its own source, which is empty and not null
#else
  test::skip("needs libqpid-proton11-dev");
#endif
}
