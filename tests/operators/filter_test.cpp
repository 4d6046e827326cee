#include <weir/operators/filter.hpp>

#include <weir/operators/map.hpp>

#include "operators/stage_checks.hpp"

#include <memory>

using namespace weir;
using namespace weir::test;

namespace {

struct flagged {
  explicit flagged(bool g) : good(g) {}
  bool good;
  bool is_good() const { return good; }
};

auto odd_only(stream<int> s) {
  return std::move(s) | filter([](int x) { return x % 2 != 0; });
}

}  // namespace

TEST_CASE("filter hands on what its predicate is true for, for every chunking") {
  for (std::size_t const n : chunkings) {
    CHECK(all_of<int>(odd_only(feed(numbers(1, 8)).chunks(n).open())) == std::vector{1, 3, 5, 7});
    CHECK(all_of<int>(feed(numbers(1, 8)).chunks(n).open() | filter([](int) { return false; })).empty());
  }
}

TEST_CASE("filter of an empty stream is empty") { CHECK(all_of<int>(odd_only(feed<int>({}).open())).empty()); }

TEST_CASE("filter's predicate may be a data member, a member function, or take a plain reference") {
  std::vector<flagged> const in{flagged(true), flagged(false), flagged(true)};
  CHECK(all_of<flagged>(feed(in).open() | filter(&flagged::good)).size() == 2);
  CHECK(all_of<flagged>(feed(in).open() | filter(&flagged::is_good)).size() == 2);
  CHECK(all_of<flagged>(feed(in).open() | filter([](flagged& f) { return f.good; })).size() == 2);
}

TEST_CASE("filter moves elements that cannot be copied") {
  std::vector<std::unique_ptr<int>> in;
  for (int i : {1, 2, 3}) in.push_back(std::make_unique<int>(i));
  stream<int> out = feed(std::move(in)).open() | filter([](auto const& p) { return *p != 2; }) | map([](auto const& p) { return *p; });
  CHECK(all_of(std::move(out)) == std::vector{1, 3});
}

TEST_CASE("filter passes an upstream failure on after what came before it") { check_upstream_failure<int>({1, 2, 3}, {1, 3}, odd_only); }

TEST_CASE("filter's failing predicate ends the stream after what came before, and the element it failed for is not done") {
  check_user_failure<int>({1, 2}, [](stream<int> s) { return std::move(s) | filter([](int x) { return no_three(x) != 0; }); });
}

TEST_CASE("filter that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) { return std::move(s) | filter(hook); });
}

TEST_CASE("filter dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) { return std::move(s) | filter([](tracked const& t) { return t.value() % 2 != 0; }); });
}

TEST_CASE("filter does not run ahead of its consumer") {
  check_does_not_run_ahead(odd_only, [](std::size_t n) { return 2 * n; });
}

TEST_CASE("filter keeps event times and the place of marks") {
  for (std::size_t const n : chunkings) {
    feed<int> in({1, 2, 3});
    in.chunks(n).mark_at(1, mark::watermark(5)).barrier_at(2).stops();
    timed_stream<int> out = in.open_timed() | filter([](int x) { return x != 2; });
    CHECK(testing::run(show<int>(std::move(out))) == "1@0 w5 | 3@20 stop");
  }
}

TEST_CASE("filter restored from a checkpoint goes on where it was") {
  check_restored_equals_uninterrupted(numbers(0, 9), [](stream<int> s) { return stream<int>(odd_only(std::move(s))); });
}
