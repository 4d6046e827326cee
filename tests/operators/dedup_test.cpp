#include <weir/operators/dedup.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/map.hpp>

#include "operators/stage_checks.hpp"
#include "operators/support.hpp"

#include <weir/codec.hpp>
#include <weir/ledger.hpp>

#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

namespace {

struct event {
  int id = 0;
  instant at = 0;
  friend bool operator==(event const&, event const&) = default;
};

auto deduplicated(stream<event> s, std::chrono::nanoseconds horizon, std::chrono::nanoseconds bound, ledger const& books) {
  return std::move(s) | event_time(&event::at, bounded_disorder(bound)) | dedup(&event::id, horizon).counted_in(books, "events");
}
std::vector<int> ids(std::vector<event> const& in, std::chrono::nanoseconds horizon, ledger const& books = {}, std::size_t chunk = 256) {
  auto const out = all_of<int>(deduplicated(feed<event>(in).chunks(chunk).open(), horizon, 5ns, books) | map(&event::id));
  return out;
}

}  // namespace

TEST_CASE("an id is let through once, and its duplicates are counted, however the source cuts its chunks") {
  for (std::size_t const chunk : chunkings) {
    ledger const books;
    CHECK(ids({{1, 0}, {2, 1}, {1, 0}, {3, 2}, {2, 1}, {2, 1}}, 10ns, books, chunk) == std::vector<int>{1, 2, 3});
    CHECK(books.sum("events").duplicate == 3);
    CHECK(books.sum("events").balanced());
  }
}

//  generations of 10:  [0, 10)  [10, 20)  [20, 30)
TEST_CASE("a duplicate is known up to a horizon away, also across generations and when it comes first") {
  CHECK(ids({{1, 9}, {1, 11}}, 10ns) == std::vector<int>{1});
  CHECK(ids({{1, 11}, {1, 9}}, 10ns) == std::vector<int>{1});
  CHECK(ids({{1, 0}, {1, 10}}, 10ns) == std::vector<int>{1});
  CHECK(ids({{1, 0}, {1, 20}}, 10ns) == std::vector<int>{1, 1});
}

TEST_CASE("before the epoch ids are kept like behind it") {
  CHECK(ids({{1, -3}, {2, -12}, {1, -3}, {2, -12}, {1, 4}}, 10ns) == std::vector<int>{1, 2});
}

//  watermark    100 - 5 - 1 = 94: everything up to 94 - 20 is forgotten
TEST_CASE("an element too late to be judged is passed on, or given away and counted as late") {
  std::vector<event> const in{{1, 0}, {2, 100}, {1, 0}};
  CHECK(ids(in, 10ns) == std::vector<int>{1, 2, 1});
  std::vector<int> unjudged, duplicates;
  ledger const books;
  stream<int> s = feed<event>(in).open() | event_time(&event::at, bounded_disorder(5ns)) |
                  dedup(&event::id, 10ns)
                      .unjudged_to([&unjudged](event& e) { unjudged.push_back(e.id); })
                      .duplicates_to([&duplicates](event& e) { duplicates.push_back(e.id); })
                      .counted_in(books, "events") |
                  map(&event::id);
  CHECK(all_of(std::move(s)) == std::vector<int>{1, 2});
  CHECK(unjudged == std::vector<int>{1});
  CHECK(duplicates.empty());
  CHECK(books.sum("events").late == 1);
  CHECK(books.sum("events").balanced());
}

TEST_CASE("ids may be text, looked up by view") {
  struct named {
    std::string name;
    instant at = 0;
  };
  stream<std::string> s = feed<named>({{"a", 1}, {"b", 2}, {"a", 3}}).open() | event_time(&named::at, monotonic()) |
                          dedup([](named const& n) { return std::string_view(n.name); }, 1min) | map(&named::name);
  CHECK(all_of(std::move(s)) == std::vector<std::string>{"a", "b"});
}

// Ids that come again within the horizon of their first time are dropped, others let through: what a set without end would say, as all
// times of an id are within one horizon and the disorder is within the bound.
TEST_CASE("over random redelivered input it does what a set of all ids does, and so does a restored one") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<event> in;
    std::vector<int> expected, seen(2'000);
    for (int i = 0; i != 60; ++i) {
      bool const again = i > 0 && random() % 3 == 0;
      int const id =
          again ? static_cast<int>(static_cast<std::uint64_t>(i) - 1 - random() % std::min<std::uint64_t>(static_cast<std::uint64_t>(i), 8))
                : i;
      in.push_back(event{id, id * 2});
      if (seen[static_cast<std::size_t>(id)]++ == 0) expected.push_back(id);
    }
    CAPTURE(seed);
    REQUIRE(ids(in, 16ns, {}, 1 + seed % 5) == expected);
    if (seed <= 5) {
      check_restored_equals_uninterrupted(
          in, [](stream<event> s) -> stream<int> { return deduplicated(std::move(s), 16ns, 16ns, ledger()) | map(&event::id); });
    }
  }
}

TEST_CASE("so it does where there are so many ids that it looks ahead") {
  std::mt19937_64 random(1);
  std::vector<event> in;
  std::vector<int> expected;
  for (int i = 0; i != 60'000; ++i) {  // three generations of 20,000 ids
    in.push_back(event{i * 7, i});
    expected.push_back(i * 7);
    if (i > 100 && random() % 3 == 0) in.push_back(in[in.size() - 1 - random() % 100]);
  }
  CHECK(ids(in, 20'000ns) == expected);
}

TEST_CASE("ids are forgotten with their generation") {
  std::vector<event> in;
  for (int i = 0; i != 10'000; ++i) in.push_back(event{i, i});
  feed<event> source(in);
  source.chunks(256).barrier_at(9'999);
  ledger const books;
  auto const got = testing::run(run_to(stream<event>(deduplicated(source.open(), 10ns, 5ns, books)), source.barrier()));
  REQUIRE(got.state);
  CHECK(size_of(*got.state) < 1'000);  // some thirty ids of four bytes, not ten thousand
}

TEST_CASE("a horizon of nothing, or without end, is refused when it is built") {
  CHECK_THROWS_AS(dedup(&event::id, 0ns), error);
  CHECK_THROWS_AS(dedup(&event::id, -1ns), error);
  CHECK_THROWS_AS(dedup(&event::id, 24h * 365 * 30), error);
}

TEST_CASE("it fails as its source and its function do") {
  auto const fails = feed<event>({{1, 0}, {1, 0}}).fails("connection lost");
  auto const got = testing::run(drain(stream<event>(deduplicated(fails.open(), 10ns, 5ns, ledger()))));
  CHECK(got.values == std::vector<event>{{1, 0}});
  CHECK(got.failure == "connection lost");
  stream<event> s = feed<event>({{1, 0}, {3, 0}}).open() | event_time(&event::at, monotonic()) |
                    dedup([](event const& e) { return no_three(e.id); }, 10ns);
  auto const other = testing::run(drain(std::move(s)));
  CHECK(other.values == std::vector<event>{{1, 0}});
  CHECK(other.failure == "no three");
}
