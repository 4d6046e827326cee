#include <weir/operators/detail/id_set.hpp>
#include <weir/operators/detail/number_set.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

using namespace weir::detail;

TEST_CASE("a set of numbers has what was put into it, whatever their bits", "[operators][dedup]") {
  for (unsigned const shift : {0U, 16U, 44U}) {  // close together, and far apart
    std::mt19937_64 random(shift);
    number_set numbers;
    std::unordered_set<std::uint64_t> expected;
    for (int i = 0; i != 60'000; ++i) {
      std::uint64_t const n = (random() % 50'000) << shift;
      REQUIRE(numbers.contains(n) == expected.contains(n));
      numbers.fetch(n);
      REQUIRE(numbers.insert(n) == expected.insert(n).second);
      REQUIRE(numbers.size() == expected.size());
    }
    std::unordered_set<std::uint64_t> all;
    numbers.for_each([&all](std::uint64_t n) { CHECK(all.insert(n).second); });
    CHECK(all == expected);
  }
}

TEST_CASE("the zero, and the ends of a type, are ids like others", "[operators][dedup]") {
  id_set<std::int8_t> small;
  for (int i = -128; i != 128; ++i) {
    auto const id = static_cast<std::int8_t>(i);
    CHECK_FALSE(small.contains(id));
    CHECK(small.insert(id));
    CHECK_FALSE(small.insert(id));
  }
  CHECK(small.size() == 256);
  int sum = 0;
  small.for_each([&sum](std::int8_t id) { sum += id; });
  CHECK(sum == -128);

  id_set<std::int64_t> large;
  for (std::int64_t const id :
       {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{0}, std::numeric_limits<std::int64_t>::max()}) {
    CHECK_FALSE(large.contains(id));
    CHECK(large.insert(id));
    CHECK(large.contains(id));
  }
}

TEST_CASE("ids of text are looked up as views", "[operators][dedup]") {
  id_set<std::string> ids;
  CHECK(ids.insert("a"));
  CHECK_FALSE(ids.insert(std::string("a")));
  CHECK(ids.contains(std::string_view("a")));
  CHECK_FALSE(ids.contains("b"));
  CHECK(ids.size() == 1);
}
