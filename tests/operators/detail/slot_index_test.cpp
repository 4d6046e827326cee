#include <weir/operators/detail/slot_index.hpp>

#include "support/catch.hpp"

#include <random>
#include <unordered_map>

using namespace weir::detail;

TEST_CASE("a slot index of any size finds what an unordered map finds, also where all hashes are the same") {
  for (unsigned const spread : {0U, 3U, 31U}) {
    std::mt19937 random(spread);
    auto const hash_of = [spread](std::uint32_t key) { return slot_index::mix(spread == 0 ? 1 : key & ((1U << spread) - 1)); };
    slot_index index;
    std::vector<std::uint32_t> keys;  // by place
    std::unordered_map<std::uint32_t, std::uint32_t> expected;
    std::uint32_t const range = spread == 31 ? 3000 : 60;
    for (int i = 0; i != 20'000; ++i) {
      auto const key = static_cast<std::uint32_t>(random() % range);
      std::uint32_t const place = index.find(hash_of(key), [&](std::uint32_t p) { return keys[p] == key; });
      auto const found = expected.find(key);
      REQUIRE(place == (found == expected.end() ? slot_index::none : found->second));
      if (found == expected.end()) {
        index.insert(hash_of(key), static_cast<std::uint32_t>(keys.size()));
        expected[key] = static_cast<std::uint32_t>(keys.size());
        keys.push_back(key);
      } else if (random() % 2 == 0) {  // as users do: the last one takes its place
        index.erase(hash_of(key), place);
        expected.erase(found);
        auto const last = static_cast<std::uint32_t>(keys.size() - 1);
        if (place != last) {
          index.move(hash_of(keys[last]), last, place);
          expected[keys[last]] = place;
          keys[place] = keys[last];
        }
        keys.pop_back();
      }
    }
    index.clear();
    CHECK(index.find(hash_of(1), [](std::uint32_t) { return true; }) == slot_index::none);
  }
}
