// What operators tell of time, windows and books, through the metrics of an application.
#include <weir/application.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/dedup.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/session_window.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/recording_metrics.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>
#include <weir/when_all.hpp>

#include "support/catch.hpp"
#include "support/keeping_in.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using testing::script;

namespace {

// Where the virtual clock begins: 2024-01-01T00:00:00Z.
constexpr std::int64_t midnight = 1'704'067'200;

// An id, and when it happened, in seconds since midnight; -1: nobody knows.
struct event {
  event(std::string i, int s) : id(std::move(i)), second(s) {}
  std::string id;
  int second;
};
std::optional<instant> time_of(event const& e) {
  if (e.second < 0) return std::nullopt;
  return (midnight + e.second) * 1'000'000'000;
}

std::string of_partition(std::string const& name, std::string const& partition = "0") {
  return name + "{pipeline=\"memory\",stream=\"memory\",partition=\"" + partition + "\"}";
}
std::string of_operator(std::string const& name, std::string const& op) {
  return name + "{pipeline=\"memory\",stream=\"memory\",partition=\"0\",operator=\"" + op + "\"}";
}

// Counts ids by the minute, up to 5 s out of order. `fails_behind`: throws for the result of that window's first second.
auto counting(int fails_behind = -1) {
  return [fails_behind](stream<event> s, cancellation) -> task<> {
    auto counts = std::move(s) | event_time(time_of, bounded_disorder(5s)).bad_times_to([](event const&) {}) | dedup(&event::id, 10min) |
                  key_by(&event::id) | tumbling_window(1min, late::drop()) | aggregate(count());
    while (auto* const r = co_await counts.next())
      if (r->window.start == (midnight + fails_behind) * 1'000'000'000) throw std::runtime_error("broken");
  };
}
settings telling(testing::recording_metrics& to, std::shared_ptr<state_store> store, std::uint64_t records = 1) {
  settings s = keeping_in(std::move(store), records);
  s.metrics = &to;
  return s;
}

}  // namespace

// s   0        60       120
//     |a    b  |(b)  c  |d  (e)      b comes twice, e belongs to the first minute, which has fired; one has no time
TEST_CASE("late, duplicate and misplaced elements are counted by the operator, open windows while they are", "[operators][metrics]") {
  testing::recording_metrics figures;
  settings s = telling(figures, std::make_shared<memory_state_store>());
  s.stall_after = 1h;
  std::optional<double> open, watermark, holdback;
  application app(std::move(s));
  script<event> input;
  input.element({"a", 10})
      .element({"b", 50})
      .element({"b", 61})
      .element({"c", 70})
      .element({"?", -1})
      .element({"d", 130})
      .element({"e", 20})
      .wait(5s);
  app.use_memory_stream(input, [&](auto& p) { p.use_stream(counting()); });
  auto const look = [&]() -> task<> {
    co_await sleep_for(3s);
    open = figures.value(of_operator("open_windows", "window"));
    watermark = figures.value(of_partition("watermark"));
    holdback = figures.value(of_partition("watermark_holdback_seconds"));
  };
  auto const both = [&]() -> task<> {
    std::vector<task<>> all;
    all.push_back(app.serve());
    all.push_back(look());
    co_await when_all(std::move(all));
  };
  testing::run(both());
  CHECK(open == 1);  // the minute of d
  REQUIRE(watermark);
  CHECK(std::abs(*watermark - (midnight + 125)) < 1e-3);  // the highest less 5 s and 1 ns
  CHECK(holdback == 0);
  CHECK(figures.value(of_operator("late_total", "window")) == 1);
  CHECK(figures.value(of_operator("duplicate_total", "dedup")) == 1);
  CHECK(figures.value(of_operator("dead_letter_total", "event_time")) == 1);
  CHECK(figures.value(of_operator("open_windows", "window")) == 0);
}

TEST_CASE("what was counted before a restart is not counted again", "[operators][metrics]") {
  auto const store = std::make_shared<memory_state_store>();
  testing::recording_metrics before, behind;
  auto const run = [&](testing::recording_metrics& to, script<event> const& input) {
    application app(telling(to, store));
    app.use_memory_stream(input, [](auto& p) { p.use_stream(counting(120)); });
    testing::run(app.serve());
  };
  script<event> input;
  input.element({"a", 10}).element({"b", 70}).element({"c", 20}).element({"d", 200}).element({"e", 30}).element({"f", 40});
  input.fail("gone").element({"g", 50});
  CHECK_THROWS(run(before, input));
  CHECK(before.value(of_operator("late_total", "window")) == 3);  // c, e, f
  run(behind, input);
  CHECK(behind.value(of_operator("late_total", "window")) == 1);  // g
}

TEST_CASE("a partition whose event time is behind says by how much", "[operators][metrics]") {
  testing::recording_metrics figures;
  application app(telling(figures, std::make_shared<memory_state_store>()));
  script<event> input;
  input.partition("fast").element({"a", 100}).partition("slow").wait(1s).element({"b", 40});
  app.use_memory_stream(input, [](auto& p) { p.use_stream(counting()); });
  testing::run(app.serve());
  CHECK(figures.value(of_partition("watermark_holdback_seconds", "fast")) == 0);
  REQUIRE(figures.value(of_partition("watermark_holdback_seconds", "slow")));
  CHECK(std::abs(*figures.value(of_partition("watermark_holdback_seconds", "slow")) - 60) < 1e-3);
}

// The clock stands at midnight + 100 s when the element of second 70 is committed.
TEST_CASE("how old the newest event is when it is committed, is told", "[operators][metrics]") {
  testing::recording_metrics figures;
  application app(telling(figures, std::make_shared<memory_state_store>()));
  app.use_memory_stream(script<event>().wait(100s).element({"a", 70}), [](auto& p) { p.use_stream(counting()); });
  testing::run(app.serve());
  distribution const age = figures.observed(of_partition("event_latency_seconds"));
  CHECK(age.total() == 1);
  CHECK(age.sum() == 30);
}

TEST_CASE("many sessions are one figure, however many are listed", "[operators][metrics]") {
  testing::recording_metrics figures;
  settings s = telling(figures, std::make_shared<memory_state_store>());
  s.stall_after = 1h;
  std::optional<double> open;
  application app(std::move(s));
  std::vector<event> many;
  for (int i = 0; i != 1'000; ++i) many.emplace_back(std::to_string(i), 10);
  app.use_memory_stream(script<event>().elements(many).wait(5s).element({"z", 11}), [&](auto& p) {
    p.use_stream([&](stream<event> in, cancellation) -> task<> {
      auto sessions = std::move(in) | event_time(time_of, bounded_disorder(5s)) | key_by(&event::id) | session_window(1min, late::drop()) |
                      aggregate(count()).named("visits");
      while (co_await sessions.next())
        if (!open) open = figures.value(of_operator("open_windows", "visits"));
    });
  });
  testing::run(app.serve());
  CHECK(open == 1'001);
}
