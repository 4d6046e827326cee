#include <weir/operators/inspect.hpp>

#include "operators/stage_checks.hpp"

#include <memory>

using namespace weir;
using namespace weir::test;

TEST_CASE("inspect sees each element and hands it on unchanged, for every chunking") {
  for (std::size_t const n : chunkings) {
    std::vector<int> seen;
    auto out = feed<int>({3, 1, 2}).chunks(n).open() | inspect([&seen](int x) { seen.push_back(x); });
    CHECK(all_of<int>(std::move(out)) == std::vector{3, 1, 2});
    CHECK(seen == std::vector{3, 1, 2});
  }
}

TEST_CASE("inspect of an empty stream sees nothing") {
  int calls = 0;
  auto out = feed<int>({}).open() | inspect([&calls](int) { ++calls; });
  CHECK(all_of<int>(std::move(out)).empty());
  CHECK(calls == 0);
}

TEST_CASE("inspect lets elements pass that cannot be copied") {
  std::vector<std::unique_ptr<int>> in;
  in.push_back(std::make_unique<int>(4));
  int seen = 0;
  auto out = feed(std::move(in)).open() | inspect([&seen](auto const& p) { seen = *p; });
  auto const got = all_of<std::unique_ptr<int>>(std::move(out));
  CHECK(seen == 4);
  CHECK(*got.at(0) == 4);
}

TEST_CASE("inspect passes an upstream failure on after what came before it") {
  check_upstream_failure<int>({1, 2}, {1, 2}, [](stream<int> s) { return std::move(s) | inspect([](int) {}); });
}

TEST_CASE("inspect's failing function ends the stream after what came before, and the element it failed for is not done") {
  check_user_failure<int>({1, 2}, [](stream<int> s) { return std::move(s) | inspect(no_three); });
}

TEST_CASE("inspect that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) { return std::move(s) | inspect(hook); });
}

TEST_CASE("inspect dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) { return std::move(s) | inspect([](tracked const&) {}); });
}

TEST_CASE("inspect does not run ahead of its consumer") {
  check_does_not_run_ahead([](stream<int> s) { return std::move(s) | inspect([](int) {}); }, [](std::size_t n) { return n; });
}

TEST_CASE("inspect keeps event times and the place of marks") {
  for (std::size_t const n : chunkings) {
    feed<int> in({1, 2, 3});
    in.chunks(n).mark_at(1, mark::watermark(5)).barrier_at(2);
    timed_stream<int> out = in.open_timed() | inspect([](int) {});
    CHECK(testing::run(show<int>(std::move(out))) == "1@0 w5 2@10 | 3@20");
  }
}

TEST_CASE("inspect restored from a checkpoint goes on where it was") {
  check_restored_equals_uninterrupted(numbers(0, 9), [](stream<int> s) -> stream<int> { return std::move(s) | inspect([](int) {}); });
}
