#include <weir/operators/for_each.hpp>

#include <weir/operators/map.hpp>

#include "operators/stage_checks.hpp"

#include <memory>

using namespace weir;
using namespace weir::test;

namespace {

template <class T, class F> task<> consume_all(stream<T> s, F f) {
  auto all = std::move(s) | for_each(std::move(f));
  co_await all;
}

}  // namespace

TEST_CASE("for_each calls its function for each element, for every chunking") {
  for (std::size_t const n : chunkings) {
    std::vector<int> got;
    testing::run(consume_all(feed<int>({3, 1, 2}).chunks(n).open(), [&got](int x) { got.push_back(x); }));
    CHECK(got == std::vector{3, 1, 2});
  }
}

TEST_CASE("for_each of an empty stream calls nothing and ends") {
  int calls = 0;
  testing::run(consume_all(feed<int>({}).open(), [&calls](int) { ++calls; }));
  CHECK(calls == 0);
}

TEST_CASE("for_each may take elements that cannot be copied, for itself") {
  std::vector<std::unique_ptr<int>> in, kept;
  in.push_back(std::make_unique<int>(4));
  testing::run(consume_all(feed(std::move(in)).open(), [&kept](std::unique_ptr<int> p) { kept.push_back(std::move(p)); }));
  CHECK(*kept.at(0) == 4);
}

TEST_CASE("for_each passes an upstream failure on after what came before it") {
  for (std::size_t const n : chunkings) {
    std::vector<int> got;
    auto const work = [&] {
      testing::run(consume_all(feed<int>({1, 2}).chunks(n).fails("lost").open(), [&](int x) { got.push_back(x); }));
    };
    CHECK_THROWS_WITH(work(), "lost");
    CHECK(got == std::vector{1, 2});
  }
}

TEST_CASE("for_each's failing function ends it, and the element it failed for is not done") {
  for (std::size_t const n : chunkings) {
    feed<int> in({1, 2, 3, 4});
    in.chunks(n).barrier_at(2).barrier_at(3);
    CHECK_THROWS_WITH(testing::run(consume_all(in.open(), no_three)), "no three");
    CHECK(in.barrier(0).completed());
    CHECK_FALSE(in.barrier(1).completed());
  }
}

TEST_CASE("for_each completes a checkpoint as soon as what came before it was consumed") {
  for (std::size_t const n : chunkings) {
    feed<int> in(numbers(0, 6));
    in.chunks(n).barrier_at(4);
    std::vector<bool> done;
    testing::run(consume_all(in.open(), [&](int) { done.push_back(in.barrier().completed()); }));
    CHECK(done == std::vector{false, false, false, false, true, true});
  }
}

TEST_CASE("for_each that is cancelled ends at the next chunk") {
  auto const work = [](std::size_t chunk, std::size_t& handed_out) -> task<> {
    context& own = co_await current_context();
    context branch(own);
    feed<int> in(numbers(0, 100));
    auto all = consume_all(in.chunks(chunk).open(), [&branch](int x) {
      if (x == 14) branch.cancel();
    });
    bool cancelled = false;
    try {
      co_await std::move(all).under(branch);
    } catch (error const& e) {
      cancelled = e.code() == condition::cancelled;
    }
    CHECK(cancelled);
    handed_out = in.handed_out();
  };
  for (auto const& [chunk, expected] : {std::pair<std::size_t, std::size_t>{0, 16}, {1, 15}, {10, 20}}) {
    std::size_t out = 0;
    testing::run(work(chunk, out));
    CHECK(out <= expected);
  }
}

TEST_CASE("for_each destroys the elements it was given, and a chain that is never awaited its own") {
  REQUIRE(tracked::alive == 0);
  int sum = 0;
  testing::run(consume_all(feed(std::vector<tracked>(20, tracked(1))).chunks(3).open(), [&sum](tracked const& t) { sum += t.value(); }));
  CHECK(sum == 20);
  {
    auto never = feed(std::vector<tracked>(3, tracked(1))).open() | for_each([](tracked const&) {});
  }
  CHECK(tracked::alive == 0);
}
