// `process` with more keys than may stay in memory.
#include <weir/operators/key_by.hpp>
#include <weir/operators/prefetch.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/state/list_state.hpp>

#include "operators/process_programs.hpp"
#include "operators/working_set_support.hpp"
#include "support/fails_with.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;

namespace {

template <class Expiry> auto processed(ns bound, Expiry expiry, std::size_t n) {
  return [=](stream<event> s) -> stream<std::string> {
    return in_time(std::move(s), bound) | key_by(&event::key) | process(random_program(), expiry).working_set(n);
  };
}
template <class Expiry> auto processed_in_memory(ns bound, Expiry expiry) {
  return [=](stream<event> s) -> stream<std::string> {
    return in_time(std::move(s), bound) | key_by(&event::key) | process(random_program(), expiry);
  };
}

struct counting {
  using output = std::string;
  struct state {
    int n = 0;
  };
  void element(event const& e, state& s, context_of_texts& c) { c.emit(e.key + "=" + std::to_string(s.n += e.value)); }
};
auto counted(std::size_t n) {
  return [n](stream<event> s) -> stream<std::string> {
    return in_time(std::move(s), ns(0)) | key_by(&event::key) | process(counting(), never_expires()).working_set(n);
  };
}

// Has timers by the clock too, and says when it was called.
struct alarm_clock {
  using output = std::string;
  struct state {
    list_state<int> calls;
  };
  void element(event const& e, state& s, context_of_texts& c) {
    s.calls.add(e.value);
    c.emit(e.key + std::to_string(s.calls.size()));
    if (e.time % 3 != 0) c.set_processing_timer(std::chrono::milliseconds(1 + e.time * 7 % 40));
    if (e.time % 4 == 0) c.set_timer(c.later(ns(e.time % 11)));
  }
  void timer(instant at, state& s, context_of_texts& c) {
    c.emit(c.key() + "#" + std::to_string(at) + "/" + std::to_string(s.calls.size()));
  }
  void processing_timer(instant at, state& s, context_of_texts& c) {
    s.calls.add(0);
    c.emit(c.key() + "~" + std::to_string(at) + "/" + std::to_string(s.calls.size()));
  }
};

struct hoarding {
  using output = std::string;
  using state = keeps::state;  // counts what is alive
  std::vector<int>* alive;
  explicit hoarding(std::vector<int>& a) : alive(&a) {}
  void element(event const& e, state& s, context_of_texts& c) {
    s.elements.emplace_back(e.value);
    alive->push_back(tracked::alive);
    c.emit(e.key + "=" + std::to_string(s.elements.size()));
  }
};

}  // namespace

TEST_CASE("random programs of timers do with a working set what a naive simulation does, in the same order") {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    auto const input = random_events(seed, 120);
    instant const bound = seed % 8, kept = 1 + seed % 20;
    auto const forever = simulation(bound, std::nullopt).run(input), expiring = simulation(bound, kept).run(input);
    for (std::size_t const n : {1u, 2u, 4u}) {
      std::uint64_t const records = 1 + seed % 5;
      CAPTURE(seed, n, records);
      auto const store = std::make_shared<counted_store>();
      CHECK(run_on(store, records, in_chunks(input, 1 + seed % 4), processed(ns(bound), never_expires(), n)) == forever);
      CHECK((n == 4 || store->reads > 0));
      CHECK(run_on(std::make_shared<memory_state_store>(), records, in_chunks(input, 1 + seed % 4),
                   processed(ns(bound), expire_after(ns(kept)), n)) == expiring);
    }
  }
}

TEST_CASE("keys stay in memory until the commit that has them has returned, however far behind the barrier it is") {
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    auto const input = random_events(seed, 120);
    auto const behind = [&](auto expiry) {
      return [=](stream<event> s) -> stream<std::string> { return processed(ns(4), expiry, 1)(std::move(s)) | prefetch(9); };
    };
    CHECK(run_on(std::make_shared<memory_state_store>(), 2, in_chunks(input, 3), behind(never_expires())) ==
          simulation(4, std::nullopt).run(input));
    CHECK(run_on(std::make_shared<memory_state_store>(), 2, in_chunks(input, 3), behind(expire_after(9ns))) == simulation(4, 9).run(input));
  }
}

TEST_CASE("after a restart at any place keys and timers are there, whether or not there was a working set before") {
  auto const input = random_events(7, 40);
  auto const check = [&](auto expiry, std::vector<std::string> const& expected) {
    for (std::size_t at = 0; at <= input.size(); at += 2) {
      for (bool const before : {true, false}) {
        CAPTURE(at, before);
        auto const store = std::make_shared<memory_state_store>();
        auto all = in_chunks(std::vector(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(at)), 3).fail("connection lost");
        for (std::size_t i = at; i != input.size(); ++i) all.element(input[i]);
        std::vector<std::string> out;
        auto const run = [&](auto make) { run_on(store, 1, all, make, out); };
        if (before) CHECK_THROWS_AS(run(processed(ns(3), expiry, 2)), error);
        else CHECK_THROWS_AS(run(processed_in_memory(ns(3), expiry)), error);
        run(processed(ns(3), expiry, 2));
        CHECK(out == expected);
      }
    }
  };
  check(never_expires(), simulation(3, std::nullopt).run(input));
  check(expire_after(8ns), simulation(3, 8).run(input));
}

TEST_CASE("timers on the clock fire for keys that are in the store as for those in memory") {
  auto const make = [](auto n) {
    return [n](stream<event> s) -> stream<std::string> {
      auto all = in_time(std::move(s), ns(2)) | key_by(&event::key);
      if constexpr (std::integral<decltype(n)>) return std::move(all) | process(alarm_clock(), expire_after(30ns)).working_set(n);
      else return std::move(all) | process(alarm_clock(), expire_after(30ns));
    };
  };
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    testing::script<event> input("input"), same("input");
    for (event const& e : random_events(seed, 60)) {
      input.element(e).wait(5ms);
      same.element(e).wait(5ms);
    }
    auto const expected = run_on(std::make_shared<memory_state_store>(), 2, same, make(nullptr));
    REQUIRE(std::ranges::any_of(expected, [](std::string const& s) { return s.find('~') != s.npos; }));
    auto const store = std::make_shared<counted_store>();
    CHECK(run_on(store, 2, input, make(std::size_t{1})) == expected);
    CHECK(store->reads > 0);
  }
}

TEST_CASE("no more states are in memory than the working set, and those that no checkpoint has yet") {
  std::vector<event> input;
  for (int i = 0; i != 300; ++i) input.emplace_back("key " + std::to_string(i * 7 % 100), i);
  std::vector<int> alive;
  auto const out = run_on(std::make_shared<memory_state_store>(), 5, in_chunks(input, 5), [&](stream<event> s) -> stream<std::string> {
    return in_time(std::move(s), ns(0)) | key_by(&event::key) | process(hoarding(alive), never_expires()).working_set(10);
  });
  for (std::size_t i = 0; i != out.size(); ++i) CHECK(out[i] == "key " + std::to_string(i * 7 % 100) + "=" + std::to_string(i / 100 + 1));
  // 10 keys with up to three elements each, and those of two checkpoints of 5: one that is not committed when the next one passes.
  CHECK(*std::ranges::max_element(alive) <= 3 * (10 + 10));
}

TEST_CASE("a key that comes again and again stays in memory, the others go") {
  std::vector<event> input;
  for (int i = 0; i != 100; ++i) {
    input.emplace_back("often", 2 * i);
    input.emplace_back("key " + std::to_string(i), 2 * i + 1);
  }
  auto const store = std::make_shared<counted_store>();
  auto const out = run_on(store, 4, in_chunks(input, 2), counted(3));
  CHECK(out[198] == "often=100");
  CHECK(store->reads <= 100);  // the new keys, each once, as the store's filters know that it has none: never for "often"
}

TEST_CASE("keys that have expired go from the store as well") {
  std::vector<event> input;
  for (int i = 0; i != 100; ++i) input.emplace_back("key " + std::to_string(i), i * 10);
  auto const store = std::make_shared<memory_state_store>();
  auto const counts = std::make_shared<key_counts>();
  run_on(store, 1, in_chunks(input, 1), [&](stream<event> s) -> stream<std::string> {
    return in_time(std::move(s), ns(0)) | key_by(&event::key) |
           process(counting(), expire_after(35ns)).working_set(1).keys_counted_in(counts);
  });
  CHECK(left_in_store(*store) <= 5);
  CHECK(counts->expired == 100);
  CHECK(counts->open == 0);
}

TEST_CASE("keys are not left in a store that cannot be asked for them") {
  fails_with(
      errc::misuse, [] { run_on(std::make_shared<blind_store>(), 2, in_chunks(events("a1 b2 a3"), 1), counted(5)); },
      "process: cannot keep a part of its state outside memory", "cannot read single entries");
  fails_with(errc::invalid_option, [] { (void)process(counting(), never_expires()).working_set(0); }, "process", "its working set is 0");
}

TEST_CASE("keys that have left memory are not forgotten where the working set is") {
  auto const store = std::make_shared<memory_state_store>();
  auto input = in_chunks(events("a1 b2 c3"), 1).fail("connection lost").elements(events("a4"));
  std::vector<std::string> out;
  CHECK_THROWS_AS(run_on(store, 1, input, counted(1), out), error);
  auto const in_memory = [](stream<event> s) -> stream<std::string> {
    return in_time(std::move(s), ns(0)) | key_by(&event::key) | process(counting(), never_expires());
  };
  fails_with(errc::incompatible, [&] { run_on(store, 1, input, in_memory, out); }, "process", "needs a working set");
  run_on(store, 1, input, counted(1), out);
  CHECK(out == std::vector<std::string>{"a=1", "b=1", "c=1", "a=2"});
}

TEST_CASE("a row that cannot be read stops the pipeline") {
  auto const store = std::make_shared<counted_store>();
  store->failure.emplace(errc::io, "store: cannot read", "the disk is gone", "look at it");
  fails_with(errc::io, [&] { run_on(store, 1, in_chunks(events("a1 b2 c3 a4"), 1), counted(1)); }, "the disk is gone");
}
