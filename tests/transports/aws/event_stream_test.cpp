#include <weir/aws/event_stream.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

using namespace weir;
using namespace std::string_literals;
using test::fails_with;
using integer = std::int64_t;

namespace {

// CRC-32 of zip and Ethernet, bit by bit (ISO 3309): not the library's.
std::uint32_t crc(std::string_view bytes) {
  std::uint32_t out = 0xffffffff;
  for (char const c : bytes) {
    out ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit != 8; ++bit) out = (out >> 1) ^ ((out & 1) != 0 ? 0xedb88320 : 0);
  }
  return ~out;
}
std::string be(std::uint32_t n) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(n >> shift & 0xff);
  return out;
}
std::string message(std::string const& headers, std::string const& payload) {
  std::string out = be(static_cast<std::uint32_t>(16 + headers.size() + payload.size())) + be(static_cast<std::uint32_t>(headers.size()));
  out += be(crc(out));
  out += headers + payload;
  return out + be(crc(out));
}
std::string text_header(std::string const& name, std::string const& value) {
  return static_cast<char>(name.size()) + name + '\7' + '\0' + static_cast<char>(value.size()) + value;
}

}  // namespace

TEST_CASE("the messages of documentation are read", "[aws][event_stream]") {
  // smithy.io, "Amazon Event Stream Specification", the three examples of its test vectors: empty message, a payload, a header of 32 bits.
  aws::event_stream_decoder decoder;
  decoder.feed("\x00\x00\x00\x10\x00\x00\x00\x00\x05\xc2\x48\xeb\x7d\x98\xc8\xff"s);
  auto m = decoder.next();
  REQUIRE(m);
  CHECK(m->headers.empty());
  CHECK(m->payload.empty());
  decoder.feed("\x00\x00\x00\x1d\x00\x00\x00\x00\xfd\x52\x8c\x5a{'foo':'bar'}\xc3\x65\x39\x36"s);
  m = decoder.next();
  REQUIRE(m);
  CHECK(m->payload == "{'foo':'bar'}");
  decoder.feed(
      "\x00\x00\x00\x2d\x00\x00\x00\x10\x41\xc4\x24\xb8\x0a"
      "event-type\x04\x00\x00\xa0\x0c{'foo':'bar'}\x36\xf4\x80\xa0"s);
  m = decoder.next();
  REQUIRE(m);
  REQUIRE(m->headers.size() == 1);
  CHECK(m->headers[0].first == "event-type");
  CHECK(std::get<integer>(m->headers[0].second) == 40972);
  CHECK(decoder.at_end());
  CHECK_FALSE(decoder.next());
}

TEST_CASE("headers of every type are read", "[aws][event_stream]") {
  aws::event_stream_decoder decoder;
  decoder.feed(message("\1a\0"s + "\1b\1" + "\1c\2\xff" + "\1d\3\x80\x00"s + "\1e\4\x00\x00\x01\x00"s +
                           "\1f\5\xff\xff\xff\xff\xff\xff\xff\xfe" + "\1g\6\x00\x02xy"s + text_header("h", "text") +
                           "\1i\x08\x00\x00\x00\x00\x00\x00\x00\x07"s + "\1j\x09" + "0123456789abcdef",
                       "p"));
  auto const m = decoder.next();
  REQUIRE(m);
  REQUIRE(m->headers.size() == 10);
  CHECK(std::get<bool>(m->headers[0].second));
  CHECK_FALSE(std::get<bool>(m->headers[1].second));
  CHECK(std::get<integer>(m->headers[2].second) == -1);
  CHECK(std::get<integer>(m->headers[3].second) == -32768);
  CHECK(std::get<integer>(m->headers[4].second) == 256);
  CHECK(std::get<integer>(m->headers[5].second) == -2);
  CHECK(m->text("g") == "xy");
  CHECK(m->text("h") == "text");
  CHECK(std::get<integer>(m->headers[8].second) == 7);
  CHECK(m->text("j") == "0123456789abcdef");
  CHECK(m->text("a").empty());
  CHECK(m->text("z").empty());
  CHECK(m->payload == "p");
}

TEST_CASE("what a server of Kinesis sent, in pieces of any size", "[aws][event_stream]") {
  auto const data = test::shared_data();
  if (!data && test::skip("no shared data")) return;
  std::ifstream in(*data / "captures/kinesis/mock-SubscribeToShard-h1.eventstream.bin", std::ios::binary);
  std::string const all{std::istreambuf_iterator<char>(in), {}};
  REQUIRE(all.size() > 0x329);
  std::size_t messages = 0;
  for (std::size_t const piece : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, all.size()}) {
    aws::event_stream_decoder decoder;
    std::size_t seen = 0, bytes = 0;
    for (std::size_t at = 0; at < all.size(); at += piece) {
      decoder.feed(std::string_view(all).substr(at, piece));
      while (auto const m = decoder.next()) {
        ++seen;
        CHECK(m->text(":message-type") == "event");
        CHECK(m->text(":event-type") == "SubscribeToShardEvent");
        CHECK(m->text(":content-type") == "application/json");
        CHECK(m->payload.starts_with("{"));
        CHECK(m->payload.ends_with("}"));
        bytes += 16 + 0x5b + m->payload.size();
      }
    }
    CHECK(bytes <= all.size());
    CHECK(all.size() - bytes < 0x329);  // the capture may end in the middle of one
    CHECK(decoder.at_end() == (bytes == all.size()));
    if (messages != 0) CHECK(seen == messages);
    messages = seen;
  }
  CHECK(messages > 1);
}

TEST_CASE("a bit that flipped on its way is found, wherever it is", "[aws][event_stream]") {
  std::string const whole = message(text_header(":message-type", "event"), "{\"Records\":[]}");
  for (std::size_t bit = 0; bit != 8 * whole.size(); ++bit) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
    aws::event_stream_decoder decoder;
    decoder.feed(bytes);
    fails_with(errc::corrupt, [&] { decoder.next(); }, "checksum");
  }
}

TEST_CASE("lengths and headers that cannot be are refused", "[aws][event_stream]") {
  auto const refused = [](std::string const& bytes, errc code, char const* text) {
    aws::event_stream_decoder decoder(1000);
    decoder.feed(bytes);
    fails_with(code, [&] { decoder.next(); }, text);
  };
  auto const lengths = [](std::uint32_t total, std::uint32_t head) {
    std::string const both = be(total) + be(head);
    return both + be(crc(both)) + std::string(16, '\0');
  };
  refused(lengths(1001, 0), errc::too_large, "1001 bytes");
  refused(lengths(0xffffffff, 0), errc::too_large, "4294967295");
  refused(lengths(15, 0), errc::malformed, "lengths");
  refused(lengths(20, 5), errc::malformed, "lengths");
  refused(message("\1", ""), errc::malformed, "longer");
  refused(message("\0\0"s, ""), errc::malformed, "no name");
  refused(message("\1a\x0a", ""), errc::malformed, "unknown type 10");
  refused(message("\1a\7\x00\x05xy"s, ""), errc::malformed, "longer");
}
