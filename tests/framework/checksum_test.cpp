#include <weir/checksum.hpp>

#include "support/catch.hpp"

#include <string>

using weir::checksum;

TEST_CASE("the checksum is FNV-1a of 64 bits", "[framework][checksum]") {
  // Test vectors of draft-eastlake-fnv.
  CHECK(checksum().value() == 0xcbf29ce484222325);
  CHECK(checksum().add("a").value() == 0xaf63dc4c8601ec8c);
  CHECK(checksum().add("foobar").value() == 0x85944171f73967e8);
  CHECK(checksum().add("foo").add("bar").value() == 0x85944171f73967e8);
}

TEST_CASE("any one changed byte changes the checksum", "[framework][checksum]") {
  std::string text = "BTC-USD.17.0.3";
  auto const before = checksum().add(text).value();
  for (char& c : text)
    for (int bit = 0; bit < 8; ++bit) {
      c = static_cast<char>(c ^ (1 << bit));
      CHECK(checksum().add(text).value() != before);
      c = static_cast<char>(c ^ (1 << bit));
    }
  CHECK(checksum().add(text).value() == before);
}

TEST_CASE("a number is its eight bytes, the lowest first", "[framework][checksum]") {
  CHECK(checksum().add(std::uint64_t(0x0102)).value() == checksum().add(std::string("\2\1\0\0\0\0\0\0", 8)).value());
}
