// Who holds the watermark, by the clock: a quiet stream, an idle partition, a back-pressured one; and that explain says so.
#include <weir/explanation.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/batch.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/heartbeat.hpp>
#include <weir/operators/merge.hpp>
#include <weir/operators/prefetch.hpp>
#include <weir/operators/throttle.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/testing/script.hpp>
#include <weir/when_all.hpp>

#include "operators/support.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using testing::script;

namespace {

// Elements are seconds of event time. Where the virtual clock starts, both are 0.
constexpr instant start = 1'704'067'200'000'000'000;
instant seconds(int x) { return start + x * instant(1'000'000'000); }
bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }
auto in_time(stream<int> s, std::string partition) {
  return std::move(s) | event_time(seconds, bounded_disorder(5s)).partition(std::move(partition));
}

// What happened: where a window starts, how many were in it and when it came, in seconds (`[0)x2@66 `), and what the chain explained when
// it was asked.
class story {
public:
  std::string results;
  std::vector<explanation> told;

  // Takes everything, busy for so long after the first result. Asks why time does not pass at these seconds, and a half.
  template <class Chain> void run(Chain chain, std::vector<int> asked_at, std::chrono::seconds busy = 0s) {
    auto const take = [](story* s, Chain* from, std::chrono::seconds pause) -> task<> {
      context const& own = co_await current_context();
      while (auto const* const r = co_await from->next()) {
        instant const now = (own.clock().now() - start) / 1'000'000'000;
        s->results += "[" + std::to_string((r->window.start - start) / 1'000'000'000) + ")x" + std::to_string(r->value) + "@" +
                      std::to_string(now) + " ";
        if (pause.count() != 0) co_await sleep_for(std::exchange(pause, 0s));
      }
    };
    auto const ask = [](story* s, Chain const* from, std::vector<int> when) -> task<> {
      context const& own = co_await current_context();
      for (int const second : when) {
        co_await sleep_for(std::chrono::nanoseconds(seconds(second) - own.clock().now()) + 500ms);
        s->told.push_back(from->explain());
      }
    };
    auto const both = [&]() -> task<> {
      auto all = when_all(take(this, &chain, busy), ask(this, &chain, std::move(asked_at)));
      (void)co_await std::move(all);
    };
    testing::run(both());
  }
};

template <class Chain> auto per_minute(Chain chain) {
  return std::move(chain) | tumbling_window(1min, late::drop()) | aggregate(count()).named("hits");
}

}  // namespace

// s       0    10   11 ... 66              130
// meter        10   quiet ...              end
// result                   [0,60)               10 + 56 - 5 s are the first to reach the minute
TEST_CASE("a quiet stream closes its windows by the clock", "[operators][event_time][idle]") {
  story s;
  s.run(per_minute(in_time(script<int>().wait(10s).element(10).quiet(2min).play(), "meter")), {15, 40});
  CHECK(s.results == "[0)x1@66 ");

  explanation const& soon = s.told.at(0);
  REQUIRE(soon.partitions.size() == 1);
  CHECK(soon.partitions[0].name == "meter");
  CHECK(soon.partitions[0].state == partition_state::quiet);
  CHECK(soon.partitions[0].since == seconds(10));
  CHECK(soon.partitions[0].watermark == seconds(10 + 5 - 5) - 1);
  REQUIRE(soon.windows.size() == 1);
  CHECK(soon.windows[0].end == seconds(60));
  CHECK(soon.windows[0].elements == 1);
  CHECK(soon.windows[0].watermark == seconds(10) - 1);
  CHECK(soon.holder() == &soon.partitions[0]);
  CHECK(contains(soon.text(),
                 "window [2024-01-01T00:00:00Z, 2024-01-01T00:01:00Z) of hits (1 key, 1 element) is open until the watermark "
                 "reaches 2024-01-01T00:01:00Z; it is at 2024-01-01T00:00:09.999999999Z, held by partition meter, which is quiet "
                 "since 2024-01-01T00:00:10Z"));

  explanation const& later = s.told.at(1);
  CHECK(later.partitions.at(0).state == partition_state::idle);
  CHECK(later.partitions.at(0).watermark == seconds(10 + 30 - 5) - 1);
  CHECK(later.holder() == nullptr);
}

TEST_CASE("where quiet time is told to stand, the window waits, and it is said why", "[operators][event_time][idle]") {
  story s;
  auto stands = script<int>().element(10).quiet(2min).play() |
                event_time(seconds, bounded_disorder(5s)).when_quiet(quiet_time::stands).idle_after(10min);
  s.run(per_minute(std::move(stands)), {100});
  CHECK(s.results == "[0)x1@120 ");  // the end of the data
  CHECK(s.told.at(0).holder());
  CHECK(contains(s.told.at(0).text(),
                 "the input is quiet since 2024-01-01T00:00:00Z: it is asked and finds nothing, not yet for idle_after"));
}

// s       0    10   20   ...  60   70          130      300
// us      2    10   20   ...  60   70    ...   130 end
// eu      1    quiet, idle from 10                      end
// result                           [0,60)      [60,120) [120,180)
TEST_CASE("an idle partition does not hold others", "[operators][merge][idle]") {
  script<int> us;
  us.element(2);
  for (int x = 10; x <= 130; x += 10) us.wait(10s).element(x);
  auto const eu = script<int>().element(1).quiet(5min);
  auto quiet_one = eu.play() | event_time(seconds, bounded_disorder(5s)).partition("eu").when_quiet(quiet_time::stands);
  story s;
  s.run(per_minute(merge(in_time(us.play(), "us"), std::move(quiet_one))), {5, 15, 200});
  CHECK(s.results == "[0)x7@70 [60)x6@130 [120)x2@300 ");

  explanation const& before = s.told.at(0);
  REQUIRE(before.partitions.size() == 2);
  CHECK(before.partitions[1].name == "eu");
  CHECK(before.partitions[1].state == partition_state::quiet);
  CHECK(before.partitions[1].since == start);
  CHECK(before.holder() == &before.partitions[1]);
  CHECK(contains(before.text(), "held by partition eu, which is quiet since 2024-01-01T00:00:00Z"));

  explanation const& idle = s.told.at(1);
  CHECK(idle.partitions.at(1).state == partition_state::idle);
  CHECK(idle.partitions.at(1).since == start);
  CHECK(idle.partitions.at(0).state == partition_state::reading);
  CHECK(idle.partitions.at(0).since == seconds(10));
  CHECK(idle.holder() == &idle.partitions.at(0));
  CHECK(contains(idle.text(),
                 "partition eu is idle since 2024-01-01T00:00:00Z: it is asked and finds nothing, for idle_after or longer, so it "
                 "holds nobody"));
  CHECK(contains(idle.text(), "held by partition us, which is being read since 2024-01-01T00:00:10Z"));

  explanation const& ended = s.told.at(2);
  CHECK(ended.partitions.at(0).name == "us");
  CHECK(ended.partitions.at(0).state == partition_state::ended);
  CHECK(ended.partitions.at(0).since == seconds(130));
  CHECK(ended.partitions.at(0).highest == seconds(130));
  CHECK(ended.holder() == nullptr);
  CHECK(contains(ended.text(), "no partition holds it: all are idle or have ended"));
}

// s       0         10    15    20    ...   3610   3620     7210
// us      0 20 70         80 200
// eu      1         idle        75                 idle     end
// result            [0,60), and the consumer is busy with it for an hour
//                                                  [60,120) with 75
TEST_CASE("a back-pressured partition is not idle", "[operators][merge][idle]") {
  auto const us = script<int>().elements({0, 20, 70}).wait(15s).elements({80, 200});
  auto const eu = script<int>().element(1).quiet(20s).element(75).quiet(1h);
  auto slow_one = eu.play() | event_time(seconds, bounded_disorder(5s)).partition("eu").when_quiet(quiet_time::stands);
  story s;
  s.run(per_minute(merge(in_time(us.play(), "us"), std::move(slow_one))), {12, 1000}, 1h);
  CHECK(s.results == "[0)x3@10 [60)x3@3620 [180)x1@7210 ");

  CHECK(s.told.at(0).partitions.at(1).state == partition_state::idle);
  explanation const& busy = s.told.at(1);
  REQUIRE(busy.partitions.size() == 2);
  CHECK(busy.partitions[0].name == "us");
  CHECK(busy.partitions[0].state == partition_state::back_pressured);
  CHECK(busy.partitions[0].since == seconds(15));
  CHECK(busy.partitions[1].name == "eu");
  CHECK(busy.partitions[1].state == partition_state::back_pressured);
  CHECK(busy.partitions[1].since == seconds(20));
  CHECK(busy.partitions[1].highest == seconds(75));
  CHECK(busy.partitions[1].watermark == seconds(1 - 5) - 1);  // of what was taken
  CHECK(busy.holder() == &busy.partitions[1]);
  CHECK(
      contains(busy.text(), "partition eu is back-pressured since 2024-01-01T00:00:20Z: it has data that nobody takes, so it is not idle"));
}

TEST_CASE("a partition whose source says nothing holds the others, until a heartbeat speaks for it", "[operators][heartbeat][idle]") {
  auto const us = script<int>().elements({0, 20, 70}).quiet(2min);
  auto const eu = script<int>().element(1).wait(2min);
  story silent;
  silent.run(per_minute(merge(in_time(us.play(), "us"), in_time(eu.play(), "eu"))), {60});
  CHECK(silent.results == "[0)x3@120 [60)x1@120 ");
  explanation const& mute = silent.told.at(0);
  CHECK(mute.holder() == &mute.partitions.at(1));
  CHECK(mute.partitions[1].state == partition_state::reading);
  CHECK(mute.partitions[1].since == start);
  CHECK(contains(mute.text(), "partition eu is being read since 2024-01-01T00:00:00Z: it was asked then and has not answered"));

  story beating;
  beating.run(per_minute(merge(in_time(us.play(), "us"), in_time(eu.play() | heartbeat(1s), "eu"))), {5});
  CHECK(beating.results == "[0)x3@10 [60)x1@56 ");  // us is quiet: 70 + 56 - 5 s are the first to reach the second minute
  CHECK(beating.told.at(0).partitions.at(1).state == partition_state::quiet);
}

TEST_CASE("operators that run beside their consumer pass the question on", "[operators][idle]") {
  auto const source = [] { return in_time(script<int>().element(10).quiet(2min).play(), "meter"); };
  auto const told = [](auto chain) {
    auto const ask = [](decltype(chain) from) -> task<explanation> {
      auto asked = std::move(from);  // dropped within the run
      (void)co_await asked.next();
      co_return asked.explain();
    };
    return testing::run(ask(std::move(chain))).partitions;
  };
  for (auto const& partitions : {told(source() | prefetch(4)), told(source() | throttle(1, 1s)),
                                 told(source() | batch(batch_options().count(1).time(1s))), told(merge(source()))}) {
    REQUIRE(partitions.size() == 1);
    CHECK(partitions[0].name == "meter");
  }
}
