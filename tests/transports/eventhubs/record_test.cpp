#include <weir/amqp/message_writer.hpp>
#include <weir/eventhubs/record_unpacker.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace weir;
using eventhubs::record;
using eventhubs::record_unpacker;

namespace {

// A message as the service delivers it: research on Event Hubs, section 2.
std::string delivered(std::int64_t number, std::string_view offset, std::vector<std::string_view> const& bodies,
                      bool with_runtime = false) {
  std::string out;
  amqp::message_writer message(out);
  if (with_runtime) {
    auto const map = message.begin_delivery_annotations();
    message.to().symbol("last_enqueued_sequence_number");
    message.to().int64(99);
    message.to().symbol("last_enqueued_offset");
    message.to().string("4711");
    message.to().symbol("last_enqueued_time_utc");
    message.to().timestamp(1795961202175);
    message.end(map);
  }
  auto const map = message.begin_message_annotations();
  message.to().symbol("x-opt-sequence-number");
  message.to().int64(number);
  message.to().symbol("x-opt-offset");
  message.to().string(offset);
  message.to().symbol("x-opt-enqueued-time");
  message.to().timestamp(1795961202175);
  message.to().symbol("x-opt-partition-key");
  message.to().string("EURUSD");
  message.end(map);
  amqp::properties_view about;
  about.content_type = {"application/json"};
  message.properties(about);
  auto const named = message.begin_application_properties();
  message.to().string("kind");
  message.to().string("tick");
  message.end(named);
  for (auto const body : bodies) message.data(body);
  return out;
}

}  // namespace

TEST_CASE("a record has what the service and the producer say", "[eventhubs]") {
  record_unpacker unpacker("3");
  std::optional<record> kept;
  {
    std::string const bytes = delivered(41, "8589934592", {"{\"price\":1}"}, true);
    auto const read = unpacker.unpack(bytes);
    REQUIRE(read.has_value());
    kept = *read;
  }  // the bytes it came in are gone
  CHECK(kept->payload() == "{\"price\":1}");
  CHECK(kept->partition() == "3");
  CHECK(kept->partition_key() == "EURUSD");
  CHECK(kept->position() == weir::position(41));
  CHECK(kept->sequence_number() == 41);
  CHECK(kept->offset() == "8589934592");
  CHECK(kept->arrival() == 1795961202175 * std::int64_t{1'000'000});
  CHECK(amqp::find(kept->properties(), "kind")->text() == "tick");
  CHECK(kept->about().content_type.text == "application/json");
  CHECK(amqp::find(kept->system_properties(), "x-opt-offset")->text() == "8589934592");
  REQUIRE(unpacker.runtime());
  CHECK(unpacker.runtime()->last_sequence_number == 99);
  CHECK(unpacker.runtime()->last_offset == "4711");
  CHECK(unpacker.runtime()->last_enqueued == 1795961202175 * std::int64_t{1'000'000});
}

TEST_CASE("records of every size stay as they are while others come", "[eventhubs]") {
  record_unpacker unpacker("0");
  std::vector<record> all;
  for (std::size_t i = 0; i != 300; ++i)
    all.push_back(*unpacker.unpack(
        delivered(static_cast<std::int64_t>(i), std::to_string(i * 100), {std::string(i * i % 100000, static_cast<char>('a' + i % 26))})));
  for (std::size_t i = 0; i != 300; ++i) {
    CHECK(all[i].payload() == std::string(i * i % 100000, static_cast<char>('a' + i % 26)));
    CHECK(all[i].offset() == std::to_string(i * 100));
    CHECK(all[i].partition() == "0");
  }
}

TEST_CASE("bodies of several sections are joined, and values are what they are", "[eventhubs]") {
  record_unpacker unpacker("0");
  CHECK(unpacker.unpack(delivered(1, "1", {"ab", "", "c"}))->payload() == "abc");
  CHECK(unpacker.unpack(delivered(1, "1", {}))->payload().empty());
  auto const with_value = [&](auto write) {
    std::string bytes = delivered(1, "1", {});
    amqp::message_writer message(bytes);
    message.begin_value();
    write(message.to());
    return *unpacker.unpack(bytes);
  };
  CHECK(with_value([](auto& to) { to.string("text"); }).payload() == "text");
  CHECK(with_value([](auto& to) { to.binary("bytes"); }).payload() == "bytes");
  auto const number = with_value([](auto& to) { to.int64(7); });
  CHECK(number.body_kind() == amqp::body_kind::value);
  CHECK(number.payload() == std::string_view("\x00\x53\x77\x55\x07", 5));  // as it is encoded
}

// azure-sdk-for-cpp, pull request 7328: an offset that came as a number was lost, and with it where to resume.
TEST_CASE("an offset may be a number of any width", "[eventhubs]") {
  for (auto const& write :
       std::vector<void (*)(amqp::encoder&)>{[](amqp::encoder& to) { to.int64(41); }, [](amqp::encoder& to) { to.uint8(41); },
                                             [](amqp::encoder& to) { to.uint64(41); }, [](amqp::encoder& to) { to.int32(41); }}) {
    std::string bytes;
    amqp::message_writer message(bytes);
    auto const map = message.begin_message_annotations();
    message.to().symbol("x-opt-sequence-number");
    message.to().int32(5);
    message.to().symbol("x-opt-offset");
    write(message.to());
    message.end(map);
    record_unpacker unpacker("0");
    auto const read = unpacker.unpack(bytes);
    REQUIRE(read.has_value());
    CHECK(read->offset() == "41");
    CHECK(read->sequence_number() == 5);
  }
}

TEST_CASE("a message without its number is no record", "[eventhubs]") {
  std::string bytes;
  amqp::message_writer(bytes).data("body");
  record_unpacker unpacker("0");
  CHECK(unpacker.unpack(bytes).error() == amqp::errc::missing_field);
  CHECK(unpacker.unpack("HTTP").error() == amqp::errc::unknown_encoding);
  CHECK(unpacker.unpack(delivered(1, "1", {"x"}))->payload() == "x");
}
