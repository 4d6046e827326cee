// Operators lose nothing and have each effect once, wherever the process crashes and whatever fails: windows, joins, timers, ids.
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/dedup.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/interval_join.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/scan.hpp>
#include <weir/operators/session_window.hpp>
#include <weir/operators/split.hpp>
#include <weir/operators/tumbling_window.hpp>

#include "properties/delivery_support.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using testing::delivery_check;
using testing::idempotent_sink;

namespace {

// Windows of 10 by key: how many in each; "late 7" for those whose window has fired. The rule: watermark = highest - bound - 1.
contents windows_of_10(bool with_late) {
  contents out;
  std::map<std::string, int> counts;
  instant watermark = start_of_time;
  for (happening const& h : happenings()) {
    instant const start = h.time / 10 * 10;
    if (start + 10 <= watermark) {
      if (with_late) out["late " + std::to_string(h.id)] = std::to_string(h.time);
    } else {
      ++counts[std::to_string(h.key) + "/" + std::to_string(start)];
    }
    watermark = std::max(watermark, h.time - bound.count() - 1);
  }
  for (auto const& [window, n] : counts) out[window] = std::to_string(n);
  return out;
}
template <class R> task<> write_window(R const& r, idempotent_sink& out) {
  return out.write(std::to_string(r.key) + "/" + std::to_string(r.window.start), std::to_string(r.value));
}

// Tells of a key that was silent for 3, at most once per silence.
struct silence {
  using output = std::pair<int, instant>;
  struct state {
    instant waits_for = start_of_time;
  };
  void element(happening const&, state& s, auto& c) {
    if (s.waits_for != start_of_time) c.cancel_timer(s.waits_for);
    s.waits_for = std::max(s.waits_for, c.later(3ns));
    c.set_timer(s.waits_for);
  }
  void timer(instant at, state& s, auto& c) {
    s.waits_for = start_of_time;
    c.emit(output(c.key(), at));
  }
};
contents silences() {
  contents out;
  std::map<int, instant> waits;
  auto const pass = [&](instant watermark) {
    for (auto& [key, until] : waits)
      if (until != start_of_time && until <= watermark)
        out[std::to_string(key) + " at " + std::to_string(std::exchange(until, start_of_time))] = "silent";
  };
  instant watermark = start_of_time;
  for (happening const& h : happenings()) {
    instant& until = waits.try_emplace(h.key, start_of_time).first->second;
    until = std::max(until, h.time + 3);
    pass(watermark);
    watermark = std::max(watermark, h.time - bound.count() - 1);
    pass(watermark);
  }
  pass(end_of_time);
  return out;
}

// Reminds of each element three seconds later, on the clock.
struct reminder {
  using output = int;
  struct state {
    std::vector<int> ids;
  };
  void element(happening const& h, state& s, auto& c) {
    s.ids.push_back(h.id);
    c.set_processing_timer(3s);
  }
  void processing_timer(instant, state& s, auto& c) {
    for (int const id : s.ids) c.emit(int(id));
    s.ids.clear();
  }
};

}  // namespace

TEST_CASE("delivery: tumbling windows that drop what is late", "[properties][delivery]") {
  delivery_check check(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto counts = std::move(s) | in_time() | key_by(&happening::key) | tumbling_window(10ns, late::drop()) | aggregate(count());
    while (auto* const r = co_await counts.next()) co_await write_window(*r, out);
  });
  check_delivers(check.expect(windows_of_10(false)).run());
}

TEST_CASE("delivery: tumbling windows that give away what is late", "[properties][delivery]") {
  delivery_check check(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto const too_late = [&out](happening const& h) { out.put("late " + std::to_string(h.id), std::to_string(h.time)); };
    auto counts =
        std::move(s) | in_time() | key_by(&happening::key) | tumbling_window(10ns, late::side_output(too_late)) | aggregate(count());
    while (auto* const r = co_await counts.next()) co_await write_window(*r, out);
  });
  auto const expected = windows_of_10(true);
  CHECK(expected.size() > windows_of_10(false).size() + 1);
  check_delivers(check.expect(expected).run());
}

// The barrier passes when the handler asks for the next result, which may be long after the element came: a side output is done when its
// function returns, so that it must not leave anything in memory.
TEST_CASE("delivery, found: late elements that wait in memory until the handler has time for them", "[properties][delivery]") {
  delivery_check check(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    std::vector<happening> waiting;
    auto const too_late = [&waiting](happening const& h) { waiting.push_back(h); };
    auto counts =
        std::move(s) | in_time() | key_by(&happening::key) | tumbling_window(10ns, late::side_output(too_late)) | aggregate(count());
    while (auto* const r = co_await counts.next()) {
      for (happening const& h : waiting) co_await out.write("late " + std::to_string(h.id), std::to_string(h.time));
      waiting.clear();
      co_await write_window(*r, out);
    }
    for (happening const& h : waiting) co_await out.write("late " + std::to_string(h.id), std::to_string(h.time));
  });
  auto const report = check.expect(windows_of_10(true)).run();
  INFO(report.text());
  REQUIRE(report.schedule.size() == 1);
  REQUIRE_FALSE(report.lost.empty());
  for (std::string const& effect : report.lost) CHECK(effect.find("late ") == 0);
}

TEST_CASE("delivery: sessions", "[properties][delivery]") {
  delivery_check check(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto counts = std::move(s) | in_time() | key_by(&happening::key) | session_window(6ns, late::drop()) | aggregate(count());
    while (auto* const r = co_await counts.next())
      co_await out.write(std::to_string(r->key) + "/" + std::to_string(r->window.start),
                         std::to_string(r->window.end) + ":" + std::to_string(r->value));
  });
  check_delivers(check.run());
}

TEST_CASE("delivery: ids that come again", "[properties][delivery]") {
  std::vector<happening> again;
  contents expected;
  for (happening const& h : happenings()) {
    again.push_back(h);
    expected[std::to_string(h.id)] = std::to_string(h.value);
    if (h.id % 3 == 1) again.emplace_back(h.id, h.key, h.time, -1);  // a second delivery says something else
    if (h.id % 5 == 4) again.emplace_back(h.id - 3, h.key, happenings()[static_cast<std::size_t>(h.id) - 3].time, -2);
  }
  delivery_check check(played(again), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto once = std::move(s) | in_time() | dedup(&happening::id, 60ns);
    while (happening* const h = co_await once.next()) co_await out.write(std::to_string(h->id), std::to_string(h->value));
  });
  check_delivers(check.expect(expected).run());
}

TEST_CASE("delivery: sums that go on", "[properties][delivery]") {
  contents expected;
  std::map<int, int> sums;
  for (happening const& h : happenings()) {
    sums[h.key] += h.value;
    expected[std::to_string(h.key) + " has " + std::to_string(sums[h.key])] = "reached";
  }
  delivery_check check(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto reached = std::move(s) | key_by(&happening::key) | scan(0, [](int& sum, happening const& h) { sum += h.value; }, never_expires());
    while (auto* const x = co_await reached.next())
      co_await out.write(std::to_string(x->key) + " has " + std::to_string(x->value), "reached");
  });
  check_delivers(check.expect(expected).run());
}

TEST_CASE("delivery: timers of event time", "[properties][delivery]") {
  delivery_check check(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto told = std::move(s) | in_time() | key_by(&happening::key) | process(silence(), never_expires());
    while (auto* const x = co_await told.next())
      co_await out.write(std::to_string(x->first) + " at " + std::to_string(x->second), "silent");
  });
  check_delivers(check.expect(silences()).run());
}

TEST_CASE("delivery: timers of the clock", "[properties][delivery]") {
  testing::script<happening> input("happenings");
  contents expected;
  for (happening const& h : happenings()) {
    input.element(h);
    if (h.id % 4 == 3) input.quiet(5s);
    expected[std::to_string(h.id)] = "reminded";
  }
  delivery_check check(input.quiet(10s), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto told = std::move(s) | in_time() | key_by(&happening::key) | process(reminder(), never_expires());
    while (int* const id = co_await told.next()) co_await out.write(std::to_string(*id), "reminded");
  });
  check_delivers(check.expect(expected).run());
}

TEST_CASE("delivery: an interval join of two halves of a stream", "[properties][delivery]") {
  contents expected;
  for (happening const& l : happenings())
    for (happening const& r : happenings())
      if (l.id % 3 == 0 && r.id % 3 != 0 && l.key == r.key && std::abs(l.time - r.time) <= 5)
        expected[std::to_string(l.id) + "+" + std::to_string(r.id)] = "joined";
  delivery_check check(played(happenings()), [](stream<happening> s, stream_context&, idempotent_sink& out) -> task<> {
    auto halves = split(std::move(s), [](happening const& h) { return h.id % 3 == 0; });
    auto on_time = [](auto half) {
      return std::move(half) | event_time(&happening::time, bounded_disorder(60ns)) | key_by(&happening::key);
    };
    auto pairs = interval_join(on_time(std::move(halves.matching)), on_time(std::move(halves.rest)), interval(-5ns, 5ns), late::drop());
    while (auto* const p = co_await pairs.next())
      co_await out.write(std::to_string(p->left->id) + "+" + std::to_string(p->right->id), "joined");
  });
  check_delivers(check.expect(expected).run());
}
