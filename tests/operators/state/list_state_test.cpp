#include <weir/operators/state/list_state.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <string>

using namespace weir;

namespace {

std::string text(list_state<std::string> const& list) {
  std::string out;
  for (auto const& [time, value] : list) out += value + (time == end_of_time ? " " : "@" + std::to_string(time) + " ");
  return out;
}
list_state<std::string> restored(list_state<std::string> const& list) {
  std::vector<std::byte> bytes;
  encode_state(list, bytes);
  return decode_state<list_state<std::string>>(bytes);
}

}  // namespace

TEST_CASE("a list's values are in the order of time, those of one time as they came, those without a time last") {
  list_state<std::string> list;
  list.add("forever");
  list.add("b", 5);
  list.add("d", 9);
  list.add("a", 2);
  list.add("c", 5);
  list.add("ever");
  CHECK(text(list) == "a@2 b@5 c@5 d@9 forever ever ");
  CHECK(list.size() == 6);
  CHECK(list.front().value == "a");
  CHECK(list.back().value == "ever");
  CHECK(list[3].time == 9);
}

TEST_CASE("drop_before takes the values before a time away, not those of it") {
  list_state<std::string> list;
  for (int i = 1; i <= 5; ++i) list.add(std::to_string(i), i);
  list.add("forever");
  CHECK(list.drop_before(1) == 0);
  CHECK(list.drop_before(3) == 2);
  CHECK(text(list) == "3@3 4@4 5@5 forever ");
  CHECK(list.drop_before(3) == 0);
  list.add("2", 2);
  CHECK(text(list) == "2@2 3@3 4@4 5@5 forever ");
  CHECK(list.drop_before(end_of_time) == 4);
  CHECK(text(list) == "forever ");
  list.clear();
  CHECK(list.empty());
}

TEST_CASE("a list is the same after a checkpoint") {
  list_state<std::string> list;
  CHECK(restored(list).empty());
  for (int i = 1; i <= 5; ++i) list.add(std::to_string(i), i / 2);
  list.add("forever");
  list.drop_before(1);
  CHECK(text(restored(list)) == text(list));
}

TEST_CASE("a list holds values that cannot be copied") {
  list_state<std::unique_ptr<int>> list;
  list.add(std::make_unique<int>(2), 2);
  list.add(std::make_unique<int>(1), 1);
  list_state<std::unique_ptr<int>> const moved = std::move(list);
  CHECK(*moved.front().value == 1);
}

TEST_CASE("a long list that is filled and emptied in any order equals a sorted one") {
  std::mt19937 random(1);
  list_state<int> list;
  std::deque<std::pair<instant, int>> expected;
  instant now = 0;
  for (int i = 0; i != 5000; ++i) {
    now += static_cast<instant>(random() % 4);
    instant const time = now - static_cast<instant>(random() % 10);
    list.add(i, time);
    auto const behind = std::ranges::upper_bound(expected, time, {}, &std::pair<instant, int>::first);
    expected.insert(behind, {time, i});
    if (random() % 3 == 0) {
      instant const from = now - static_cast<instant>(random() % 100);
      auto const kept = std::ranges::lower_bound(expected, from, {}, &std::pair<instant, int>::first);
      auto const dropped = static_cast<std::size_t>(kept - expected.begin());
      expected.erase(expected.begin(), kept);
      CHECK(list.drop_before(from) == dropped);
    }
    REQUIRE(std::ranges::equal(list, expected, [](auto const& a, auto const& b) { return a.time == b.first && a.value == b.second; }));
  }
}
