// Every operator in front of a sink whose rows are to be there once: they are, wherever the process crashes and whatever fails. What
// delivery_sinks_test.cpp has is not repeated here; the last test sees to it that no operator is left out.
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/as_of_join.hpp>
#include <weir/operators/dedup.hpp>
#include <weir/operators/emit.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/flat_map.hpp>
#include <weir/operators/for_each.hpp>
#include <weir/operators/global_window.hpp>
#include <weir/operators/heartbeat.hpp>
#include <weir/operators/inspect.hpp>
#include <weir/operators/interval_join.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/partition_by.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/reduce.hpp>
#include <weir/operators/retry.hpp>
#include <weir/operators/session_window.hpp>
#include <weir/operators/skip.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/split.hpp>
#include <weir/operators/take.hpp>
#include <weir/operators/take_while.hpp>
#include <weir/operators/throttle.hpp>
#include <weir/operators/trigger.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/window_join.hpp>
#include <weir/operators/write_to.hpp>
#include <weir/retry_policy.hpp>
#include <weir/sleep.hpp>

#include "properties/delivery_support.hpp"
#include "support/skip.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using testing::delivery_check;
using testing::delivery_report;
using testing::delivery_trial;
using testing::idempotent_sink;
using lines = std::vector<std::string>;

namespace {

lines ids(int from, int to) {
  lines out;
  for (int id = from; id != to; ++id) out.push_back(std::to_string(id));
  return out;
}
std::string id_of(happening const& h) { return std::to_string(h.id); }

// What the operators between give, written to a sink whose rows are part of the commit. 20 pairs: a mishap at each place is what counts.
using chain = stream<std::string> (*)(stream<happening>);
delivery_check once(chain between, std::vector<happening> const& all = happenings()) {
  delivery_check check([between, all](application& app, delivery_trial& trial) {
    app.use_source(trial.source(played(all)), [&](auto& pipeline) {
      pipeline.use_sink("out", trial.table()).use_stream([between](stream<happening> s, stream_context& context) -> task<> {
        auto rows = between(std::move(s)) | write_to(context.sink<std::string>("out"));
        co_await rows;
      });
    });
  });
  check.exactly_once().pairs(20);
  return check;
}
void check_once(delivery_check const& check) {
  delivery_report const report = check.run();
  INFO(report.text());
  CHECK(report.passed());
  CHECK(report.trials > 70);
  CHECK(report.commits > 3);
}

auto by_key(stream<happening> s) { return std::move(s) | in_time() | key_by(&happening::key); }
auto slow_by_key(stream<happening> s) {
  return std::move(s) | event_time(&happening::time, bounded_disorder(60ns)) | key_by(&happening::key);
}
bool every_third(happening const& h) { return h.id % 3 == 0; }
template <class R> std::string named(R const& r) {
  return std::to_string(r.key) + "/" + std::to_string(r.window.start) + "-" + std::to_string(r.window.end) + "#" +
         std::to_string(r.revision) + " = " + std::to_string(r.value);
}
template <class P> std::string pair_of(P const& p) {
  return (p.left ? std::to_string(p.left->id) : "") + "+" + (p.right ? std::to_string(p.right->id) : "");
}
task<std::string> looked_up(happening const& h) {
  int const id = h.id;
  co_await sleep_for(1ms);
  co_return std::to_string(id);
}

// Sums per key, and says them twenty later.
struct late_sum {
  using output = std::string;
  struct state {
    int sum = 0;
  };
  void element(happening const& h, state& s, auto& c) {
    s.sum += h.value;
    c.set_timer(h.time + 20);
  }
  void timer(instant at, state& s, auto& c) {
    c.emit(std::to_string(c.key()) + " at " + std::to_string(at) + ": " + std::to_string(s.sum));
  }
};

}  // namespace

TEST_CASE("operators once: those that hand on what they are given", "[properties][delivery][sink]") {
  check_once(once([](stream<happening> s) -> stream<std::string> {
               return std::move(s) | skip(3) | inspect([](happening const&) {}) | map(id_of);
             }).expect_list(ids(3, 20)));
  check_once(once([](stream<happening> s) -> stream<std::string> {
               return std::move(s) | heartbeat(100ms) | map(id_of);
             }).expect_list(ids(0, 20)));
  check_once(once([](stream<happening> s) -> stream<std::string> {
               return std::move(s) | throttle(10, 1s, 2) | map(id_of);
             }).expect_list(ids(0, 20)));
  check_once(once([](stream<happening> s) -> stream<std::string> {
               return std::move(s) | retry(retry_policy().attempts(2), looked_up);
             }).expect_list(ids(0, 20)));
}

TEST_CASE("operators once: ids that come again", "[properties][delivery][sink]") {
  std::vector<happening> again;
  for (happening const& h : happenings()) again.insert(again.end(), h.id % 3 == 1 ? 2 : 1, h);
  check_once(
      once([](stream<happening> s) -> stream<std::string> { return std::move(s) | in_time() | dedup(&happening::id, 60ns) | map(id_of); },
           again)
          .expect_list(ids(0, 20)));
}

TEST_CASE("operators once: windows of every kind", "[properties][delivery][sink]") {
  check_once(once([](stream<happening> s) -> stream<std::string> {
    return by_key(std::move(s)) | sliding_window(20ns, 10ns, late::drop(), emit::early(5ns)) | aggregate(count()) |
           map([](auto const& r) { return named(r); });
  }));
  check_once(once([](stream<happening> s) -> stream<std::string> {
    return by_key(std::move(s)) | session_window(6ns, late::drop()) | aggregate(count()) | map([](auto const& r) { return named(r); });
  }));
  check_once(once([](stream<happening> s) -> stream<std::string> {
    return by_key(std::move(s)) | global_window(trigger::count(3), expire_after(20ns), late::drop()) | aggregate(count()) |
           map([](auto const& r) { return named(r); });
  }));
  check_once(once([](stream<happening> s) -> stream<std::string> {
    auto values = std::move(s) | map([](happening const& h) { return std::pair(h.time, h.value); });
    return std::move(values) | event_time([](auto const& p) { return p.first; }, bounded_disorder(bound)) |
           map([](auto const& p) { return p.second; }) | tumbling_window(10ns, late::drop()) | reduce(std::plus<>()) |
           map([](auto const& r) { return std::to_string(r.window.start) + " = " + std::to_string(r.value.value()); });
  }));
}

TEST_CASE("operators once: timers", "[properties][delivery][sink]") {
  check_once(once([](stream<happening> s) -> stream<std::string> { return by_key(std::move(s)) | process(late_sum(), never_expires()); }));
}

TEST_CASE("operators once: joins", "[properties][delivery][sink]") {
  check_once(once([](stream<happening> s) -> stream<std::string> {
    auto halves = split(std::move(s), every_third);
    return interval_join(slow_by_key(std::move(halves.matching)), slow_by_key(std::move(halves.rest)), interval(-5ns, 5ns), late::drop()) |
           map([](auto const& p) { return pair_of(p); });
  }));
  check_once(once([](stream<happening> s) -> stream<std::string> {
    auto halves = split(std::move(s), every_third);
    return window_join(slow_by_key(std::move(halves.matching)), slow_by_key(std::move(halves.rest)), 10ns, late::drop(), join_kind::full) |
           map([](auto const& p) { return pair_of(p); });
  }));
  check_once(once([](stream<happening> s) -> stream<std::string> {
    auto halves = split(std::move(s), every_third);
    return as_of_join(slow_by_key(std::move(halves.matching)), slow_by_key(std::move(halves.rest)), 15ns, late::drop()) |
           map([](auto const& p) { return pair_of(p); });
  }));
}

// These do not promise it: their rows are refused in front of such a sink, so that none is there twice or missing without a word.
TEST_CASE("operators that stop early or overtake checkpoints are refused in front of a sink that promises once",
          "[properties][delivery][sink]") {
  auto const refused = [](chain between, std::string const& why) {
    delivery_report const report = once(between).run_only({});
    INFO(report.text());
    CHECK_THAT(report.failure, Catch::Contains(why));
  };
  refused([](stream<happening> s) -> stream<std::string> { return std::move(s) | take(11) | map(id_of); }, "not read to its end (take");
  refused(
      [](stream<happening> s) -> stream<std::string> {
        return std::move(s) | take_while([](happening const& h) { return h.id < 11; }) | map(id_of);
      },
      "not read to its end (take");
  refused(
      [](stream<happening> s) -> stream<std::string> {
        return std::move(s) | partition_by(&happening::key) | flat_map([](auto& group) { return std::move(group.values); }) | map(id_of);
      },
      "(window(n), partition_by)");
}

TEST_CASE("operators once: what is called for each element has effects by identity", "[properties][delivery][sink]") {
  delivery_check check(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto const put = [&out](happening const& h) { out.put(std::to_string(h.id), "seen"); };
    auto all = std::move(s) | for_each(put);
    co_await all;
  });
  contents expected;
  for (happening const& h : happenings()) expected[std::to_string(h.id)] = "seen";
  check_once(check.expect(expected).pairs(20));
}

TEST_CASE("no operator is left out of what is checked in front of a sink that promises once", "[properties][delivery][sink]") {
  char const* const sources = std::getenv("WEIR_SOURCES");
  if (!sources && skip("WEIR_SOURCES names no folder")) return;
  std::filesystem::path const root = sources;
  std::set<std::string> const none{"accumulator",
                                   "accumulators",
                                   "batch_options",
                                   "emit",
                                   "expiry",
                                   "join_options",
                                   "joined",
                                   "key_counts",
                                   "keyed_value",
                                   "late",
                                   "ordering",
                                   "process_context",
                                   "retraction",
                                   "time_fault",
                                   "result_identity",
                                   "time_window",
                                   "trigger",
                                   "split_options",
                                   "watermark_strategy"};
  std::string text;
  for (char const* const file : {"delivery_operators_test.cpp", "delivery_sinks_test.cpp"}) {
    std::ifstream in(root / "tests/properties" / file, std::ios::binary);
    text.append(std::istreambuf_iterator<char>(in), {});
  }
  for (auto const& header : std::filesystem::directory_iterator(root / "operators/weir/operators")) {
    std::string const name = header.path().stem().string();
    if (header.path().extension() != ".hpp" || none.contains(name)) continue;
    INFO(name);
    CHECK((text.find("| " + name + "(") != std::string::npos || text.find(" " + name + "(") != std::string::npos));
  }
}
