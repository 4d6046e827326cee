#include <weir/explanation.hpp>

#include <weir/fused_stream.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"

#include <string>
#include <utility>

using namespace weir;

namespace {

// 2024-01-01T00:00:00Z and so many seconds.
instant at(int seconds) { return 1'704'067'200'000'000'000 + seconds * instant(1'000'000'000); }

partition_time partition(std::string name, partition_state state, instant watermark) {
  partition_time p;
  p.name = std::move(name);
  p.state = state;
  p.watermark = watermark;
  return p;
}
open_window minute(std::string operator_name) {
  open_window w;
  w.operator_name = std::move(operator_name);
  w.start = at(0);
  w.end = at(60);
  w.keys = 2;
  w.elements = 5;
  w.watermark = at(42);
  return w;
}

struct knows_a_window : forwards_marks {
  template <class T, class Time> bool element(T& x, Time t, auto down) { return down.element(x, t); }
  void explain(explanation& e) const { e.windows.push_back(minute("stage")); }
};
class knows_a_partition final : public explainer {
public:
  void explain(explanation& e) const override { e.partitions.push_back(partition("source", partition_state::quiet, at(1))); }
};

stream<int> explained() {
  knows_a_partition const local;
  co_await detail::explained_by<int>(local);
  co_yield 1;
}

}  // namespace

TEST_CASE("the holder is the lowest of those that are neither idle nor ended, the first of equals", "[framework][explain]") {
  explanation e;
  CHECK(e.holder() == nullptr);
  e.partitions = {partition("idle", partition_state::idle, at(1)), partition("late", partition_state::reading, at(9)),
                  partition("first", partition_state::quiet, at(5)), partition("second", partition_state::back_pressured, at(5)),
                  partition("ended", partition_state::ended, end_of_time)};
  CHECK(e.holder()->name == "first");
  e.partitions[2].state = partition_state::idle;
  CHECK(e.holder()->name == "second");
  e.partitions[3].state = partition_state::ended;
  CHECK(e.holder()->name == "late");
  e.partitions[1].state = partition_state::idle;
  CHECK(e.holder() == nullptr);
  e.partitions[0].state = partition_state::stopped;
  CHECK(e.holder()->name == "idle");
}

TEST_CASE("each partition has a sentence: what, since when, why, and how far it is", "[framework][explain]") {
  struct {
    partition_state state;
    std::string text;
  } const cases[] = {
      {partition_state::reading,
       "partition eu is being read since 2024-01-01T00:00:07Z: it was asked then and has not answered; if it is a live source, "
       "heartbeat(...) "
       "before event_time lets it be quiet; watermark 2024-01-01T00:00:42Z; highest event time 2024-01-01T00:00:47Z\n"},
      {partition_state::quiet,
       "partition eu is quiet since 2024-01-01T00:00:07Z: it is asked and finds nothing, not yet for idle_after; "
       "watermark 2024-01-01T00:00:42Z; highest event time 2024-01-01T00:00:47Z\n"},
      {partition_state::idle,
       "partition eu is idle since 2024-01-01T00:00:07Z: it is asked and finds nothing, for idle_after or longer, so it "
       "holds nobody; watermark 2024-01-01T00:00:42Z; highest event time 2024-01-01T00:00:47Z\n"},
      {partition_state::back_pressured,
       "partition eu is back-pressured since 2024-01-01T00:00:07Z: it has data that nobody takes, so it is not idle; look for what is slow "
       "behind it; watermark 2024-01-01T00:00:42Z; highest event time 2024-01-01T00:00:47Z\n"},
      {partition_state::stopped,
       "partition eu is stopped since 2024-01-01T00:00:07Z: its data goes on without us, so what is open does not "
       "close here; watermark 2024-01-01T00:00:42Z; highest event time 2024-01-01T00:00:47Z\n"},
      {partition_state::ended, "partition eu has ended since 2024-01-01T00:00:07Z: it holds nobody\n"},
  };
  for (auto const& c : cases) {
    explanation e;
    e.partitions.push_back(partition("eu", c.state, at(42)));
    e.partitions[0].since = at(7);
    e.partitions[0].highest = at(47);
    CHECK(e.text() == c.text);
  }
}

TEST_CASE("what is not known is not said", "[framework][explain]") {
  explanation e;
  CHECK(e.text().empty());
  e.partitions.push_back(partition("", partition_state::reading, start_of_time));
  CHECK(e.text() == "the input is being read; no watermark yet; no event yet\n");
}

TEST_CASE("a window says what it waits for, and which partition that is", "[framework][explain]") {
  explanation e;
  e.windows.push_back(minute("hits"));
  std::string const window =
      "window [2024-01-01T00:00:00Z, 2024-01-01T00:01:00Z) of hits (2 keys, 5 elements) is open until the watermark "
      "reaches 2024-01-01T00:01:00Z; it is at 2024-01-01T00:00:42Z";
  CHECK(e.text() == window + "\n");
  e.partitions = {partition("us", partition_state::reading, at(50)), partition("eu", partition_state::back_pressured, at(42))};
  e.partitions[1].since = at(30);
  CHECK(e.text() ==
        "partition us is being read; watermark 2024-01-01T00:00:50Z; no event yet\n"
        "partition eu is back-pressured since 2024-01-01T00:00:30Z: it has data that nobody takes, so it is not idle; look for what "
        "is slow behind it; watermark 2024-01-01T00:00:42Z, which holds the others; no event yet\n" +
            window + ", held by partition eu, which is back-pressured since 2024-01-01T00:00:30Z\n");
  e.partitions = {partition("us", partition_state::idle, at(42)), partition("eu", partition_state::ended, end_of_time)};
  CHECK(e.text().find(window + ", and no partition holds it: all are idle or have ended\n") != std::string::npos);

  open_window fired = minute("");
  fired.keys = fired.elements = 1;
  fired.fired = true;
  fired.closes = at(90);
  e = explanation();
  e.windows.push_back(fired);
  CHECK(e.text() ==
        "window [2024-01-01T00:00:00Z, 2024-01-01T00:01:00Z) (1 key, 1 element) has fired and is kept for late elements until the "
        "watermark reaches 2024-01-01T00:01:30Z; it is at 2024-01-01T00:00:42Z\n");
}

TEST_CASE("a chain explains what its source and its stages know, also as a stream", "[framework][explain]") {
  auto const body = []() -> task<> {
    auto chain = explained() | simple_stage<knows_a_window, unchanged>(knows_a_window());
    CHECK(chain.explain().partitions.empty());  // it has not begun
    auto const* const first = co_await chain.next();
    CHECK(first);
    stream<int> erased = std::move(chain);
    explanation const e = erased.explain();
    REQUIRE(e.partitions.size() == 1);
    CHECK(e.partitions[0].name == "source");
    REQUIRE(e.windows.size() == 1);
    CHECK(e.windows[0].operator_name == "stage");
    auto const* const none = co_await erased.next();
    CHECK(none == nullptr);
    CHECK(erased.explain().partitions.empty());  // who answered for the source is gone
  };
  testing::run(body());
}
