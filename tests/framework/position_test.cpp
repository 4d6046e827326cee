#include <weir/position.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <limits>
#include <random>
#include <string>
#include <type_traits>

using weir::errc;
using weir::position;

namespace {
constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t fourth = (std::uint64_t(1) << 61) - 1;
}  // namespace

TEST_CASE("a position is a small value", "[framework][position]") {
  STATIC_REQUIRE(sizeof(position) == 32);
  STATIC_REQUIRE(std::is_trivially_copyable_v<position>);
  STATIC_REQUIRE(std::is_same_v<decltype(position() <=> position()), std::strong_ordering>);
}

TEST_CASE("the default position is before everything, offset 0 included", "[framework][position]") {
  CHECK(position() < position(0));
  CHECK(position() < position(0, 0));
  CHECK(position() < position(0, 0, 0, 0));
  CHECK(position() == position());
  CHECK(position().size() == 0);
}

TEST_CASE("positions are ordered by their numbers, the first counting most", "[framework][position]") {
  position const ordered[] = {position(),        position(0),          position(0, 0),
                              position(0, 1),    position(0, 1, 0, 0), position(0, 1, 0, 1),
                              position(0, 2),    position(0, 2, 5),    position(0, 2, 5, fourth),
                              position(0, 2, 6), position(1),          position(9),
                              position(10),      position(largest),    position(largest, largest, largest, fourth)};
  for (auto const& a : ordered)
    for (auto const& b : ordered) {
      INFO(a.text() << " and " << b.text());
      CHECK((a < b) == (&a < &b));
      CHECK((a == b) == (&a == &b));
    }
}

TEST_CASE("the numbers of a position can be read", "[framework][position]") {
  CHECK(position(17).offset() == 17);
  CHECK(position(17).size() == 1);
  position const four(1, 2, 3, fourth);
  CHECK(four.size() == 4);
  CHECK(four[0] == 1);
  CHECK(four[1] == 2);
  CHECK(four[2] == 3);
  CHECK(four[3] == fourth);
  CHECK(position(5)[3] == 0);
}

TEST_CASE("the fourth number has 61 bits", "[framework][position]") {
  CHECK_NOTHROW(position(0, 0, 0, fourth));
  weir::test::fails_with(errc::out_of_range, [] { position(0, 0, 0, fourth + 1); }, "position: the fourth number is too large", "2^61");
}

TEST_CASE("a position is written as decimal numbers with points between", "[framework][position]") {
  CHECK(position().text() == "start");
  CHECK(position(0).text() == "0");
  CHECK(position(17).text() == "17");
  CHECK(position(largest).text() == "18446744073709551615");
  CHECK(position(17, 0).text() == "17.0");
  CHECK(position(17, 0, 3).text() == "17.0.3");
  CHECK(position(1, 2, 3, fourth).text() == "1.2.3.2305843009213693951");
}

TEST_CASE("the text of a position is read back to an equal position", "[framework][position]") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000; ++i) {
    std::uint64_t const a = random() >> random() % 64, b = random() >> random() % 64, c = random() >> random() % 64,
                        d = random() >> (3 + random() % 61);
    for (position const& p : {position(), position(a), position(a, b), position(a, b, c), position(a, b, c, d)}) {
      INFO(p.text());
      CHECK(position::parse(p.text()) == p);
    }
  }
}

TEST_CASE("a text which no position has is refused", "[framework][position]") {
  for (char const* text : {"",
                           " ",
                           "-1",
                           "+1",
                           "1 ",
                           " 1",
                           "01",
                           "00",
                           "1.",
                           ".1",
                           "1..2",
                           "1.2.3.4.5",
                           "1.2.3.",
                           "1.02",
                           "x",
                           "1x",
                           "0x1",
                           "1e3",
                           "Start",
                           "start.1",
                           "18446744073709551616",
                           "1.18446744073709551616",
                           "1.2.3.2305843009213693952",
                           "1,2",
                           "1.2.3.4 "}) {
    INFO('"' << text << '"');
    CHECK_FALSE(position::parse(text));
  }
  CHECK_FALSE(position::parse(std::string("1\0", 2)));
}
