// Results in the commit of their checkpoint.
#include <weir/operators/write_to.hpp>

#include <weir/application.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/merge.hpp>
#include <weir/operators/scan.hpp>
#include <weir/operators/split.hpp>
#include <weir/operators/take.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/window.hpp>
#include <weir/testing/run.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/keeping_in.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace weir;
using test::keeping_in;
using namespace std::chrono_literals;

namespace {

struct counted {
  instant start;
  std::uint64_t n;
  friend bool operator==(counted const&, counted const&) = default;
};

task<> serve(application& app) { co_await app.serve(); }
template <class Chain> task<> ended(Chain chain) { co_await chain; }

}  // namespace

TEST_CASE("rows are there with the checkpoint they belong to, once", "[operators][write_to]") {
  auto const store = std::make_shared<memory_state_store>();
  memory_table<int> const out(store);
  testing::script<int> input;
  for (int i = 1; i <= 9; ++i) input.element(i);
  input.fail("lost");
  for (int i = 10; i <= 12; ++i) input.element(i);
  application app(keeping_in(store, 4));
  app.use_memory_stream(input, [&](auto& pipeline) {
    pipeline.use_sink("out", out).use_stream([](stream<int> s, stream_context& context) -> task<> {
      auto all = std::move(s) | map([](int x) { return 10 * x; }) | write_to(context.sink<int>("out"));
      co_await all;
    });
  });
  CHECK_THROWS_AS(testing::run(serve(app)), error);
  CHECK(out.rows() == std::vector<int>{10, 20, 30, 40, 50, 60, 70, 80, 90});  // a checkpoint goes before the failure
  testing::run(serve(app));
  CHECK(out.rows() == std::vector<int>{10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120});
}

TEST_CASE("what operators give at the end of the data is written with the last commit", "[operators][write_to]") {
  auto const store = std::make_shared<memory_state_store>();
  memory_table<counted> const out(store);
  testing::script<int> input;
  for (int i : {1, 2, 11, 12, 13, 21}) input.element(i);
  application app(keeping_in(store, 100));
  app.use_memory_stream(input, [&](auto& pipeline) {
    pipeline.use_sink("out", out).use_stream([](stream<int> s, stream_context& context) -> task<> {
      auto all = std::move(s) | event_time([](int x) { return instant(x); }, monotonic()) | tumbling_window(10ns, late::drop()) |
                 aggregate(count()) | map([](auto& r) { return counted{r.window.start, r.value}; }) |
                 write_to(context.sink<counted>("out"));
      co_await all;
    });
  });
  testing::run(serve(app));
  CHECK(out.rows() == std::vector<counted>{{0, 2}, {10, 3}, {20, 1}});
}

TEST_CASE("each half of a split has its own end, and both are in the commit", "[operators][write_to]") {
  auto const store = std::make_shared<memory_state_store>();
  memory_table<int> const even(store);
  memory_table<counted> const odd(store);
  testing::script<int> input;
  for (int i = 1; i <= 9; ++i) input.element(i);
  application app(keeping_in(store, 4));
  app.use_memory_stream(input, [&](auto& pipeline) {
    pipeline.use_sink("even", even).use_sink("odd", odd).use_stream([](stream<int> s, stream_context& context) -> task<> {
      auto halves = split(std::move(s), [](int x) { return x % 2 == 0; });
      auto evens = std::move(halves.matching) | write_to(context.sink<int>("even"));
      auto odds = std::move(halves.rest) | event_time([](int x) { return instant(x); }, monotonic()) | tumbling_window(4ns, late::drop()) |
                  aggregate(count()) | map([](auto& r) { return counted{r.window.start, r.value}; }) |
                  write_to(context.sink<counted>("odd"));
      auto both = when_all(ended(std::move(evens)), ended(std::move(odds)));
      co_await std::move(both);
    });
  });
  testing::run(serve(app));
  CHECK(even.rows() == std::vector<int>{2, 4, 6, 8});
  CHECK(odd.rows() == std::vector<counted>{{0, 2}, {4, 2}, {8, 1}});  // the last one is open at the end of the data
}

TEST_CASE("rows by hand behind a split are refused: its halves do not reach a checkpoint together", "[operators][write_to]") {
  auto const store = std::make_shared<memory_state_store>();
  memory_table<int> const out(store);
  application app(keeping_in(store, 2));
  app.use_memory_stream(testing::script<int>().elements({1, 2}).elements({3, 4}), [&](auto& pipeline) {
    pipeline.use_sink("out", out).use_stream([](stream<int> s, stream_context& context) -> task<> {
      auto halves = split(std::move(s), [](int x) { return x % 2 == 0; });
      for (int i = 0; i != 3; ++i)
        for (auto* const half : {&halves.matching, &halves.rest})
          if (int* const x = co_await half->next()) co_await context.sink<int>("out").write(*x);
    });
  });
  test::fails_with(errc::misuse, [&] { testing::run(serve(app)); }, "behind a split", "write_to");
  CHECK(out.rows().empty());
}

TEST_CASE("behind branches that meet again rows are written with the checkpoint they came before", "[operators][write_to]") {
  auto const store = std::make_shared<memory_state_store>();
  memory_table<int> const out(store);
  application app(keeping_in(store, 2));
  app.use_memory_stream(testing::script<int>().elements({1, 2}).elements({3, 4}), [&](auto& pipeline) {
    pipeline.use_sink("out", out).use_stream([](stream<int> s, stream_context& context) -> task<> {
      auto halves = split(std::move(s), [](int x) { return x % 2 == 0; });
      auto all = merge(std::move(halves.matching), std::move(halves.rest)) | write_to(context.sink<int>("out"));
      co_await all;
    });
  });
  testing::run(serve(app));
  std::vector<int> rows = out.rows();
  std::sort(rows.begin(), rows.end());
  CHECK(rows == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("rows of a window of a count that has no name are refused where each is to be there once", "[operators][write_to]") {
  auto const store = std::make_shared<memory_state_store>();
  memory_table<int> const out(store);
  application app(keeping_in(store, 2));
  app.use_memory_stream(testing::script<int>().elements({1, 2}).elements({3, 4}).elements({5, 6}), [&](auto& pipeline) {
    pipeline.use_sink("out", out).use_stream([](stream<int> s, stream_context& context) -> task<> {
      auto all = std::move(s) | window(3) | map([](std::vector<int> const& w) { return w.back(); }) | write_to(context.sink<int>("out"));
      co_await all;
    });
  });
  test::fails_with(errc::misuse, [&] { testing::run(serve(app)); }, "come again (window(n)", "batch");
  CHECK(out.rows().empty());
}

TEST_CASE("what waits for the end of the data is written once, however often it is run, until there is more", "[operators][write_to]") {
  auto const store = std::make_shared<memory_state_store>();
  memory_table<int> const out(store), by_hand(store);
  auto const run = [&](int last) {
    testing::script<int> input;
    for (int i = 1; i <= last; ++i) input.element(i);
    application app(keeping_in(store, 4));
    app.use_memory_stream(input, [&](auto& pipeline) {
      pipeline.use_sink("out", out).use_sink("by hand", by_hand).use_stream([](stream<int> s, stream_context& context) -> task<> {
        auto halves = split(std::move(s), [](int x) { return x % 2 == 0; });
        auto evens = std::move(halves.matching) | window(3).named("threes") |
                     map([](auto const& w) { return static_cast<int>(w.size()); }) | write_to(context.sink<int>("out"));
        auto odds = std::move(halves.rest) | event_time([](int x) { return instant(x); }, monotonic()) |
                    tumbling_window(100ns, late::drop()) | aggregate(count()) |
                    map([](auto const& r) { return 10 * static_cast<int>(r.value); }) | write_to(context.sink<int>("out"));
        auto both = when_all(ended(std::move(evens)), ended(std::move(odds)));
        co_await std::move(both);
      });
    });
    testing::run(serve(app));
  };
  auto const rows = [&] {
    std::vector<int> all = out.rows();
    std::sort(all.begin(), all.end());
    return all;
  };
  run(9);
  CHECK(rows() == std::vector<int>{1, 3, 50});  // 2 4 6, 8; 1 3 5 7 9
  run(9);
  CHECK(rows() == std::vector<int>{1, 3, 50});
  run(11);  // 10 and 11 are new: 8 10; 1 3 5 7 9 11
  CHECK(rows() == std::vector<int>{1, 2, 3, 50, 60});
  run(11);
  CHECK(rows() == std::vector<int>{1, 2, 3, 50, 60});
}

TEST_CASE("rows of a stream that was left early are refused, as no checkpoint passes them", "[operators][write_to]") {
  auto const store = std::make_shared<memory_state_store>();
  memory_table<int> const out(store);
  auto const run = [&](auto handler) {
    application app(keeping_in(store, 100));
    app.use_memory_stream(testing::script<int>().elements({1, 2}).elements({3, 4, 5}),
                          [&](auto& pipeline) { pipeline.use_sink("out", out).use_stream(handler); });
    testing::run(serve(app));
  };
  auto const taken = [](stream<int> s, stream_context& context) -> task<> {
    auto some = std::move(s) | take(3) | write_to(context.sink<int>("out"));
    co_await some;
  };
  test::fails_with(errc::misuse, [&] { run(taken); }, "not read to its end", "filter");
  auto const by_hand = [](stream<int> s, stream_context& context) -> task<> {
    stream<int> sums = std::move(s) | scan(0, std::plus<>());
    for (int i = 0; i != 3; ++i)
      if (int* const x = co_await sums.next()) co_await context.sink<int>("out").write(*x);
  };
  test::fails_with(errc::misuse, [&] { run(by_hand); }, "not read to its end", "filter");
  CHECK(out.rows().empty());
  auto const known = [](stream<int> s, stream_context& context) -> task<> {  // without state it is known what is done
    for (int i = 0; i != 3; ++i)
      if (int* const x = co_await s.next()) co_await context.sink<int>("out").write(*x);
  };
  run(known);
  CHECK(out.rows() == std::vector<int>{1, 2, 3});
}
