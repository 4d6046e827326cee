// merge of streams with event time. Without it: merge_test.cpp; who is idle and who is not: idleness_test.cpp.
#include <weir/operators/merge.hpp>

#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/take.hpp>
#include <weir/operators/tumbling_window.hpp>

#include "operators/beside_support.hpp"

#include <string>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

namespace {

// Something an input gives `ms` after its start, by itself: an element with this event time, or a mark.
struct step {
  step(int when, mark_kind k, instant t = 0) : ms(when), kind(k), time(t) {}
  step(int when, int x) : ms(when), element(true), time(x) {}
  int ms;
  bool element = false;
  mark_kind kind{};
  instant time;
};
constexpr auto watermark = mark_kind::watermark, idle = mark_kind::idle, stop = mark_kind::stop;

timed_stream<int> play(std::vector<step> steps) {
  auto const run = [](std::vector<step> all) -> stream<int> {
    int now = 0;
    for (step const& s : all) {
      if (s.ms != now) co_await sleep_for(std::chrono::milliseconds(s.ms - now));
      now = s.ms;
      int x = static_cast<int>(s.time);
      mark m = s.kind == idle ? mark::idle(std::chrono::nanoseconds(s.time)) : s.kind == stop ? mark::stop() : mark::watermark(s.time);
      m.at = 0;
      chunk<int> const c = s.element ? chunk<int>(std::span(&x, 1), &s.time, {}) : chunk<int>({}, nullptr, std::span<mark const>(&m, 1));
      co_yield c;
    }
  };
  return timed_stream<int>(run(std::move(steps)));
}
template <class... Inputs> std::string shown(Inputs&&... inputs) { return testing::run(show<int>(merge(std::forward<Inputs>(inputs)...))); }

// Elements are times in seconds after the epoch.
instant seconds(int x) { return x * 1'000'000'000LL; }
auto timed_feed(feed<int> const& f) { return f.open() | event_time(seconds, bounded_disorder(5s)); }
template <class Chain> auto per_minute(Chain chain) { return std::move(chain) | tumbling_window(1min, late::drop()) | aggregate(count()); }
template <class Chain> std::string counts(Chain chain) {
  using result = typename Chain::value_type;
  std::string out;
  for (result const& r : all_of<result>(std::move(chain)))
    out += std::to_string(r.window.start / seconds(60)) + ":" + std::to_string(r.value) + " ";
  return out;
}

}  // namespace

// a    0 w5 1 / w15 2 w25 3 w35            a slash: here the source cuts its chunk
// b    100 w5 101 / w15 102 w25 103 w100
TEST_CASE("the watermark is the lowest of the inputs, at its place in the chunk that raises it", "[operators][merge]") {
  feed<int> a(numbers(0, 4)), b(numbers(100, 104));
  a.chunks(2)
      .mark_at(1, mark::watermark(5))
      .mark_at(2, mark::watermark(15))
      .mark_at(3, mark::watermark(25))
      .mark_at(4, mark::watermark(35));
  b.chunks(2)
      .mark_at(1, mark::watermark(5))
      .mark_at(2, mark::watermark(15))
      .mark_at(3, mark::watermark(25))
      .mark_at(4, mark::watermark(100));
  CHECK(shown(a.open_timed(), b.open_timed()) ==
        "0@0 1@10 100@0 w5 101@10 2@20 3@30 w15 102@20 w25 103@30 w100 w-end");  // a has ended when b goes on to 100
}

// ms   0    1    2    3    4
// a    w10       w30
// b         w20       w25  w40
TEST_CASE("watermarks without elements pass at once, and one that changes nothing is not passed", "[operators][merge]") {
  auto const last = step(5, watermark, 40);
  CHECK(shown(play({{0, watermark, 10}, {2, watermark, 30}, last}),
              play({{1, watermark, 20}, {3, watermark, 25}, {4, watermark, 40}, last})) == "w10 w20 w25 w30 w40 w-end");
}

TEST_CASE("an input that has said nothing holds the others", "[operators][merge]") {
  CHECK(shown(play({{0, 7}, {1, watermark, 10}, {2, watermark, 20}}), play({{9, 3}})) == "7@7 3@3 w-end");
}

// ms   0    1     2    3    4    5
// a    w10  idle       7         w35
// b    w20        w30       w40
TEST_CASE("an idle input holds nobody until it gives something; the watermark never goes back", "[operators][merge]") {
  CHECK(shown(play({{0, watermark, 10}, {1, idle, 1}, {3, 7}, {5, watermark, 35}, {6, watermark, 36}}),
              play({{0, watermark, 20}, {2, watermark, 30}, {4, watermark, 40}, {9, watermark, 50}})) ==
        "w10 w20 w30 7@7 w35 w36 w40 w50 w-end");
}

TEST_CASE("a watermark wakes an idle input too", "[operators][merge]") {
  CHECK(shown(play({{0, watermark, 10}, {1, idle, 1}, {3, watermark, 25}, {8, watermark, 60}}),
              play({{0, watermark, 20}, {2, watermark, 30}, {4, watermark, 40}, {9, watermark, 50}})) == "w10 w20 w30 w40 w50 w-end");
}

TEST_CASE("an idle mark that elements follow at once says nothing", "[operators][merge]") {
  feed<int> a({1, 2});
  a.chunks(2).mark_at(0, mark::watermark(5)).mark_at(1, mark::idle());
  CHECK(shown(a.open_timed(), play({{0, watermark, 30}, {9, 4}})) == "w5 1@0 2@10 w30 4@4 w-end");  // held until a has ended
}

// ms   0    1    2    3            6
// a    w10       w30
// b    w50  60                     the consumer is busy with 60 until 6
// c    w50            61
TEST_CASE("a watermark that came while the consumer was busy goes before the elements that waited", "[operators][merge]") {
  auto const body = []() -> task<std::string> {
    timed_stream<int> s = merge(play({{0, watermark, 10}, {2, watermark, 30}, {9, 7}}), play({{0, watermark, 50}, {1, 60}, {9, 62}}),
                                play({{0, watermark, 50}, {3, 61}, {9, 63}}));
    std::string out;
    while (out.size() < 14) {
      chunk<int> const c = co_await next_chunk(s);
      for (mark const& m : c.marks) out += "w" + std::to_string(m.time) + (m.at == 0 ? " " : "behind ");
      for (int const x : c.elements) out += std::to_string(x) + " ";
      if (!c.elements.empty()) co_await sleep_for(5ms);
    }
    co_return out;
  };
  CHECK(testing::run(body()) == "w10 60 w30 61 ");
}

TEST_CASE("when all are idle the watermark is where the furthest came, in whichever order they became so", "[operators][merge]") {
  for (int const first : {1, 3}) {
    CHECK(shown(play({{0, watermark, 10}, {first, idle, 5}, {8, 1}}), play({{0, watermark, 20}, {2, idle, 7}, {9, 2}})) ==
          "w10 w20 idle 1@1 2@2 w-end");
  }
}

TEST_CASE("an input that has ended holds nobody, also one that did not say so with a watermark", "[operators][merge]") {
  CHECK(shown(play({{0, watermark, 10}, {1, 3}}), play({{0, watermark, 5}, {2, watermark, 30}, {3, 4}})) == "w5 3@3 w30 4@4 w-end");
  CHECK(shown(play({{0, watermark, 10}, {1, watermark, end_of_time}}), play({{2, idle, 1}, {3, 4}, {4, watermark, 12}})) ==
        "w10 idle 4@4 w12 w-end");  // nobody holds a's last watermark; b may go on all the same
}

TEST_CASE("one that was stopped holds the others where it was, and the end of time does not come", "[operators][merge]") {
  CHECK(shown(play({{0, watermark, 10}, {1, stop}}), play({{0, watermark, 5}, {2, watermark, 30}, {3, 4}})) == "w5 w10 4@4 stop");
  CHECK(shown(play({{0, watermark, 10}, {1, idle, 9}, {2, stop}}), play({{0, watermark, 5}, {3, watermark, 30}, {9, watermark, 40}})) ==
        "w5 w10 stop");
}

TEST_CASE("a failed input is not one that has ended", "[operators][merge]") {
  feed<int> bad({1});
  bad.mark_at(1, mark::watermark(5)).fails("broke");
  auto const body = [&]() -> task<> {
    timed_stream<int> s = merge(bad.open_timed(), play({{0, watermark, 30}, {9, 4}}));
    std::string failure;
    instant highest = start_of_time;
    try {
      while (chunk<int> c = co_await next_chunk(s))
        for (mark const& m : c.marks) highest = m.time;
    } catch (std::runtime_error const& e) {
      failure = e.what();
    }
    CHECK(failure == "broke");
    CHECK(highest == 5);
  };
  testing::run(body());
}

TEST_CASE("none at all has ended; one alone is as it was", "[operators][merge]") {
  CHECK(testing::run(show<int>(merge(std::vector<timed_stream<int>>()))) == "w-end");
  CHECK(shown(play({{0, watermark, 10}, {1, 3}, {2, idle, 1}, {3, 4}, {4, stop}})) == "w10 3@3 idle 4@4 stop");
}

TEST_CASE("a window behind a merge fires at the end of the data, for every chunk size", "[operators][merge]") {
  for (std::size_t const n : chunkings) {
    CAPTURE(n);
    feed<int> a({1, 59, 61}), b({2, 119, 130});
    auto all = merge(timed_feed(a.chunks(n)), timed_feed(b.chunks(n))) | key_by([](int x) { return x % 2; });
    CHECK(counts(per_minute(std::move(all))) == "0:2 0:1 1:2 2:1 ");
  }
}

TEST_CASE("a window behind a merge fires nothing that is open when an input was stopped", "[operators][merge]") {
  feed<int> a({1, 61, 70}), b({2, 100, 200, 300});
  CHECK(counts(per_minute(merge(timed_feed(a.stops()), timed_feed(b)))) == "0:2 ");  // both are behind the first minute
}

TEST_CASE("a stream that is cut off by take ends as data does", "[operators][merge]") {
  feed<int> a(numbers(0, 100)), b({1, 2});
  CHECK(counts(per_minute(merge(timed_feed(a) | take(3), timed_feed(b)))) == "0:5 ");
}

TEST_CASE("merges can be merged, and a vector of streams", "[operators][merge]") {
  feed<int> a({1}), b({2}), c({3, 62}), d({4});
  std::vector<timed_stream<int>> inner;
  inner.push_back(timed_feed(a));
  inner.push_back(timed_feed(b));
  auto outer = merge(merge(std::move(inner)), merge(timed_feed(c), timed_feed(d)));
  CHECK(counts(per_minute(std::move(outer))) == "0:4 1:1 ");
}

TEST_CASE("merge restored from a checkpoint of its input equals the uninterrupted run", "[operators][merge]") {
  auto const make = [](stream<int> in) {
    auto timed = std::move(in) | event_time(seconds, bounded_disorder(5s));
    auto all = per_minute(merge(std::move(timed))) |
               map([](auto& r) { return r.window.start / seconds(60) * 100 + static_cast<instant>(r.value); });
    return stream<instant>(std::move(all));
  };
  check_restored_equals_uninterrupted<int>({1, 50, 61, 58, 66, 59, 130, 3, 190}, make);
}

TEST_CASE("merges of merges have a part each in a checkpoint", "[operators][merge]") {
  auto const make = [](stream<int> in) {
    auto timed = std::move(in) | event_time(seconds, bounded_disorder(5s));
    auto all = per_minute(merge(merge(std::move(timed)))) |
               map([](auto& r) { return r.window.start / seconds(60) * 100 + static_cast<instant>(r.value); });
    return stream<instant>(std::move(all));
  };
  check_restored_equals_uninterrupted<int>({1, 50, 61, 58, 66, 59, 130, 3, 190}, make);
}

TEST_CASE("the watermark does not go back behind a restart", "[operators][merge]") {
  feed<int> a({1, 2}), b({3});
  a.chunks(1).mark_at(1, mark::watermark(100)).barrier_at(1);
  auto const first = [&]() -> task<kept_state> {
    timed_stream<int> s = merge(a.open_timed(), play({{0, idle, 1}, {1'000, 9}}));
    (void)co_await s.next();
    (void)co_await s.next();
    CHECK(a.barrier().completed());
    co_return state_at(a.barrier());
  };
  auto const state = testing::run(first());
  REQUIRE(state.size() == 1);
  CHECK(state[0].operator_id == "merge");
  feed<int> again({2});
  again.restores(state).mark_at(1, mark::watermark(110));
  CHECK(shown(again.open_timed(), play({{1, watermark, 60}, {2, watermark, 105}})) == "restore 2@0 w105 w-end");
}

TEST_CASE("explain of merged merges names each input by its way", "[operators][merge]") {
  auto const body = []() -> task<> {
    std::vector<timed_stream<int>> two;
    two.push_back(play({{0, watermark, 5}, {9, 1}}));
    two.push_back(play({{0, watermark, 6}, {9, 1}}));
    auto s = merge(merge(std::move(two)), play({{0, watermark, 7}, {1, 1}, {9, 1}}));
    (void)co_await s.next();
    explanation const e = s.explain();
    REQUIRE(e.partitions.size() == 3);
    CHECK(e.partitions[0].name == "0/0");
    CHECK(e.partitions[1].name == "0/1");
    CHECK(e.partitions[2].name == "1");
    CHECK(e.holder() == &e.partitions[0]);
    while (co_await s.next()) {}
    CHECK(s.explain().partitions.empty());  // nothing is left to ask
  };
  testing::run(body());
}
