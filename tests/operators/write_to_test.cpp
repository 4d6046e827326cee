// Results in the transaction of their checkpoint.
#include <weir/operators/write_to.hpp>

#include <weir/application.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;

namespace {

struct counted {
  instant start;
  std::uint64_t n;
  friend bool operator==(counted const&, counted const&) = default;
};

settings keeping_in(std::shared_ptr<state_store> store, std::uint64_t records) {
  settings s;
  s.name = "test";
  s.checkpoints = std::move(store);
  s.commit.records = records;
  s.log = logger(log_level::error, [](log_level, std::string_view) {});
  return s;
}
task<> serve(application& app) { co_await app.serve(); }

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
    pipeline.use_stream([&](stream<int> s, cancellation) -> task<> {
      auto all = std::move(s) | map([](int x) { return 10 * x; }) | write_to(out);
      co_await all;
    });
  });
  CHECK_THROWS_AS(testing::run(serve(app)), error);
  CHECK(out.rows() == std::vector<int>{10, 20, 30, 40, 50, 60, 70, 80});  // 9 was given, but no checkpoint came behind it
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
    pipeline.use_stream([&](stream<int> s, cancellation) -> task<> {
      auto all = std::move(s) | event_time([](int x) { return instant(x); }, monotonic()) | tumbling_window(10ns, late::drop()) |
                 aggregate(count()) | map([](auto& r) { return counted{r.window.start, r.value}; }) | write_to(out);
      co_await all;
    });
  });
  testing::run(serve(app));
  CHECK(out.rows() == std::vector<counted>{{0, 2}, {10, 3}, {20, 1}});
}

TEST_CASE("a sink of another store is refused with the first commit", "[operators][write_to]") {
  auto const other = std::make_shared<memory_state_store>();
  memory_table<int> const out(other);
  testing::script<int> input;
  input.elements({1, 2, 3});
  application app(keeping_in(std::make_shared<memory_state_store>(), 1));
  app.use_memory_stream(input, [&](auto& pipeline) {
    pipeline.use_stream([&](stream<int> s, cancellation) -> task<> {
      auto all = std::move(s) | write_to(out);
      co_await all;
    });
  });
  CHECK_THROWS_WITH(testing::run(serve(app)), Catch::Matchers::Contains("another store"));
  CHECK(out.rows().empty());
}
