#include <weir/amqp/frame.hpp>
#include <weir/amqp/message_view.hpp>
#include <weir/amqp/message_writer.hpp>

#include "support/catch.hpp"
#include "support/skip.hpp"
#include "transports/amqp/hex.hpp"
#include "transports/amqp/wire_capture.hpp"

#include <string>
#include <string_view>
#include <variant>

using namespace weir;
using test::bytes_of;

namespace {

amqp::errc error_of(std::string_view hex) {
  std::string const bytes = bytes_of(hex);
  auto const message = amqp::message_view::read(bytes);
  CAPTURE(hex);
  REQUIRE_FALSE(message.has_value());
  return message.error();
}

}  // namespace

TEST_CASE("a captured request to put a token is read", "[amqp]") {
  auto const frames = test::wire_capture();
  if (frames.empty() && test::skip("needs the captures of Event Hubs")) return;
  for (auto const& [client, bytes] : frames) {
    if (!client || bytes.size() != 430) continue;  // the one whose bytes the research shows
    std::string_view left = bytes;
    auto const f = amqp::take_frame(left, 65536);
    amqp::value_reader reader((*f)->body);
    REQUIRE(std::holds_alternative<amqp::transfer>(*amqp::read_performative(reader)));
    auto const message = amqp::message_view::read(reader.left());
    REQUIRE(message.has_value());
    CHECK(message->header.type() == amqp::type::list);
    auto const properties = amqp::read_properties(message->properties);
    CHECK(amqp::value_reader(properties->message_id.bytes).next()->text() == "9bab6773-afb8-704a-9f3e-6543a015a3fa");
    CHECK(properties->to == "$cbs");
    CHECK(properties->reply_to == "cbs-af7daaee-31d3-be44-957a-c8c9fba23a49");
    CHECK(amqp::find(message->application_properties, "operation")->text() == "put-token");
    CHECK(amqp::find(message->application_properties, "type")->text() == "servicebus.windows.net:sastoken");
    CHECK(message->kind == amqp::body_kind::value);
    CHECK(message->body.text()->starts_with("SharedAccessSignature sr=sb%3A%2F%2Flocalhost"));
    return;
  }
  FAIL("the capture has no such frame");
}

// The order and the types of sections: AMQP 1.0, 3.2. Bytes written by hand.
TEST_CASE("each section of a message is found", "[amqp]") {
  std::string const bytes = bytes_of(
      "005370 45"
      "005371 c10100"
      "005372 c1 1c 02 a30c 782d6f70742d6f6666736574 a10b 3132333435363738393031"  // x-opt-offset: "12345678901"
      "005373 45"
      "005374 c1 06 02 a10161 5401"
      "005375 a002 6869"
      "005375 a001 21"
      "005378 c10100");
  auto const message = amqp::message_view::read(bytes);
  REQUIRE(message.has_value());
  CHECK(amqp::find(message->message_annotations, "x-opt-offset")->text() == "12345678901");
  CHECK(amqp::find(message->application_properties, "a")->integer() == 1);
  CHECK(message->footer.type() == amqp::type::map);
  CHECK(message->kind == amqp::body_kind::data);
  CHECK(message->body.binary() == "hi");
  CHECK(message->sections == 2);
  amqp::body_reader bodies(*message);
  CHECK(bodies.next()->binary() == "hi");
  CHECK(bodies.next()->binary() == "!");
  CHECK(bodies.left() == 0);
  CHECK(bodies.next()->is_null());
  CHECK(amqp::message_view::read("")->kind == amqp::body_kind::none);
  CHECK(amqp::message_view::read(bytes_of("00537740"))->kind == amqp::body_kind::value);
  CHECK(amqp::message_view::read(bytes_of("005376c003015007"))->kind == amqp::body_kind::sequence);
}

TEST_CASE("a message that is not as it must be is an error", "[amqp]") {
  using amqp::errc;
  CHECK(error_of("005375 a00168 005370 45") == errc::wrong_type);  // a header behind the body
  CHECK(error_of("005370 45 005370 45") == errc::wrong_type);      // twice
  CHECK(error_of("005375 a00168 005377 40") == errc::wrong_type);  // two kinds of body
  CHECK(error_of("005377 40 005377 40") == errc::wrong_type);
  CHECK(error_of("005378 c10100 005375 a00168") == errc::wrong_type);
  CHECK(error_of("005375 a10168") == errc::wrong_type);  // data is binary
  CHECK(error_of("005372 45") == errc::wrong_type);      // annotations are a map
  CHECK(error_of("005379 45") == errc::unknown_body);
  CHECK(error_of("a10168") == errc::wrong_type);
  CHECK(error_of("005375 a00568") == errc::truncated);
  std::string const properties = bytes_of("005373 c00302 40 41");  // found, but a user id is binary
  CHECK(amqp::read_properties(amqp::message_view::read(properties)->properties).error() == errc::wrong_type);
}

TEST_CASE("what is written is read again", "[amqp]") {
  std::string bytes;
  amqp::message_writer message(bytes);
  auto const annotations = message.begin_message_annotations();
  message.to().symbol("x-opt-partition-key");
  message.to().string("EURUSD");
  message.end(annotations);
  amqp::properties_view about;
  about.to = "$management";
  about.creation_time = 1795961202175;
  message.properties(about);
  auto const named = message.begin_application_properties();
  message.to().string("operation");
  message.to().string("READ");
  message.end(named);
  message.data("body");
  auto const read = amqp::message_view::read(bytes);
  REQUIRE(read.has_value());
  CHECK(amqp::find(read->message_annotations, "x-opt-partition-key")->text() == "EURUSD");
  CHECK(amqp::read_properties(read->properties)->to == "$management");
  CHECK(amqp::read_properties(read->properties)->creation_time == 1795961202175);
  CHECK(amqp::find(read->application_properties, "operation")->text() == "READ");
  CHECK(read->body.binary() == "body");
  for (std::size_t n = 1; n != bytes.size(); ++n) {  // a part of it is another message, or an error: never more than there is
    auto const part = amqp::message_view::read(std::string_view(bytes).substr(0, n));
    if (part) CHECK(part->bodies.size() <= n);
  }
}
