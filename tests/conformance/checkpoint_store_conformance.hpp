#pragma once
#include <weir/checkpoint_store.hpp>
#include <weir/error.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace weir::test {

inline std::vector<std::byte> bytes_of(std::string_view text) {
  auto const* const at = reinterpret_cast<std::byte const*>(text.data());
  return {at, at + text.size()};
}

/// What every checkpoint store must do. Call it from a TEST_CASE with an empty store; it makes sections, so that the case is run once for
/// each of them. `reopen` gives the store as a process that starts anew finds it (a store in memory: the same one).
template <class Reopen> void checkpoint_store_conformance(std::unique_ptr<checkpoint_store> store, Reopen reopen) {
  checkpoint_key const key("bars", "ticks", "shard-1");
  auto const load = [&](checkpoint_key const& k) { return testing::run(store->load(k)); };
  auto const save = [&](checkpoint_key const& k, saved_checkpoint const& c) { testing::run(store->save(k, c)); };
  auto const keep = [&](checkpoint_key const& k, saved_checkpoint const& c) {
    save(k, c);
    CHECK(load(k) == c);
    store = reopen(std::move(store));
    CHECK(load(k) == c);
  };

  SECTION("a key that was never saved has no checkpoint") {
    CHECK(load(key) == std::nullopt);
    CHECK(testing::run(store->list("bars")).empty());
    testing::run(store->erase(key));
  }
  SECTION("what was saved is loaded") { keep(key, saved_checkpoint(position(17), 1'723'161'255'342'000'001, bytes_of("open windows"))); }
  SECTION("every position and time comes back exactly") {
    std::uint64_t const largest = std::numeric_limits<std::uint64_t>::max();
    keep(key, saved_checkpoint(position(), 0));
    keep(key, saved_checkpoint(position(0), -1));
    keep(key, saved_checkpoint(position(3, 0), start_of_time));
    keep(key, saved_checkpoint(position(largest, largest, largest, 17), end_of_time));
  }
  SECTION("state of any content and size comes back exactly") {
    keep(key, saved_checkpoint(position(1), 1));
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    keep(key, saved_checkpoint(position(2), 2, bytes_of(all)));
    keep(key, saved_checkpoint(position(3), 3, std::vector<std::byte>(3'000'000, std::byte(0xa5))));
    keep(key, saved_checkpoint(position(4), 4));
  }
  SECTION("a later position replaces the one before") {
    save(key, saved_checkpoint(position(9), 1, bytes_of("old")));
    keep(key, saved_checkpoint(position(10), 2, bytes_of("young")));
    CHECK(testing::run(store->list("bars")).size() == 1);
  }
  SECTION("a checkpoint never goes backwards") {
    saved_checkpoint const stored(position(10), 5, bytes_of("state"));
    save(key, stored);
    for (position const& before : {position(9), position(9, 99), position(0), position()})
      fails_with(
          errc::stale, [&] { save(key, saved_checkpoint(before, 6)); }, "checkpoint: cannot save", "stream ticks", "partition shard-1",
          "position " + before.text(), "pipeline bars", "has position 10 already");
    CHECK(load(key) == stored);
    store = reopen(std::move(store));
    CHECK(load(key) == stored);
    fails_with(errc::stale, [&] { save(key, saved_checkpoint(position(9), 7)); });
    keep(key, saved_checkpoint(position(11), 8));
  }
  SECTION("the same again changes nothing") {
    saved_checkpoint const stored(position(10), 5, bytes_of("state"));
    save(key, stored);
    keep(key, stored);
  }
  SECTION("at an equal position, state and time are replaced") {
    save(key, saved_checkpoint(position(10), 5, bytes_of("state")));
    keep(key, saved_checkpoint(position(10), 6, bytes_of("other")));
  }
  SECTION("keys do not see each other") {
    std::vector<checkpoint_key> const keys{{"bars", "ticks", "1"}, {"bars", "ticks", "2"}, {"bars", "tick", "s1"}, {"bar", "sticks", "1"},
                                           {"", "", ""},           {"bars", "ticks", ""},  {"Bars", "ticks", "1"}, {"bars", "ticks", "1 "}};
    for (std::size_t i = 0; i < keys.size(); ++i) save(keys[i], saved_checkpoint(position(100 - i), static_cast<instant>(i)));
    store = reopen(std::move(store));
    for (std::size_t i = 0; i < keys.size(); ++i) CHECK(load(keys[i]) == saved_checkpoint(position(100 - i), static_cast<instant>(i)));
  }
  SECTION("keys may have any bytes") {
    std::vector<checkpoint_key> const keys{{"päge", "日本", "'; DROP TABLE checkpoints; --"},
                                           {"a\nb", "\"", "\\"},
                                           {std::string("a\0b", 3), std::string("\xff\xfe", 2), std::string(1000, 'x')},
                                           {"a", "", ""}};
    for (std::size_t i = 0; i < keys.size(); ++i) save(keys[i], saved_checkpoint(position(i), 0));
    store = reopen(std::move(store));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      CHECK(load(keys[i]) == saved_checkpoint(position(i), 0));
      CHECK(testing::run(store->list(keys[i].pipeline)).size() == 1);
    }
  }
  SECTION("list gives the checkpoints of one pipeline, ordered by key") {
    save({"bars", "ticks", "2"}, saved_checkpoint(position(2), 20, bytes_of("two")));
    save({"bars", "ticks", "1"}, saved_checkpoint(position(1), 10));
    save({"bars", "news", "9"}, saved_checkpoint(position(9), 90));
    save({"bars2", "ticks", "1"}, saved_checkpoint(position(5), 50));
    store = reopen(std::move(store));
    auto const found = testing::run(store->list("bars"));
    REQUIRE(found.size() == 3);
    CHECK(found[0] == checkpoint_entry({"bars", "news", "9"}, saved_checkpoint(position(9), 90)));
    CHECK(found[1] == checkpoint_entry({"bars", "ticks", "1"}, saved_checkpoint(position(1), 10)));
    CHECK(found[2] == checkpoint_entry({"bars", "ticks", "2"}, saved_checkpoint(position(2), 20, bytes_of("two"))));
    CHECK(testing::run(store->list("nobody")).empty());
  }
  SECTION("after erase, the key begins anew, and others keep theirs") {
    save(key, saved_checkpoint(position(10), 1));
    save({"bars", "ticks", "shard-2"}, saved_checkpoint(position(20), 2));
    testing::run(store->erase(key));
    CHECK(load(key) == std::nullopt);
    store = reopen(std::move(store));
    CHECK(load(key) == std::nullopt);
    keep(key, saved_checkpoint(position(3), 3));
    CHECK(load({"bars", "ticks", "shard-2"}) == saved_checkpoint(position(20), 2));
  }
  SECTION("strands may use one store at the same time") {
    std::vector<std::thread> threads;
    threads.reserve(3);
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&store, t] {
        checkpoint_key const own("bars", "ticks", std::to_string(t));
        for (std::uint64_t i = 0; i < 30; ++i) {
          testing::run(store->save(own, saved_checkpoint(position(i), 0)));
          testing::run(store->list("bars"));
        }
      });
    for (auto& t : threads) t.join();
    for (auto const& entry : testing::run(store->list("bars"))) CHECK(entry.saved.position == position(29));
  }
}

}  // namespace weir::test
