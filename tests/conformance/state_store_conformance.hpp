#pragma once
#include <weir/entry_reader.hpp>
#include <weir/error.hpp>
#include <weir/read_through.hpp>
#include <weir/state_store.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace weir::test {

inline std::vector<std::byte> bytes_of(std::string_view text) {
  auto const* const at = reinterpret_cast<std::byte const*>(text.data());
  return {at, at + text.size()};
}
inline state_entry entry(std::string of_operator, std::string key, std::string_view value) {
  return {std::move(of_operator), std::move(key), bytes_of(value)};
}
inline state_change put(std::string of_operator, std::string key, std::string_view value) {
  return state_change::put(std::move(of_operator), std::move(key), bytes_of(value));
}
inline checkpoint_head head(std::uint64_t version, position const& at, instant when = 0, std::string writer = "run-1") {
  return {at, when, version, std::move(writer)};
}

/// A store under test: what it is asked, without tasks, and as a process that starts anew finds it.
class tried_store {
public:
  using reopen = std::function<std::unique_ptr<state_store>(std::unique_ptr<state_store>)>;
  tried_store(std::unique_ptr<state_store> s, reopen again) : store_(std::move(s)), reopen_(std::move(again)) {}

  std::optional<saved_checkpoint> load(checkpoint_key const& k) { return testing::run(store_->load(k)); }
  void commit(checkpoint_key const& k, checkpoint_head const& h, std::vector<state_change> const& changes = {}) {
    testing::run(store_->commit(k, checkpoint_update(h, changes)));
  }
  std::vector<checkpoint_listing> list(std::string const& pipeline) { return testing::run(store_->list(pipeline)); }
  std::vector<checkpoint_key> keys() { return testing::run(store_->keys()); }
  void move_anywhere(checkpoint_key const& k, checkpoint_head const& h, std::vector<state_change> const& changes = {}) {
    checkpoint_update anywhere(h, changes);
    anywhere.move = frontier_move::anywhere;
    testing::run(store_->commit(k, std::move(anywhere)));
  }
  void erase(checkpoint_key const& k) { testing::run(store_->erase(k)); }
  std::optional<saved_checkpoint> load_resident(checkpoint_key const& k) { return testing::run(store_->load_resident(k)); }
  std::optional<std::vector<std::byte>> read(checkpoint_key const& k, std::string_view of_operator, std::string_view under) {
    return store_->reader()->read(k, of_operator, under);
  }
  std::vector<state_entry> read_all(checkpoint_key const& k, std::string const& of_operator) {
    std::vector<state_entry> out;
    store_->reader()->each(k, of_operator, [&](std::string_view under, std::span<std::byte const> value) {
      out.emplace_back(of_operator, std::string(under), std::vector<std::byte>(value.begin(), value.end()));
    });
    return out;
  }
  void begin_anew() { store_ = reopen_(std::move(store_)); }
  /// What is loaded now, and by a process that starts anew.
  void has(checkpoint_key const& k, saved_checkpoint const& expected) {
    CHECK(load(k) == expected);
    begin_anew();
    CHECK(load(k) == expected);
  }
  state_store& plain() noexcept { return *store_; }

private:
  std::unique_ptr<state_store> store_;
  reopen reopen_;
};

/// What the entries of one key are after any commits: the simplest thing that can be right.
class expected_entries {
public:
  void take(std::vector<state_change> const& changes) {
    for (state_change const& c : changes) {
      auto const& [id, key, value] = c.entry;
      if (c.kind == state_change_kind::put) kept_[{id, key}] = value;
      else
        std::erase_if(kept_, [&](auto const& k) {
          return k.first.first == id && (c.kind == state_change_kind::erase ? k.first.second == key : k.first.second.starts_with(key));
        });
    }
  }
  std::vector<state_entry> all() const {
    std::vector<state_entry> out;
    for (auto const& [k, value] : kept_) out.emplace_back(k.first, k.second, value);
    return out;
  }

private:
  std::map<std::pair<std::string, std::string>, std::vector<std::byte>> kept_;  // std::string compares bytes
};

/// What a store must do that can read single entries.
inline void entry_reader_conformance(tried_store& store, checkpoint_key const& key) {
  SECTION("an entry is read as the last commit has left it, by its exact name") {
    std::string const odd("\0\xff", 2);
    store.commit(key, head(1, position(1)), {put("w", "a", "1"), put("w", "", "0"), put("w", odd, "odd"), put("w" + odd, "a", "2")});
    CHECK(store.read(key, "w", "a") == bytes_of("1"));
    CHECK(store.read(key, "w", "") == bytes_of("0"));
    CHECK(store.read(key, "w", odd) == bytes_of("odd"));
    CHECK(store.read(key, "w" + odd, "a") == bytes_of("2"));
    CHECK(store.read(key, "w", "ab") == std::nullopt);
    CHECK(store.read(key, "", "a") == std::nullopt);
    CHECK(store.read({"bars", "ticks", "shard-2"}, "w", "a") == std::nullopt);
    store.commit(key, head(2, position(2)), {put("w", "a", "3"), state_change::erase_prefix("w", odd)});
    CHECK(store.read(key, "w", "a") == bytes_of("3"));
    CHECK(store.read(key, "w", odd) == std::nullopt);
    fails_with(errc::stale, [&] { store.commit(key, head(9, position(3)), {put("w", "a", "x")}); });
    CHECK(store.read(key, "w", "a") == bytes_of("3"));
    store.begin_anew();
    CHECK(store.read(key, "w", "a") == bytes_of("3"));
    store.erase(key);
    CHECK(store.read(key, "w", "a") == std::nullopt);
  }
  SECTION("all entries of one operator are read in order, and no others") {
    store.commit(key, head(1, position(1)), {put("w", "b", "2"), put("w", "a", "1"), put("w2", "a", "x"), put("v", "z", "x")});
    store.commit({"bars", "ticks", "shard-2"}, head(1, position(1)), {put("w", "c", "x")});
    CHECK(store.read_all(key, "w") == std::vector{entry("w", "a", "1"), entry("w", "b", "2")});
    CHECK(store.read_all(key, "none").empty());
  }
  SECTION("what operators read through is left out where it is asked for, and is there for whoever loads all") {
    std::string const through = "w" + std::string(read_through_suffix), high = "\xff" + std::string(read_through_suffix);
    CHECK(store.load_resident(key) == std::nullopt);
    store.commit(key, head(1, position(1)),
                 {put("w", "a", "1"), put(through, "a", "2"), put(through, "\xff", "3"), put("x", "b", "4"), put(high, "c", "5")});
    store.begin_anew();
    CHECK(store.load_resident(key) == saved_checkpoint(head(1, position(1)), {entry("w", "a", "1"), entry("x", "b", "4")}));
    CHECK(store.load(key) ==
          saved_checkpoint(head(1, position(1)), {entry("w", "a", "1"), entry(through, "a", "2"), entry(through, "\xff", "3"),
                                                  entry("x", "b", "4"), entry(high, "c", "5")}));
    CHECK(store.read(key, through, "\xff") == bytes_of("3"));
  }
}

/// What every state store must do. Call it from a TEST_CASE with an empty store; it makes sections, so that the case is run once for each
/// of them. `reopen` gives the store as a process that starts anew finds it (a store in memory: the same one).
inline void state_store_conformance(std::unique_ptr<state_store> tried, tried_store::reopen reopen) {
  tried_store store(std::move(tried), std::move(reopen));
  checkpoint_key const key("bars", "ticks", "shard-1");

  SECTION("a key that was never committed has no checkpoint") {
    CHECK(store.load(key) == std::nullopt);
    CHECK(store.list("bars").empty());
    CHECK(store.keys().empty());
    store.erase(key);
  }
  SECTION("what was committed is loaded, its entries by operator and key") {
    auto const h = head(1, position(17), 1'723'161'255'342'000'001);
    store.commit(key, h, {put("window", "b", "2"), put("dedup", "z", "9"), put("window", "a", "1"), put("window", "", "0")});
    store.has(key, saved_checkpoint(
                       h, {entry("dedup", "z", "9"), entry("window", "", "0"), entry("window", "a", "1"), entry("window", "b", "2")}));
  }
  SECTION("every position and time comes back exactly") {
    std::uint64_t const largest = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::pair<position, instant>> const all{
        {position(), 0}, {position(0), -1}, {position(3, 0), start_of_time}, {position(largest, largest, largest, 17), end_of_time}};
    std::uint64_t version = 0;
    for (auto const& [at, when] : all) {
      auto const h = head(++version, at, when);
      store.commit(key, h);
      store.has(key, saved_checkpoint(h));
    }
  }
  SECTION("values of any content and size come back exactly") {
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    std::string const large(3'000'000, '\xa5');
    store.commit(key, head(1, position(1)), {put("o", "empty", ""), put("o", "every byte", all), put("o", "large", large)});
    store.has(key,
              saved_checkpoint(head(1, position(1)), {entry("o", "empty", ""), entry("o", "every byte", all), entry("o", "large", large)}));
  }
  SECTION("operators and keys may have any bytes, and are ordered as bytes") {
    std::vector<std::string> const names{"",
                                         std::string("\0", 1),
                                         std::string("\0a", 2),
                                         "'; DROP TABLE state; --",
                                         "%_",
                                         "a",
                                         "a\nb",
                                         std::string("a\0b", 3),
                                         "ab",
                                         "b",
                                         "p\xc3\xa4ge",
                                         "\xff",
                                         "\xff\xff"};
    std::vector<state_change> changes;
    expected_entries expected;
    for (auto const& id : names)
      for (auto const& k : names) changes.push_back(put(id, k, id + "=" + k));
    std::reverse(changes.begin(), changes.end());
    expected.take(changes);
    store.commit(key, head(1, position(1)), changes);
    store.has(key, saved_checkpoint(head(1, position(1)), expected.all()));
  }
  SECTION("a commit changes the entries it names, and leaves the others") {
    store.commit(key, head(1, position(1)), {put("w", "a", "1"), put("w", "b", "2"), put("v", "a", "3")});
    store.commit(key, head(2, position(2)),
                 {put("w", "b", "20"), put("w", "c", "30"), state_change::erase("w", "a"), state_change::erase("w", "none")});
    store.has(key, saved_checkpoint(head(2, position(2)), {entry("v", "a", "3"), entry("w", "b", "20"), entry("w", "c", "30")}));
    store.commit(key, head(3, position(3)));
    store.has(key, saved_checkpoint(head(3, position(3)), {entry("v", "a", "3"), entry("w", "b", "20"), entry("w", "c", "30")}));
  }
  SECTION("a prefix goes with all keys that begin with it, of its operator alone") {
    std::string const high("\xff", 1);
    store.commit(key, head(1, position(1)),
                 {put("w", "1", "-"), put("w", "12", "-"), put("w", "123", "-"), put("w", "13", "-"), put("w", "2", "-"),
                  put("w", high, "-"), put("w", high + high, "-"), put("w", high + "a", "-"), put("w", "%", "-"), put("w", "_", "-"),
                  put("v", "12", "-"), put("w2", "12", "-")});
    store.commit(key, head(2, position(2)),
                 {state_change::erase_prefix("w", "12"), state_change::erase_prefix("w", high + high), state_change::erase_prefix("w", "%"),
                  state_change::erase_prefix("w", "nothing")});
    store.has(key, saved_checkpoint(head(2, position(2)),
                                    {entry("v", "12", "-"), entry("w", "1", "-"), entry("w", "13", "-"), entry("w", "2", "-"),
                                     entry("w", "_", "-"), entry("w", high, "-"), entry("w", high + "a", "-"), entry("w2", "12", "-")}));
    store.commit(key, head(3, position(3)), {state_change::erase_prefix("w", high)});
    store.commit(key, head(4, position(4)), {state_change::erase_prefix("w", "")});
    store.has(key, saved_checkpoint(head(4, position(4)), {entry("v", "12", "-"), entry("w2", "12", "-")}));
  }
  SECTION("the steps of a commit are taken in order") {
    store.commit(key, head(1, position(1)),
                 {put("w", "a", "1"), put("w", "a", "2"), put("w", "b", "1"), state_change::erase("w", "b"), put("w", "c1", "1"),
                  state_change::erase_prefix("w", "c"), put("w", "c2", "1"), state_change::erase("w", "d"), put("w", "d", "1")});
    store.has(key, saved_checkpoint(head(1, position(1)), {entry("w", "a", "2"), entry("w", "c2", "1"), entry("w", "d", "1")}));
  }
  SECTION("any commits give what the simplest store gives") {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      std::mt19937 dice(seed);
      auto const any = [&](unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(dice); };
      checkpoint_key const own("random", "ticks", std::to_string(seed));
      expected_entries expected;
      for (std::uint64_t version = 1; version <= 20; ++version) {
        std::vector<state_change> changes;
        for (unsigned n = any(12); n != 0; --n) {
          std::string const id(1, static_cast<char>('v' + any(2)));
          std::string k;
          for (unsigned length = any(4); length != 0; --length) k += static_cast<char>('a' + any(3));
          switch (any(4)) {
            case 0: changes.push_back(state_change::erase(id, k)); break;
            case 1: changes.push_back(state_change::erase_prefix(id, k.empty() ? "a" : k)); break;
            default: changes.push_back(put(id, k, std::to_string(any(1000)))); break;
          }
        }
        expected.take(changes);
        store.commit(own, head(version, position(version)), changes);
        if (version % 5 == 0) store.begin_anew();
        CHECK(store.load(own) == saved_checkpoint(head(version, position(version)), expected.all()));
      }
    }
  }
  SECTION("a commit that does not build on what is stored is refused, and changes nothing") {
    fails_with(
        errc::stale, [&] { store.commit(key, head(2, position(5)), {put("w", "a", "x")}); }, "checkpoint: cannot commit", "stream ticks",
        "partition shard-1", "position 5", "pipeline bars", "the store has no checkpoint", "builds on version 1");
    CHECK(store.load(key) == std::nullopt);
    store.commit(key, head(1, position(10)), {put("w", "a", "1")});
    store.commit(key, head(2, position(20)), {put("w", "a", "2")});
    saved_checkpoint const stored(head(2, position(20)), {entry("w", "a", "2")});
    for (std::uint64_t const version : {0U, 1U, 2U, 4U, 1000U})
      fails_with(
          errc::stale,
          [&] { store.commit(key, head(version, position(30), 0, "run-2"), {put("w", "a", "x"), state_change::erase_prefix("w", "")}); },
          "the store has version 2 at position 20", "another worker");
    store.has(key, stored);
    store.commit(key, head(3, position(30)));
  }
  SECTION("a checkpoint never goes backwards") {
    store.commit(key, head(1, position(10)), {put("w", "a", "1")});
    for (position const& before : {position(9), position(9, 99), position(0), position()})
      fails_with(
          errc::stale, [&] { store.commit(key, head(2, before), {put("w", "a", "x")}); }, "position " + before.text(),
          "has position 10 already");
    store.has(key, saved_checkpoint(head(1, position(10)), {entry("w", "a", "1")}));
    store.commit(key, head(2, position(10)), {put("w", "a", "2")});
    store.has(key, saved_checkpoint(head(2, position(10)), {entry("w", "a", "2")}));
  }
  SECTION("people may move a checkpoint back, but not past a commit they have not seen") {
    store.commit(key, head(1, position(10)), {put("w", "a", "1"), put("v", "b", "2")});
    store.commit(key, head(2, position(20)), {put("w", "a", "3")});
    std::vector const all{state_change::erase_prefix("v", ""), state_change::erase_prefix("w", "")};
    fails_with(
        errc::stale, [&] { store.move_anywhere(key, head(2, position(5), 0, "person"), all); }, "the store has version 2 at position 20");
    store.has(key, saved_checkpoint(head(2, position(20)), {entry("v", "b", "2"), entry("w", "a", "3")}));
    store.move_anywhere(key, head(3, position(5), 7, "person"), all);
    store.has(key, saved_checkpoint(head(3, position(5), 7, "person")));
    store.move_anywhere(key, head(3, position(5), 7, "person"), {put("w", "a", "x")});
    fails_with(errc::stale, [&] { store.commit(key, head(3, position(21)), {put("w", "a", "x")}); }, "has version 3 at position 5");
    fails_with(errc::stale, [&] { store.commit(key, head(4, position(4)), {put("w", "a", "x")}); }, "has position 5 already");
    store.commit(key, head(4, position(6)), {put("w", "a", "4")});
    store.has(key, saved_checkpoint(head(4, position(6)), {entry("w", "a", "4")}));
    store.move_anywhere(key, head(5, position()), all);
    store.move_anywhere(key, head(6, position(9)));
    store.has(key, saved_checkpoint(head(6, position(9))));
  }
  SECTION("the same again changes nothing") {
    store.commit(key, head(1, position(10), 5), {put("w", "a", "1")});
    store.commit(key, head(1, position(10), 5), {put("w", "a", "1")});
    store.has(key, saved_checkpoint(head(1, position(10), 5), {entry("w", "a", "1")}));
    fails_with(errc::stale, [&] { store.commit(key, head(1, position(10), 5, "run-2"), {put("w", "a", "x")}); });
    fails_with(errc::stale, [&] { store.commit(key, head(1, position(10), 6), {put("w", "a", "x")}); });
    store.has(key, saved_checkpoint(head(1, position(10), 5), {entry("w", "a", "1")}));
  }
  SECTION("checkpoints do not see each other") {
    std::vector<checkpoint_key> const keys{{"bars", "ticks", "1"}, {"bars", "ticks", "2"}, {"bars", "tick", "s1"}, {"bar", "sticks", "1"},
                                           {"", "", ""},           {"bars", "ticks", ""},  {"Bars", "ticks", "1"}, {"bars", "ticks", "1 "}};
    for (std::size_t i = 0; i < keys.size(); ++i) store.commit(keys[i], head(1, position(i)), {put("w", "a", std::to_string(i))});
    store.commit(keys[0], head(2, position(100)), {state_change::erase_prefix("w", "")});
    store.begin_anew();
    CHECK(store.load(keys[0]) == saved_checkpoint(head(2, position(100))));
    for (std::size_t i = 1; i < keys.size(); ++i)
      CHECK(store.load(keys[i]) == saved_checkpoint(head(1, position(i)), {entry("w", "a", std::to_string(i))}));
  }
  SECTION("names may have any bytes") {
    std::vector<checkpoint_key> const keys{{"p\xc3\xa4ge", "\xe6\x97\xa5", "'; DROP TABLE checkpoints; --"},
                                           {"a\nb", "\"", "\\"},
                                           {std::string("a\0b", 3), std::string("\xff\xfe", 2), std::string(1000, 'x')},
                                           {"a", "", ""}};
    for (std::size_t i = 0; i < keys.size(); ++i) store.commit(keys[i], head(1, position(i), 0, keys[i].stream), {put("w", "a", "1")});
    store.begin_anew();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      CHECK(store.load(keys[i]) == saved_checkpoint(head(1, position(i), 0, keys[i].stream), {entry("w", "a", "1")}));
      CHECK(store.list(keys[i].pipeline).size() == 1);
    }
    std::vector<checkpoint_key> ordered = keys;
    std::sort(ordered.begin(), ordered.end());
    CHECK(store.keys() == ordered);
  }
  SECTION("list gives the checkpoints of one pipeline, ordered by key, and how large they are") {
    store.commit({"bars", "ticks", "2"}, head(1, position(2), 20), {put("window", "a", "12345"), put("w", "", "")});
    store.commit({"bars", "ticks", "1"}, head(1, position(1), 10));
    store.commit({"bars", "news", "9"}, head(1, position(9), 90));
    store.commit({"bars2", "ticks", "1"}, head(1, position(5), 50));
    store.begin_anew();
    CHECK(store.list("bars") == std::vector{checkpoint_listing({"bars", "news", "9"}, head(1, position(9), 90), 0, 0),
                                            checkpoint_listing({"bars", "ticks", "1"}, head(1, position(1), 10), 0, 0),
                                            checkpoint_listing({"bars", "ticks", "2"}, head(1, position(2), 20), 2, 13)});
    CHECK(store.list("nobody").empty());
  }
  SECTION("keys names the checkpoints of all pipelines, in order") {
    store.commit({"bars2", "ticks", "1"}, head(1, position(5)));
    store.commit({"bars", "ticks", "2"}, head(1, position(2)), {put("window", "a", "12345")});
    store.commit({"bars", "ticks", "1"}, head(1, position(1)));
    store.commit({"bars", "news", "9"}, head(1, position(9)));
    store.commit({"Bars", "news", "9"}, head(1, position(9)));
    store.erase({"bars", "ticks", "1"});
    store.begin_anew();
    CHECK(store.keys() ==
          std::vector<checkpoint_key>{{"Bars", "news", "9"}, {"bars", "news", "9"}, {"bars", "ticks", "2"}, {"bars2", "ticks", "1"}});
  }
  SECTION("after erase, the key begins anew, and others keep theirs") {
    checkpoint_key const other("bars", "ticks", "shard-2");
    store.commit(key, head(1, position(10)), {put("w", "a", "1")});
    store.commit(other, head(1, position(20)), {put("w", "a", "2")});
    store.erase(key);
    CHECK(store.load(key) == std::nullopt);
    store.begin_anew();
    CHECK(store.load(key) == std::nullopt);
    store.commit(key, head(1, position(3)), {put("w", "b", "3")});
    store.has(key, saved_checkpoint(head(1, position(3)), {entry("w", "b", "3")}));
    store.has(other, saved_checkpoint(head(1, position(20)), {entry("w", "a", "2")}));
  }
  if (store.plain().reader()) entry_reader_conformance(store, key);
  SECTION("strands may use one store at the same time") {
    std::vector<std::thread> threads;
    threads.reserve(3);
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&plain = store.plain(), t] {
        checkpoint_key const own("bars", "ticks", std::to_string(t));
        for (std::uint64_t i = 1; i <= 30; ++i) {
          testing::run(plain.commit(own, checkpoint_update(head(i, position(i)), {put("w", std::to_string(i), "1")})));
          testing::run(plain.list("bars"));
        }
      });
    for (auto& t : threads) t.join();
    auto const all = store.list("bars");
    CHECK(all.size() == 3);
    for (auto const& l : all) CHECK(std::pair(l.head.position, l.entries) == std::pair(position(30), std::uint64_t{30}));
  }
}

}  // namespace weir::test
