#include <weir/amqp/delivery_state.hpp>
#include <weir/amqp/frame.hpp>
#include <weir/amqp/terminus.hpp>

#include "support/catch.hpp"
#include "support/skip.hpp"
#include "transports/amqp/hex.hpp"
#include "transports/amqp/wire_capture.hpp"

#include <string>
#include <string_view>
#include <variant>

using namespace weir;
using test::bytes_of;
using test::hex_of;

namespace {

template <class Body> Body body_of(std::string_view frame_bytes) {
  auto const f = amqp::take_frame(frame_bytes, 65536);
  REQUIRE(f.has_value());
  REQUIRE(f->has_value());
  amqp::value_reader reader((*f)->body);
  auto const body = amqp::read_performative(reader);
  REQUIRE(body.has_value());
  REQUIRE(std::holds_alternative<Body>(*body));
  return std::get<Body>(*body);
}

std::string written(auto const& body) {
  std::string out;
  amqp::write_frame(out, 3, body);
  return out;
}

// What a frame says does not change by being read and written.
struct write_again {
  std::string& out;
  std::uint16_t channel;
  std::string_view payload;
  void operator()(amqp::transfer const& body) const { amqp::write_frame(out, channel, body, payload); }
  template <class Body> void operator()(Body const& body) const { amqp::write_frame(out, channel, body); }
};

}  // namespace

TEST_CASE("a captured attach of a receiver says what it was logged to say", "[amqp]") {
  auto const frames = test::wire_capture();
  if (frames.empty() && test::skip("needs the captures of Event Hubs")) return;
  // The frame that the log of the same run describes (research on Event Hubs, section 2).
  for (auto const& [client, bytes] : frames) {
    if (!client || bytes.size() != 494) continue;
    auto const body = body_of<amqp::attach>(bytes);
    CHECK(body.name.starts_with("hub1/ConsumerGroups/$Default/Partitions/0-"));
    CHECK(body.handle == 0);
    CHECK(body.role == amqp::role::receiver);
    auto const source = amqp::read_source(body.source);
    REQUIRE(source.has_value());
    CHECK(source->address == "hub1/ConsumerGroups/$Default/Partitions/0");
    auto const filter = amqp::find(*amqp::value_reader(source->filter.bytes).next(), "apache.org:selector-filter:string");
    REQUIRE(filter.has_value());
    auto const selector = filter->description();
    CHECK(selector->first.unsigned_integer() == 0x468c00000004);
    CHECK(selector->second.text() == "amqp.annotation.x-opt-offset > '-1'");
    auto wanted = amqp::value_reader(body.desired_capabilities.bytes).next()->items();
    CHECK(wanted.next()->text() == "com.microsoft:georeplication");
    CHECK(wanted.next()->text() == "com.microsoft:enable-receiver-runtime-metric");
    auto const properties = *amqp::value_reader(body.properties.bytes).next();
    CHECK(amqp::find(properties, "com.microsoft:epoch")->integer() == 1);
    return;
  }
  FAIL("the capture has no such frame");
}

TEST_CASE("each captured frame is read, and says the same when it is written again", "[amqp]") {
  auto const frames = test::wire_capture();
  if (frames.empty() && test::skip("needs the captures of Event Hubs")) return;
  std::size_t performatives = 0, sasl = 0, headers = 0;
  for (auto const& [client, bytes] : frames) {
    CAPTURE(hex_of(bytes));
    std::string_view left = bytes;
    if (left.starts_with("AMQP")) {  // frames may follow in the same message
      CHECK(amqp::read_protocol_header(left.substr(0, 8)).has_value());
      left.remove_prefix(8);
      ++headers;
    }
    while (!left.empty()) {
      auto const f = amqp::take_frame(left, 1048576);
      REQUIRE(f.has_value());
      REQUIRE(f->has_value());
      if ((*f)->body.empty()) continue;
      amqp::value_reader reader((*f)->body);
      if ((*f)->type == amqp::protocol::sasl) {
        CHECK(amqp::read_sasl(reader).has_value());
        ++sasl;
        continue;
      }
      auto const body = amqp::read_performative(reader);
      REQUIRE(body.has_value());
      std::string again, twice;
      std::visit(write_again{again, (*f)->channel, reader.left()}, *body);
      CHECK(again.size() <= (*f)->body.size() + 8);  // no encoding is shorter
      std::string_view rest = again;
      auto const read = amqp::take_frame(rest, 1048576);
      CHECK((*read)->channel == (*f)->channel);
      amqp::value_reader second((*read)->body);
      auto const same = amqp::read_performative(second);
      REQUIRE(same.has_value());
      CHECK(second.left() == reader.left());
      std::visit(write_again{twice, (*f)->channel, second.left()}, *same);
      CHECK(twice == again);
      ++performatives;
    }
  }
  CHECK(headers >= 4);
  CHECK(sasl >= 3);
  CHECK(performatives > 50);
}

// AMQP 1.0, 2.3.1 and 2.7: written by hand.
TEST_CASE("a frame is written as the standard has it", "[amqp]") {
  amqp::open open;
  open.container_id = "c";
  CHECK(hex_of(written(open)) ==
        "00000011"
        "02"
        "00"
        "0003"
        "005310"
        "c00401"
        "a10163");
  amqp::begin begin;
  begin.remote_channel = 7;
  begin.incoming_window = 2048;
  begin.outgoing_window = 1;
  CHECK(hex_of(written(begin)) ==
        "00000019"
        "02"
        "00"
        "0003"
        "005311"
        "c00c04"
        "600007"
        "43"
        "7000000800"
        "5201");
  amqp::transfer transfer;
  transfer.handle = 1;
  transfer.delivery_id = 0;
  transfer.delivery_tag = amqp::binary_view{"t"};
  transfer.message_format = 0x80013700;
  transfer.more = true;
  std::string out;
  amqp::write_frame(out, 3, transfer, "pay");
  CHECK(hex_of(out) ==
        "0000001e"
        "02"
        "00"
        "0003"
        "005314"
        "c00e06"
        "5201"
        "43"
        "a00174"
        "7080013700"
        "40"
        "41"
        "706179");
  CHECK(amqp::transfer_overhead(transfer) == out.size() - 3);
  amqp::detach detach;
  detach.closed = true;
  CHECK(hex_of(written(detach)) ==
        "00000010"
        "02"
        "00"
        "0003"
        "005316"
        "c00302"
        "43"
        "41");
  CHECK(hex_of(written(amqp::end{})) ==
        "0000000c"
        "02"
        "00"
        "0003"
        "005317"
        "45");
  std::string empty;
  amqp::write_empty_frame(empty);
  CHECK(hex_of(empty) == "0000000802000000");
}

TEST_CASE("a frame whose sizes do not fit is an error", "[amqp]") {
  auto const taken = [](std::string_view hex, std::size_t most = 512) {
    std::string const bytes = bytes_of(hex);
    std::string_view left = bytes;
    auto const f = amqp::take_frame(left, most);
    return f ? std::optional<amqp::errc>() : f.error();
  };
  CHECK_FALSE(taken("000000"));
  CHECK_FALSE(taken("00000008 02000000"));
  CHECK(taken("00000007 020000") == amqp::errc::wrong_size);
  CHECK(taken("00000008 01000000") == amqp::errc::wrong_size);  // the body would begin in the head
  CHECK(taken("00000008 03000000") == amqp::errc::wrong_size);  // and behind the end
  CHECK(taken("00000008 02020000") == amqp::errc::unknown_body);
  CHECK(taken("00000201") == amqp::errc::frame_too_large);
  CHECK_FALSE(taken("00000200"));
  // An extended header is skipped.
  std::string const extended = bytes_of("00000010 03 00 0001 ffffffff 00531745");
  std::string_view left = extended;
  CHECK(hex_of((*amqp::take_frame(left, 512))->body) == "00531745");
}

TEST_CASE("a performative that is not as it must be is an error", "[amqp]") {
  auto const read = [](std::string_view hex) {
    std::string const bytes = bytes_of(hex);
    amqp::value_reader reader(bytes);
    auto const body = amqp::read_performative(reader);
    return body ? std::optional<amqp::errc>() : body.error();
  };
  CHECK_FALSE(read("00 5310 c00401 a10163"));
  CHECK_FALSE(read("00 a30e 616d71703a6f70656e3a6c697374 c00401 a10163"));  // by its name: "amqp:open:list"
  CHECK(read("00 5310 45") == amqp::errc::missing_field);
  CHECK(read("00 5310 c00201 40") == amqp::errc::missing_field);
  CHECK(read("00 5310 c00301 5001") == amqp::errc::wrong_type);
  CHECK(read("00 5310 c10100") == amqp::errc::wrong_type);  // a map in place of a list
  CHECK(read("00 5319 45") == amqp::errc::unknown_body);
  CHECK(read("45") == amqp::errc::wrong_type);
  CHECK(read("00 5313 c00a04 40 43 43 700000") == amqp::errc::truncated);
  CHECK(read("00 5315 c00402 50ff 43") == amqp::errc::wrong_type);  // a role is a boolean
  CHECK(read("00 5316 c00402 43 41 40") == amqp::errc::wrong_size);
  CHECK(read("00 5312 c00804 a10161 43 41 5003") == amqp::errc::wrong_type);    // a settle mode that there is not
  CHECK(read("00 5311 c00904 70ffffffff 43 43 43") == amqp::errc::wrong_type);  // a channel of more than 16 bits
}

TEST_CASE("outcomes are read", "[amqp]") {
  using amqp::outcome;
  auto const read = [](std::string_view hex) {
    static std::string bytes;
    bytes = bytes_of(hex);
    return amqp::read_delivery_state({bytes});
  };
  CHECK(read("")->outcome == outcome::none);
  CHECK(read("00532445")->outcome == outcome::accepted);
  CHECK(read("00532645")->outcome == outcome::released);
  CHECK(read("005323c003024344")->outcome == outcome::none);  // received so far
  auto const modified = read("005327c003024142");
  CHECK(modified->outcome == outcome::modified);
  CHECK(modified->delivery_failed);
  CHECK_FALSE(modified->undeliverable_here);
  // As a throttled send is answered: rejected { error { condition, description } }.
  auto const rejected = read(
      "005325 c01801 00531d c01202 a30b"
      "7365727665722d62757379"
      "a102"
      "3473");
  REQUIRE(rejected.has_value());
  CHECK(rejected->outcome == outcome::rejected);
  CHECK(rejected->why.condition.text == "server-busy");
  CHECK(rejected->why.description == "4s");
  CHECK(read("00532545")->why.condition.text.empty());
  CHECK(read("00532945").error() == amqp::errc::unknown_body);
  CHECK(read("005325c003015001").error() == amqp::errc::wrong_type);
  std::string const ours = amqp::encoded_rejection("amqp:not-found", "no such thing");
  CHECK(amqp::read_delivery_state({ours})->why.condition.text == "amqp:not-found");
}
