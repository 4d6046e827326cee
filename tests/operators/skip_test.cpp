#include <weir/operators/skip.hpp>

#include <weir/operators/map.hpp>

#include "operators/stage_checks.hpp"

#include <memory>

using namespace weir;
using namespace weir::test;

TEST_CASE("skip drops the first n elements, for every chunking") {
  for (std::size_t const n : chunkings) {
    CHECK(all_of<int>(feed(numbers(0, 10)).chunks(n).open() | skip(4)) == numbers(4, 10));
    CHECK(all_of<int>(feed(numbers(0, 3)).chunks(n).open() | skip(4)).empty());
    CHECK(all_of<int>(feed(numbers(0, 3)).chunks(n).open() | skip(0)) == numbers(0, 3));
  }
}

TEST_CASE("skip of an empty stream is empty") { CHECK(all_of<int>(feed<int>({}).open() | skip(3)).empty()); }

TEST_CASE("skip moves elements that cannot be copied") {
  std::vector<std::unique_ptr<int>> in;
  for (int i : {1, 2, 3}) in.push_back(std::make_unique<int>(i));
  CHECK(all_of<int>(feed(std::move(in)).open() | skip(2) | map([](auto const& p) { return *p; })) == std::vector{3});
}

TEST_CASE("skip passes an upstream failure on after what came before it") {
  check_upstream_failure<int>({1, 2}, {2}, [](stream<int> s) { return std::move(s) | skip(1); });
  check_upstream_failure<int>({1, 2}, {}, [](stream<int> s) { return std::move(s) | skip(3); });
}

TEST_CASE("skip before a failing function lets it see only what it does not drop") {
  check_user_failure<int>({2}, [](stream<int> s) { return std::move(s) | skip(1) | map(no_three); });
}

TEST_CASE("skip that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) { return std::move(s) | map(hook) | skip(5); });
}

TEST_CASE("skip dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) { return std::move(s) | skip(10); });
}

TEST_CASE("skip does not run ahead of its consumer") {
  check_does_not_run_ahead([](stream<int> s) { return std::move(s) | skip(3); }, [](std::size_t n) { return n + 3; });
}

TEST_CASE("skip keeps event times and all marks") {
  for (std::size_t const n : chunkings) {
    feed<int> in({1, 2, 3});
    in.chunks(n).mark_at(1, mark::watermark(5)).barrier_at(1).stops();
    timed_stream<int> out = in.open_timed() | skip(2);
    CHECK(testing::run(show<int>(std::move(out))) == "w5 | 3@20 stop");
  }
}

TEST_CASE("skip counts on after a restart") {
  check_restored_equals_uninterrupted(numbers(0, 9), [](stream<int> s) { return stream<int>(std::move(s) | skip(5)); });
}

TEST_CASE("skip refuses a state that is not its own") {
  feed<int> in(numbers(0, 3));
  in.restores(whole_states({{"skip", std::vector<std::byte>(9)}}));
  CHECK(testing::run(drain<int>(in.open() | skip(2))).code == errc::corrupt);
}
