#include <weir/operators/take.hpp>

#include <weir/operators/flat_map.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/window.hpp>

#include "operators/stage_checks.hpp"

#include <memory>

using namespace weir;
using namespace weir::test;

TEST_CASE("take hands on the first n elements and ends, for every chunking") {
  for (std::size_t const n : chunkings) {
    CHECK(all_of<int>(feed(numbers(0, 10)).chunks(n).open() | take(4)) == numbers(0, 4));
    CHECK(all_of<int>(feed(numbers(0, 4)).chunks(n).open() | take(4)) == numbers(0, 4));
    CHECK(all_of<int>(feed(numbers(0, 3)).chunks(n).open() | take(4)) == numbers(0, 3));
    CHECK(all_of<int>(feed(numbers(0, 3)).chunks(n).open() | take(0)).empty());
  }
}

TEST_CASE("take of an empty stream is empty") { CHECK(all_of<int>(feed<int>({}).open() | take(3)).empty()); }

TEST_CASE("take asks for nothing behind its last element") {
  for (std::size_t const n : {0u, 1u, 2u, 4u}) {
    feed<int> in(numbers(0, 10));
    CHECK(all_of<int>(in.chunks(n).open() | take(4)) == numbers(0, 4));
    CHECK(in.handed_out() == 4);
  }
  feed<int> failing({1, 2});
  CHECK(all_of<int>(failing.fails("never reached").open() | take(2)) == std::vector{1, 2});
}

TEST_CASE("take stays ended when it is asked again") {
  auto const work = []() -> task<> {
    auto out = feed(numbers(0, 10)).chunks(3).open() | take(1);
    for (bool const expected : {true, false, false}) {
      int const* const x = co_await out.next();
      CHECK((x != nullptr) == expected);
    }
  };
  testing::run(work());
}

TEST_CASE("take of less than one element expanded to cuts it off") {
  CHECK(all_of<int>(feed<int>({1, 2}).open() | flat_map([](int x) { return std::vector(3, x); }) | take(4)) == std::vector{1, 1, 1, 2});
}

TEST_CASE("take ends what follows like the end of the data: an open window is emitted") {
  for (std::size_t const n : chunkings) {
    auto out = feed(numbers(0, 10)).chunks(n).open() | take(5) | window(3);
    CHECK(all_of<std::vector<int>>(std::move(out)) == std::vector<std::vector<int>>{{0, 1, 2}, {3, 4}});
  }
}

TEST_CASE("take moves elements that cannot be copied") {
  std::vector<std::unique_ptr<int>> in;
  for (int i : {1, 2, 3}) in.push_back(std::make_unique<int>(i));
  CHECK(all_of<int>(feed(std::move(in)).open() | take(2) | map([](auto const& p) { return *p; })) == std::vector{1, 2});
}

TEST_CASE("take passes an upstream failure on after what came before it") {
  check_upstream_failure<int>({1, 2}, {1, 2}, [](stream<int> s) { return std::move(s) | take(3); });
}

TEST_CASE("take behind a failing function is not ended by it") {
  check_user_failure<int>({1, 2}, [](stream<int> s) { return std::move(s) | map(no_three) | take(4); });
}

TEST_CASE("take that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) { return std::move(s) | map(hook) | take(90); });
}

TEST_CASE("take dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) { return std::move(s) | take(10); });
}

TEST_CASE("take does not run ahead of its consumer") {
  check_does_not_run_ahead([](stream<int> s) { return std::move(s) | take(50); }, [](std::size_t n) { return n; });
}

TEST_CASE("take keeps event times, and marks in their place up to its end") {
  for (std::size_t const n : chunkings) {
    feed<int> in({1, 2, 3});
    in.chunks(n).mark_at(1, mark::watermark(5)).barrier_at(1).mark_at(2, mark::watermark(15)).barrier_at(2);
    timed_stream<int> out = in.open_timed() | take(2);
    CHECK(testing::run(show<int>(std::move(out))) == "1@0 w5 | 2@10");
  }
}

TEST_CASE("take counts on after a restart") {
  check_restored_equals_uninterrupted(numbers(0, 9), [](stream<int> s) { return stream<int>(std::move(s) | take(6)); });
  check_restored_equals_uninterrupted(numbers(0, 4), [](stream<int> s) { return stream<int>(std::move(s) | take(6)); });
}

TEST_CASE("take refuses a state that is not its own") {
  feed<int> in(numbers(0, 3));
  in.restores(whole_states({{"take", std::vector<std::byte>(3)}}));
  auto const got = testing::run(drain<int>(in.open() | take(2)));
  CHECK(got.values.empty());
  CHECK(got.code == errc::corrupt);
}
