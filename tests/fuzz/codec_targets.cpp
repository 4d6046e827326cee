#include <weir/amqp/delivery_state.hpp>
#include <weir/amqp/encoder.hpp>
#include <weir/amqp/frame.hpp>
#include <weir/amqp/message_view.hpp>
#include <weir/amqp/performatives.hpp>
#include <weir/amqp/sasl.hpp>
#include <weir/amqp/terminus.hpp>
#include <weir/amqp/value_view.hpp>

#include "fuzz/looked_at.hpp"
#include "fuzz/targets.hpp"

#include <cstdlib>
#include <string>
#include <variant>

namespace weir::test {
namespace {

// What is read and written again is read the same.
template <class Body> void check_written(std::uint16_t channel, Body const& body, std::string_view payload) {
  std::string once, twice;
  if constexpr (std::is_same_v<Body, amqp::transfer>) amqp::write_frame(once, channel, body, payload);
  else amqp::write_frame(once, channel, body);
  std::string_view left = once;
  auto const frame = amqp::take_frame(left, 1U << 30U);
  if (!frame || !*frame || !left.empty()) std::abort();
  amqp::value_reader reader((*frame)->body);
  auto const again = amqp::read_performative(reader);
  if (!again || !std::holds_alternative<Body>(*again)) std::abort();
  if constexpr (std::is_same_v<Body, amqp::transfer>) amqp::write_frame(twice, channel, std::get<Body>(*again), reader.left());
  else amqp::write_frame(twice, channel, std::get<Body>(*again));
  if (once != twice) std::abort();
}

struct read_parts {
  void operator()(amqp::attach const& body) const {
    (void)amqp::read_source(body.source);
    (void)amqp::read_target(body.target);
  }
  void operator()(amqp::transfer const& body) const { (void)amqp::read_delivery_state(body.state); }
  void operator()(amqp::disposition const& body) const { (void)amqp::read_delivery_state(body.state); }
  void operator()(amqp::detach const& body) const { (void)amqp::read_error(body.error); }
  void operator()(amqp::end const& body) const { (void)amqp::read_error(body.error); }
  void operator()(amqp::close const& body) const { (void)amqp::read_error(body.error); }
  void operator()(auto const&) const {}
};

}  // namespace

void fuzz_values(std::string_view bytes) {
  amqp::value_reader reader(bytes);
  while (!reader.at_end()) {
    auto const value = reader.next();
    if (!value) return;
    looked_at(*value);
  }
}

void fuzz_frames(std::string_view bytes) {
  if (bytes.size() >= 8) (void)amqp::read_protocol_header(bytes.substr(0, 8));
  for (;;) {
    auto const frame = amqp::take_frame(bytes, 65536);
    if (!frame || !*frame) return;
    amqp::value_reader reader((*frame)->body);
    if ((*frame)->type == amqp::protocol::sasl) {
      (void)amqp::read_sasl(reader);
      continue;
    }
    auto const body = amqp::read_performative(reader);
    if (!body) continue;
    std::visit(read_parts(), *body);
    std::visit([&](auto const& b) { check_written((*frame)->channel, b, reader.left()); }, *body);
  }
}

void fuzz_messages(std::string_view bytes) {
  auto const message = amqp::message_view::read(bytes);
  if (!message) return;
  for (auto const& part : {message->header, message->delivery_annotations, message->message_annotations, message->properties,
                           message->application_properties, message->footer, message->body})
    looked_at(part);
  (void)amqp::read_properties(message->properties);
  for (amqp::body_reader bodies(*message); bodies.left() != 0;) {
    auto const body = bodies.next();
    if (!body) return;
    looked_at(*body);
  }
}

}  // namespace weir::test
