// Pipelines whose operators hold more, and less, than the budget is for.
#include <weir/application.hpp>
#include <weir/dead_letter.hpp>
#include <weir/error.hpp>
#include <weir/failure_policy.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/dedup.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/inspect.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/map_concurrent.hpp>
#include <weir/operators/prefetch.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/write_to.hpp>
#include <weir/retry_policy.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/delivery_check.hpp>
#include <weir/testing/recording_metrics.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/keeping_in.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using test::fails_with;
using test::keeping_in;
using namespace std::chrono_literals;
using testing::script;

namespace {

constexpr int many = 100'000;

// Never by itself.
commit_policy no_commits() {
  commit_policy p;
  p.records = std::numeric_limits<std::uint64_t>::max();
  p.every = std::chrono::hours(1'000'000);
  return p;
}

// The numbers up to `n` in chunks of 256. Each is its own time, in ns.
script<int> up_to(int n) {
  script<int> s;
  for (int i = 0; i != n;) {
    std::vector<int> chunk;
    while (chunk.size() != 256 && i != n) chunk.push_back(++i);
    s.elements(std::move(chunk));
  }
  return s;
}
instant time_of(int x) { return x; }

// How many different numbers there are in each 1,000 ns.
task<> count_windows(stream<int> s, stream_context& context) {
  auto counts = std::move(s) | event_time(&time_of, monotonic()) | key_by([](int x) { return x; }) |
                tumbling_window(1'000ns, late::drop()) | aggregate(count());
  auto const sink = context.sink<int>("counts");
  int windows = 0;
  instant last = -1;
  while (auto* const c = co_await counts.next()) {
    if (std::exchange(last, c->window.start) != c->window.start) co_await sink.write(++windows);
  }
}

// Every number once.
task<> first_ones(stream<int> s, stream_context& context) {
  auto all = std::move(s) | event_time(&time_of, monotonic()) | dedup([](int x) { return x / 2; }, 1h).named("seen");
  auto const sink = context.sink<int>("counts");
  while (int* const x = co_await all.next()) co_await sink.write(*x);
}

struct world {
  std::shared_ptr<memory_state_store> store = std::make_shared<memory_state_store>();
  memory_table<int> table = memory_table<int>(store);
  template <class H> void run(script<int> const& input, std::optional<std::uint64_t> budget, H handler, metrics* figures = nullptr) const {
    settings s = keeping_in(store, 5'000);
    s.metrics = figures;
    application app(s);
    app.use_memory_stream(input, [&](auto& pipeline) {
      if (budget) pipeline.memory_budget(*budget);
      pipeline.use_sink("counts", table).use_stream(handler);
    });
    testing::run(app.serve());
  }
};

std::vector<int> evens_and_one(int n) {
  std::vector<int> all{1};
  for (int i = 2; i <= n; i += 2) all.push_back(i);
  return all;
}

}  // namespace

// 1,000 keys per window at 8 bytes of state each and more of table: about 60 kB. All 100 windows would need 4 MB, and the input is 400 kB.
TEST_CASE("windows that close run through a budget that is a tenth of the input", "[operators][memory]") {
  constexpr int elements = 1'000'000;
  constexpr std::uint64_t budget = elements * sizeof(int) / 10;
  world const w;
  testing::recording_metrics figures;
  w.run(up_to(elements), budget, count_windows, &figures);
  CHECK(w.table.rows().size() == elements / 1'000 + 1);
  auto const bytes = figures.value("state_bytes{pipeline=\"memory\",stream=\"memory\",partition=\"0\",operator=\"window\"}");
  REQUIRE(bytes);
  CHECK(*bytes > 1'000 * (sizeof(int) + sizeof(std::uint64_t)));
  CHECK(*bytes < budget);
}

// Ids take 8 bytes each, in a table that is up to 70 % full.
TEST_CASE("state that does not fit halts the partition, and a larger budget goes on to the right result", "[operators][memory]") {
  constexpr int elements = 200'000;
  world const w;
  fails_with(
      errc::over_budget, [&] { w.run(up_to(elements), 200'000, first_ones); }, "memory: the state of operators does not fit", "\"seen\"",
      "budget of a partition is 200000 bytes", "partition 0", "pipeline test/memory", "memory_budget", "RocksDB");
  std::size_t const before = w.table.rows().size();
  CHECK(before > 200'000 / 16 / 2);
  CHECK(before < elements / 2);
  CHECK(w.table.rows() == evens_and_one(static_cast<int>(2 * (before - 1))));
  w.run(up_to(elements), 20'000'000, first_ones);
  CHECK(w.table.rows() == evens_and_one(elements));
}

TEST_CASE("no record is blamed for state that does not fit", "[operators][memory]") {
  world const w;
  int letters = 0;
  application app(keeping_in(w.store, 5'000));
  app.use_memory_stream(up_to(100'000), [&](auto& pipeline) {
    auto const policy = failure_policy().retry(retry_policy().attempts(3)).dead_letter_to([&letters](dead_letter const&) { ++letters; });
    pipeline.memory_budget(100'000).on_failure(policy).use_sink("counts", w.table).use_stream(first_ones);
  });
  fails_with(errc::over_budget, [&] { testing::run(app.serve()); }, "\"seen\"");
  CHECK(letters == 0);
}

TEST_CASE("what was restored and does not fit halts at once, and nothing is lost", "[operators][memory]") {
  constexpr int elements = 100'000;
  world const w;
  w.run(up_to(elements / 2), std::nullopt, first_ones);
  auto const before = w.table.rows();
  fails_with(errc::over_budget, [&] { w.run(up_to(elements), 100'000, first_ones); }, "\"seen\"");
  CHECK(w.table.rows().size() <= before.size() + 256);
  w.run(up_to(elements), std::nullopt, first_ones);
  CHECK(w.table.rows() == evens_and_one(elements));
}

// A slow consumer behind a queue that would take all. Beside what the budget is for there are three chunks: the one that was too much,
// the next, in hand, and one that was taken in while the consumer looked at the others.
TEST_CASE("operators that run ahead read no further than the budget and a few chunks", "[operators][memory]") {
  constexpr std::uint64_t budget = 4'096;
  auto const most_ahead = [](std::optional<std::uint64_t> limit, auto ahead) {
    world const w;
    long pulled = 0, done = 0, most = 0;
    w.run(up_to(many), limit, [&](stream<int> s, stream_context& context) -> task<> {
      auto const sink = context.sink<int>("counts");
      auto seen = std::move(s) | inspect([&pulled](int const&) { ++pulled; });
      stream<int> queued = ahead(std::move(seen));
      while (int* const x = co_await queued.next()) {
        most = std::max(most, pulled - done);
        ++done;
        if (*x % 100 == 0) co_await sleep_for(1ms);
        co_await sink.write(*x);
      }
    });
    CHECK(done == many);
    CHECK(w.table.rows().size() == many);
    return most;
  };
  auto const fetched = [](auto s) -> stream<int> { return std::move(s) | prefetch(many); };
  auto const mapped = [](auto s) -> stream<int> {
    return std::move(s) | map_concurrent(many, [](int x) -> task<int> {
             co_await sleep_for(1ms);
             co_return x;
           });
  };
  constexpr long in_budget = budget / sizeof(int);
  CHECK(most_ahead(std::nullopt, fetched) > 10 * in_budget);
  CHECK(most_ahead(budget, fetched) <= in_budget + 3 * 256);
  CHECK(most_ahead(std::nullopt, mapped) > 10 * in_budget);
  CHECK(most_ahead(budget, mapped) <= in_budget + 3 * 256);
}

// A short text that is moved onto a long one keeps the memory of that.
TEST_CASE("keys that come and go, long ones and short ones, do not add up to anything", "[operators][memory]") {
  application app(keeping_in(std::make_shared<memory_state_store>()));
  std::size_t keys = 0;
  app.use_memory_stream(up_to(10'000), [&](auto& pipeline) {
    pipeline.memory_budget(1 << 20).use_stream([&](stream<int> s, stream_context&) -> task<> {
      auto const key_of = [](int x) { return (x % 2 == 0 ? std::string(40, 'k') : std::string()) + std::to_string(x); };
      auto in = std::move(s) | event_time(&time_of, monotonic()) | key_by(key_of);
      auto out = std::move(in) | process<int, int>([](int x, int& n, auto& c) { n += x, c.emit(n); }, expire_after(3ns));
      while (co_await out.next()) ++keys;
    });
  });
  testing::run(app.serve());
  CHECK(keys == 10'000);
}

// The rows of write_to take part in a checkpoint, behind a queue; dedup keeps a few ids.
TEST_CASE("whatever crashes or fails, a pipeline at its budget loses nothing and writes each row once", "[operators][memory][delivery]") {
  auto const input = script<int>().elements({1, 2}).element(2).elements({3, 4}).element(5).elements({4, 6}).element(7);
  testing::delivery_check check([&](application& app, testing::delivery_trial& trial) {
    app.use_source(trial.source(input), [&](auto& pipeline) {
      pipeline.memory_budget(400).use_sink("rows", trial.table()).use_stream([](stream<int> s, stream_context& context) -> task<> {
        auto all = std::move(s) | event_time([](int x) { return instant{x * 10}; }, bounded_disorder(50ns)) |
                   dedup([](int x) { return x; }, 1h) | map([](int x) { return std::to_string(x) + std::string(100, '.'); }) |
                   prefetch(100) | write_to(context.sink<std::string>("rows"));
        co_await all;
      });
    });
  });
  std::vector<std::string> rows;
  for (int n = 1; n <= 7; ++n) rows.push_back(std::to_string(n) + std::string(100, '.'));
  auto const report = check.commit(no_commits()).expect_list(rows).exactly_once().run();
  INFO(report.text());
  CHECK(report.passed());
}
