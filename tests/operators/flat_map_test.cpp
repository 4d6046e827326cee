#include <weir/operators/flat_map.hpp>

#include "operators/stage_checks.hpp"

#include <list>
#include <memory>
#include <ranges>
#include <span>

using namespace weir;
using namespace weir::test;

namespace {

struct order {
  explicit order(std::vector<std::string> l) : lines(std::move(l)) {}
  std::vector<std::string> lines;
};

// 1, 2, 3 becomes 1, 2 2, 3 3 3.
auto repeated(stream<int> s) {
  return std::move(s) | flat_map([](int x) { return std::vector<int>(static_cast<std::size_t>(x), x); });
}

}  // namespace

TEST_CASE("flat_map replaces each element by none, one or many, in order, for every chunking") {
  for (std::size_t const n : chunkings)
    CHECK(all_of<int>(repeated(feed<int>({2, 0, 1, 3}).chunks(n).open())) == std::vector{2, 2, 1, 3, 3, 3});
}

TEST_CASE("flat_map of an empty stream is empty") { CHECK(all_of<int>(repeated(feed<int>({}).open())).empty()); }

TEST_CASE("flat_map takes containers, views and members that are ranges") {
  std::vector<order> const in{order({"a", "b"}), order({}), order({"c"})};
  std::vector<std::string> const lines{"a", "b", "c"};
  CHECK(all_of<std::string>(feed(in).open() | flat_map(&order::lines)) == lines);
  CHECK(all_of<std::string>(feed(in).open() | flat_map([](order& o) -> auto& { return o.lines; })) == lines);
  CHECK(all_of<std::string>(feed(in).open() | flat_map([](order const& o) { return std::span(o.lines); })) == lines);
  CHECK(all_of<std::string>(feed(in).open() | flat_map([](order o) { return std::list(o.lines.begin(), o.lines.end()); })) == lines);
  CHECK(all_of<int>(feed<int>({2, 3}).open() | flat_map([](int n) { return std::views::iota(0, n); })) == std::vector{0, 1, 0, 1, 2});
  CHECK(all_of<int>(feed<int>({2, 3}).open() | flat_map([](int n) {
                      return std::views::iota(0, n) | std::views::transform([](int x) { return 10 * x; });
                    })) == std::vector{0, 10, 0, 10, 20});
}

TEST_CASE("flat_map copies out of what belongs to somebody else") {
  std::vector<std::string> const expected{"long enough to live on the heap 1", "long enough to live on the heap 2"};
  std::vector<std::string> table = expected;
  std::vector<std::string> twice = expected;
  twice.insert(twice.end(), expected.begin(), expected.end());
  CHECK(all_of<std::string>(feed<int>({1, 2}).open() | flat_map([&table](int) -> std::vector<std::string>& { return table; })) == twice);
  CHECK(all_of<std::string>(feed<int>({1, 2}).open() | flat_map([&table](int) { return std::span(table); })) == twice);
  CHECK(table == expected);
}

TEST_CASE("flat_map moves elements that cannot be copied") {
  auto out = feed<int>({1, 2}).open() | flat_map([](int x) {
               std::vector<std::unique_ptr<int>> made;
               made.push_back(std::make_unique<int>(x));
               made.push_back(std::make_unique<int>(-x));
               return made;
             });
  auto const got = all_of<std::unique_ptr<int>>(std::move(out));
  REQUIRE(got.size() == 4);
  CHECK(*got[0] == 1);
  CHECK(*got[3] == -2);
}

TEST_CASE("flat_map hands on more from one element than a chunk has room for") {
  auto out = feed<int>({1}).open() | flat_map([](int) { return numbers(0, 10'000); });
  CHECK(all_of<int>(std::move(out)) == numbers(0, 10'000));
}

TEST_CASE("flat_map passes an upstream failure on after what came before it") { check_upstream_failure<int>({1, 2}, {1, 2, 2}, repeated); }

TEST_CASE("flat_map's failing function ends the stream after what came before, and the element it failed for is not done") {
  check_user_failure<int>({1, 1, 2, 2},
                          [](stream<int> s) { return std::move(s) | flat_map([](int x) { return std::vector(2, no_three(x)); }); });
}

TEST_CASE("flat_map that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) {
    return std::move(s) | flat_map([hook](int x) {
             hook(x);
             return std::vector{x, x};
           });
  });
}

TEST_CASE("flat_map dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) { return std::move(s) | flat_map([](tracked t) { return std::vector<tracked>(2, t); }); });
}

TEST_CASE("flat_map does not run ahead of its consumer") {
  check_does_not_run_ahead([](stream<int> s) { return std::move(s) | flat_map([](int x) { return std::vector{x, x}; }); },
                           [](std::size_t n) { return (n + 1) / 2; });
}

TEST_CASE("flat_map gives each element the event time of the one it came from") {
  for (std::size_t const n : chunkings) {
    feed<int> in({1, 2, 0, 1});
    in.chunks(n).mark_at(1, mark::watermark(5)).barrier_at(2);
    timed_stream<int> out = in.open_timed() | flat_map([](int x) { return std::vector<int>(static_cast<std::size_t>(x), x); });
    CHECK(testing::run(show<int>(std::move(out))) == "1@0 w5 2@10 2@10 | 1@30");
  }
}

TEST_CASE("flat_map restored from a checkpoint goes on where it was") {
  check_restored_equals_uninterrupted(numbers(0, 6), [](stream<int> s) { return stream<int>(repeated(std::move(s))); });
}
