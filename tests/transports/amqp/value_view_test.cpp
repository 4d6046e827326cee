#include <weir/amqp/value_view.hpp>

#include "support/catch.hpp"
#include "transports/amqp/hex.hpp"

#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

using namespace weir;
using amqp::type;
using test::bytes_of;

namespace {

// The bytes stay, as the view needs them to.
amqp::value_view value_of(std::string const& bytes) {
  static std::deque<std::string> kept;
  amqp::value_reader reader(kept.emplace_back(bytes));
  auto const out = reader.next();
  REQUIRE(out.has_value());
  CHECK(reader.at_end());
  return *out;
}

amqp::errc error_of(std::string const& bytes) {
  auto const out = amqp::value_reader(bytes).next();
  REQUIRE_FALSE(out.has_value());
  return out.error();
}

}  // namespace

// The encodings and their constructors are those of AMQP 1.0, 1.6.
TEST_CASE("each encoding of a number gives the number", "[amqp]") {
  struct row {
    std::string_view hex;
    type of;
    std::int64_t is;
  };
  for (auto const& [hex, of, is] : std::vector<row>{
           {"50ff", type::uint8, 255},
           {"51ff", type::int8, -1},
           {"60ffff", type::uint16, 65535},
           {"618000", type::int16, -32768},
           {"43", type::uint32, 0},
           {"52ff", type::uint32, 255},
           {"70ffffffff", type::uint32, 4294967295},
           {"5480", type::int32, -128},
           {"7180000000", type::int32, -2147483648},
           {"44", type::uint64, 0},
           {"53ff", type::uint64, 255},
           {"800000000100000000", type::uint64, 4294967296},
           {"55fe", type::int64, -2},
           {"818000000000000000", type::int64, std::numeric_limits<std::int64_t>::min()},
       }) {
    auto const v = value_of(bytes_of(hex));
    CAPTURE(hex);
    CHECK(v.type() == of);
    CHECK(v.integer() == is);
    CHECK(v.unsigned_integer() == (is < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(is))));
    CHECK_FALSE(v.text());
    CHECK_FALSE(v.boolean());
    CHECK(v.count() == 0);
  }
  CHECK(value_of(bytes_of("80ffffffffffffffff")).unsigned_integer() == std::numeric_limits<std::uint64_t>::max());
  CHECK_FALSE(value_of(bytes_of("80ffffffffffffffff")).integer());
}

TEST_CASE("each encoding of anything else gives that", "[amqp]") {
  CHECK(value_of(bytes_of("40")).is_null());
  CHECK(value_of(bytes_of("41")).boolean() == true);
  CHECK(value_of(bytes_of("42")).boolean() == false);
  CHECK(value_of(bytes_of("5601")).boolean() == true);
  CHECK(value_of(bytes_of("5600")).boolean() == false);
  CHECK(value_of(bytes_of("723f800000")).number() == 1.0);  // IEEE 754: 1.0f
  CHECK(value_of(bytes_of("82c000000000000000")).number() == -2.0);
  CHECK(value_of(bytes_of("730001f600")).character() == U'\U0001f600');
  CHECK(value_of(bytes_of("83000001a227a125ff")).timestamp() == 1795961202175);
  CHECK(value_of(bytes_of("83ffffffffffffffff")).timestamp() == -1);
  CHECK(value_of(bytes_of("9800112233445566778899aabbccddeeff")).uuid() == bytes_of("00112233445566778899aabbccddeeff"));
  CHECK(value_of(bytes_of("7422500000")).type() == type::decimal32);
  CHECK(value_of(bytes_of("842234000000000000")).bits() == 0x2234000000000000);
  CHECK(value_of(bytes_of("94 2208000000000000 0000000000000000")).type() == type::decimal128);
  CHECK(value_of(bytes_of("a003 00ff10")).binary() == bytes_of("00ff10"));
  CHECK(value_of(bytes_of("b000000003 00ff10")).binary() == bytes_of("00ff10"));
  CHECK(value_of(bytes_of("a105 68656c6c6f")).text() == "hello");
  CHECK(value_of(bytes_of("b100000005 68656c6c6f")).text() == "hello");
  CHECK(value_of(bytes_of("a303 666f6f")).text() == "foo");
  CHECK(value_of(bytes_of("b300000003 666f6f")).type() == type::symbol);
  CHECK(value_of(bytes_of("a100")).text() == "");
}

TEST_CASE("lists, maps and arrays give what is in them", "[amqp]") {
  for (auto const* const hex : {"c0 04 02 5007 40", "d0 00000007 00000002 5007 40"}) {
    auto const list = value_of(bytes_of(hex));
    CHECK(list.type() == type::list);
    CHECK(list.count() == 2);
    auto items = list.items();
    CHECK(items.next()->integer() == 7);
    CHECK(items.left() == 1);
    CHECK(items.next()->is_null());
    CHECK(items.left() == 0);
    CHECK(items.next()->is_null());
  }
  CHECK(value_of(bytes_of("45")).type() == type::list);
  CHECK(value_of(bytes_of("45")).count() == 0);
  for (auto const* const hex : {"c1 0c 04 a30161 5401 a10162 a10163", "d1 0000000f 00000004 a30161 5401 a10162 a10163"}) {
    auto const map = value_of(bytes_of(hex));
    CHECK(map.type() == type::map);
    CHECK(amqp::find(map, "a")->integer() == 1);
    CHECK(amqp::find(map, "b")->text() == "c");
    CHECK(amqp::find(map, "d")->is_null());
  }
  for (auto const* const hex : {"e0 08 02 a3 02 6162 02 6364", "f0 0000000b 00000002 a3 02 6162 02 6364"}) {
    auto items = value_of(bytes_of(hex)).items();
    CHECK(items.next()->text() == "ab");
    CHECK(items.next()->text() == "cd");
  }
  auto trues = value_of(bytes_of("e0 02 03 41")).items();  // three values without a byte
  CHECK(trues.left() == 3);
  CHECK(trues.next()->boolean() == true);
  CHECK(value_of(bytes_of("e00100")).count() == 0);  // the constructor left out, as some do
}

TEST_CASE("a described value gives what it is described by, and the value", "[amqp]") {
  auto const plain = value_of(bytes_of("00 5324 45")).description();
  REQUIRE(plain.has_value());
  CHECK(plain->first.unsigned_integer() == 0x24);
  CHECK(plain->second.type() == type::list);
  // The example of 1.2: a string that is a URL.
  auto const url = value_of(bytes_of("00 a103 55524c a11e 687474703a2f2f6578616d706c652e6f72672f68656c6c6f2d776f726c64")).description();
  CHECK(url->first.text() == "URL");
  CHECK(url->second.text() == "http://example.org/hello-world");
  auto const nested = value_of(bytes_of("00 00 5301 5302 5003")).description();  // described by something described
  REQUIRE(nested.has_value());
  CHECK(nested->first.description()->second.integer() == 2);
  CHECK(nested->second.integer() == 3);
  auto described = value_of(bytes_of("e0 07 02 00 5301 50 07 08")).items();  // of an array the description is left out
  CHECK(described.next()->integer() == 7);
  CHECK(described.next()->integer() == 8);
}

TEST_CASE("bytes that are no value are an error", "[amqp]") {
  using amqp::errc;
  for (auto const* const whole :
       {"50ff", "60ffff", "70ffffffff", "800000000100000000", "9800112233445566778899aabbccddeeff", "a00300ff10", "b10000000568656c6c6f",
        "c004025007 40", "d0000000070000000250 0740", "e00802a302616202 6364", "00 5324 45"}) {
    auto const bytes = bytes_of(whole);
    for (std::size_t n = 0; n != bytes.size(); ++n) CHECK(error_of(bytes.substr(0, n)) == errc::truncated);
  }
  for (auto const* const hex : {"01", "46", "57", "62", "75", "85", "95", "a2", "c2", "d3", "e1", "f2", "ff", "5602"}) {
    CAPTURE(hex);
    CHECK(error_of(bytes_of(std::string(hex) + "00000000000000000000000000000000")) == errc::unknown_encoding);
  }
  CHECK(error_of(bytes_of("c0 00")) == errc::wrong_size);  // no room for its own count
  CHECK(error_of(bytes_of("d0 00000003 000000")) == errc::wrong_size);
  CHECK(error_of(bytes_of("c0 02 02 40")) == errc::wrong_size);     // more items than bytes
  CHECK(error_of(bytes_of("c1 02 01 40")) == errc::wrong_size);     // a key without a value
  CHECK(error_of(bytes_of("e0 03 02 50 07")) == errc::wrong_size);  // an array of two bytes that has one
  CHECK(error_of(bytes_of("e0 01 01")) == errc::wrong_size);
  CHECK(error_of(bytes_of("f0 00000005 ffffffff 40")) == errc::wrong_size);  // four billion nulls
  CHECK(error_of(std::string(9, '\0') + bytes_of("40")) == errc::too_deep);
  CHECK(error_of(bytes_of("e0 05 01 00 00 5301")) == errc::too_deep);
  auto trailing = value_of(bytes_of("c0 03 01 40 40")).items();  // a byte behind the last item
  CHECK(trailing.next().error() == errc::wrong_size);
  CHECK(amqp::find(value_of(bytes_of("c1 05 02 a30161 62")), "a").error() == errc::unknown_encoding);
}
