#include <weir/operators/detail/due_heap.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <utility>

using namespace weir::detail;

TEST_CASE("a due heap gives its places by time, those of one time by their order") {
  due_heap heap;
  CHECK_FALSE(heap.due(weir::end_of_time));
  heap.set(0, 7, 50);
  heap.set(1, 3, 50);
  heap.set(2, 9, 40);
  CHECK_FALSE(heap.due(39));
  CHECK(heap.due(40));
  CHECK(heap.first() == 2);
  heap.set(2, 9, 60);
  CHECK(heap.first() == 1);
  heap.set(0, 7, 30);
  CHECK(heap.first() == 0);
  CHECK(heap.first_at() == 30);
  heap.remove(1);
  heap.remove(1);
  heap.move(2, 1);
  heap.remove(0);
  CHECK(heap.first() == 1);
  CHECK(heap.first_at() == 60);
}

TEST_CASE("a due heap gives the least of any entries after any operations") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    due_heap heap;
    std::map<std::uint32_t, std::pair<weir::instant, std::uint64_t>> expected;  // by place
    for (int i = 0; i != 3000; ++i) {
      auto const place = static_cast<std::uint32_t>(random() % 50), lower = static_cast<std::uint32_t>(random() % (place + 1));
      switch (random() % 6) {
        case 0:
          heap.remove(place);
          expected.erase(place);
          break;
        case 1:
          if (lower == place) break;
          heap.remove(lower);
          expected.erase(lower);
          heap.move(place, lower);
          if (auto node = expected.extract(place)) {
            node.key() = lower;
            expected.insert(std::move(node));
          }
          break;
        default: {
          auto const at = static_cast<weir::instant>(random() % 100);
          std::uint64_t const order = expected.contains(place) ? expected[place].second : static_cast<std::uint64_t>(i);
          heap.set(place, order, at);
          expected[place] = {at, order};
        }
      }
      REQUIRE(heap.empty() == expected.empty());
      if (expected.empty()) continue;
      auto const least = std::ranges::min_element(expected, {}, [](auto const& e) { return e.second; });
      REQUIRE(heap.first() == least->first);
      REQUIRE(heap.first_at() == least->second.first);
    }
  }
}
