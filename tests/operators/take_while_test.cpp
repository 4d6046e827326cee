#include <weir/operators/take_while.hpp>

#include <weir/operators/map.hpp>
#include <weir/operators/window.hpp>

#include "operators/stage_checks.hpp"

#include <memory>

using namespace weir;
using namespace weir::test;

namespace {

auto below_four(stream<int> s) {
  return std::move(s) | take_while([](int x) { return x < 4; });
}

}  // namespace

TEST_CASE("take_while hands on elements up to the first its predicate is false for, for every chunking") {
  for (std::size_t const n : chunkings) {
    CHECK(all_of<int>(below_four(feed<int>({1, 3, 4, 2, 1}).chunks(n).open())) == std::vector{1, 3});
    CHECK(all_of<int>(below_four(feed<int>({1, 3}).chunks(n).open())) == std::vector{1, 3});
    CHECK(all_of<int>(below_four(feed<int>({5, 1}).chunks(n).open())).empty());
  }
}

TEST_CASE("take_while of an empty stream is empty") { CHECK(all_of<int>(below_four(feed<int>({}).open())).empty()); }

TEST_CASE("take_while asks for nothing behind the element that ends it") {
  for (std::size_t const n : {0u, 1u, 5u}) {
    feed<int> in(numbers(0, 10));
    CHECK(all_of<int>(below_four(in.chunks(n).open())) == numbers(0, 4));
    CHECK(in.handed_out() == 5);
  }
}

TEST_CASE("take_while ends what follows like the end of the data: an open window is emitted") {
  auto out = feed(numbers(0, 10)).chunks(3).open() | take_while([](int x) { return x < 5; }) | window(3);
  CHECK(all_of<std::vector<int>>(std::move(out)) == std::vector<std::vector<int>>{{0, 1, 2}, {3, 4}});
}

TEST_CASE("take_while moves elements that cannot be copied") {
  std::vector<std::unique_ptr<int>> in;
  for (int i : {1, 2, 3}) in.push_back(std::make_unique<int>(i));
  auto out = feed(std::move(in)).open() | take_while([](auto const& p) { return *p != 3; }) | map([](auto const& p) { return *p; });
  CHECK(all_of<int>(std::move(out)) == std::vector{1, 2});
}

TEST_CASE("take_while passes an upstream failure on after what came before it") { check_upstream_failure<int>({1, 2}, {1, 2}, below_four); }

TEST_CASE("take_while's failing predicate ends the stream after what came before, and the element it failed for is not done") {
  check_user_failure<int>({1, 2}, [](stream<int> s) { return std::move(s) | take_while([](int x) { return no_three(x) < 9; }); });
}

TEST_CASE("take_while that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) { return std::move(s) | take_while(hook); });
}

TEST_CASE("take_while dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) { return std::move(s) | take_while([](tracked const& t) { return t.value() < 10; }); });
}

TEST_CASE("take_while does not run ahead of its consumer") {
  check_does_not_run_ahead([](stream<int> s) { return std::move(s) | take_while([](int x) { return x < 50; }); },
                           [](std::size_t n) { return n; });
}

TEST_CASE("take_while does not complete a checkpoint behind the element that ended it") {
  for (std::size_t const n : chunkings) {
    feed<int> in({1, 2, 5, 1});
    in.chunks(n).mark_at(1, mark::watermark(5)).barrier_at(1).barrier_at(3);
    timed_stream<int> out = in.open_timed() | take_while([](int x) { return x < 4; });
    CHECK(testing::run(show<int>(std::move(out))) == "1@0 w5 | 2@10");
  }
}

TEST_CASE("take_while restored from a checkpoint ends where it would have ended") {
  check_restored_equals_uninterrupted(std::vector{1, 2, 3, 4, 1, 2}, [](stream<int> s) { return stream<int>(below_four(std::move(s))); });
}
