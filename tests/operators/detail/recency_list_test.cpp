#include <weir/operators/detail/recency_list.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

using weir::detail::recency_list;

TEST_CASE("a recency list has its places in the order in which they were noted, as a plain list has") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    recency_list list;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> plain;  // place and stamp
    auto const find = [&plain](std::uint32_t place) { return std::ranges::find(plain, place, [](auto const& p) { return p.first; }); };
    for (std::uint64_t stamp = 1; stamp != 400; ++stamp) {
      auto const place = static_cast<std::uint32_t>(random() % 12), other = static_cast<std::uint32_t>(random() % 12);
      switch (random() % 4) {
        case 0:
          list.remove(place);
          std::erase_if(plain, [&](auto const& p) { return p.first == place; });
          break;
        case 1:
          if (place == other || find(other) != plain.end()) break;
          list.move(place, other);
          if (auto const at = find(place); at != plain.end()) at->first = other;
          break;
        default:
          list.note(place, stamp);
          std::erase_if(plain, [&](auto const& p) { return p.first == place; });
          plain.emplace_back(place, stamp);
      }
      CAPTURE(seed, stamp);
      REQUIRE(list.oldest() == (plain.empty() ? recency_list::none : plain.front().first));
      for (auto const& [p, s] : plain) REQUIRE(list.stamp(p) == s);
    }
    for (; !plain.empty(); plain.erase(plain.begin())) {
      REQUIRE(list.oldest() == plain.front().first);
      list.remove(plain.front().first);
    }
    REQUIRE(list.oldest() == recency_list::none);
  }
}
