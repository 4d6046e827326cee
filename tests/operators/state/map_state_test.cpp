#include <weir/operators/state/map_state.hpp>

#include "support/catch.hpp"

#include <map>
#include <random>
#include <string>

using namespace weir;

namespace {

template <class K, class V> std::string text(map_state<K, V> const& map) {
  std::string out;
  for (auto const& [key, value, time] : map) {
    if constexpr (std::is_same_v<K, std::string>) out += key;
    else out += std::to_string(key);
    out += ":" + std::to_string(value) + (time == end_of_time ? " " : "@" + std::to_string(time) + " ");
  }
  return out;
}
template <class K, class V> map_state<K, V> restored(map_state<K, V> const& map) {
  std::vector<std::byte> bytes;
  encode_state(map, bytes);
  return decode_state<map_state<K, V>>(bytes);
}

}  // namespace

TEST_CASE("a map finds what was put in, and no more what was erased") {
  map_state<std::string, int> map;
  CHECK(map.find("a") == nullptr);
  map.put("a", 1);
  map.put("b", 2, 5);
  CHECK(++map["c"] == 1);
  REQUIRE(map.find("b"));
  *map.find("b") += 10;
  CHECK(map.put("a", 3) == 3);
  CHECK(text(map) == "a:3 b:12@5 c:1 ");
  CHECK(map.erase("a"));
  CHECK_FALSE(map.erase("a"));
  CHECK_FALSE(map.contains("a"));
  CHECK(text(map) == "c:1 b:12@5 ");
  map.clear();
  CHECK(map.empty());
}

TEST_CASE("entries of a map go when they are dropped before a later time; those without one stay") {
  map_state<int, int> map;
  for (int i = 1; i <= 20; ++i) map.put(i, i, i);
  map.put(0, 0);
  CHECK(map.drop_before(1) == 0);
  CHECK(map.drop_before(15) == 14);
  CHECK(map.size() == 7);
  map.put(15, 15, 99);  // used again
  CHECK(map.drop_before(16) == 0);
  CHECK(map.drop_before(99) == 5);
  CHECK(map.contains(15));
  CHECK(map.contains(0));
  map.put(1, 1, 3);  // late
  CHECK(map.drop_before(4) == 1);
  CHECK(map.drop_before(end_of_time) == 1);
  CHECK(map.size() == 1);
}

TEST_CASE("a map is the same after a checkpoint, and goes on in the same order") {
  map_state<std::string, int> map;
  CHECK(restored(map).empty());
  for (int i = 0; i != 30; ++i) map.put("key " + std::to_string(i), i, i);
  map.erase("key 3");
  map.drop_before(7);
  auto again = restored(map);
  CHECK(text(again) == text(map));
  for (auto* const m : {&map, &again}) {
    m->put("x", 100, 100);
    m->erase("key 20");
    m->drop_before(12);
  }
  CHECK(text(again) == text(map));
}

TEST_CASE("a map of any size equals a standard one after any operations") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    map_state<int, int> map;
    std::map<int, std::pair<int, instant>> expected;
    for (int i = 0; i != 2000; ++i) {
      int const key = static_cast<int>(random() % (seed * 4));
      switch (random() % 5) {
        case 0: CHECK(map.erase(key) == (expected.erase(key) == 1)); break;
        case 1: {
          auto const from = static_cast<instant>(i) - static_cast<instant>(random() % 100);
          CHECK(map.drop_before(from) == std::erase_if(expected, [&](auto const& e) { return e.second.second < from; }));
          break;
        }
        case 2:
          map[key] += 1;
          if (!expected.contains(key)) expected[key].second = end_of_time;
          ++expected[key].first;
          break;
        default: map.put(key, i, i); expected[key] = {i, i};
      }
      REQUIRE(map.size() == expected.size());
      auto const found = expected.find(key);
      int const* const value = map.find(key);
      REQUIRE((value != nullptr) == (found != expected.end()));
      if (value) REQUIRE(*value == found->second.first);
    }
    for (auto const& [key, value, time] : map) CHECK(expected.at(key) == std::pair(value, time));
  }
}
