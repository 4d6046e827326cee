#include <weir/operators/process.hpp>

#include <weir/application.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/state/list_state.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>

#include "operators/stage_checks.hpp"
#include "operators/timed_support.hpp"
#include "support/keeping_in.hpp"

#include <memory>
#include <string>
#include <vector>

using namespace weir;
using namespace weir::test;

namespace {

using context_of_texts = process_context<std::string, std::string>;

// Its timers go off `value` ns after an element; it tells of everything it is called for, and how often the key has had an element.
struct alarm_clock {
  using output = std::string;
  struct state {
    int elements = 0;
    list_state<instant> set;
  };
  void element(event const& e, state& s, context_of_texts& c) {
    ++s.elements;
    if (e.value < 0) c.cancel_timer(c.later(ns(-e.value)));
    if (e.value > 0) {
      c.set_timer(c.later(ns(e.value)));
      s.set.add(e.value, c.time());
    }
    c.emit(c.key() + std::to_string(e.time) + (c.is_late() ? "!" : ""));
  }
  void timer(instant at, state& s, auto& c) {
    c.emit("(" + c.key() + time_text(at) + " of " + std::to_string(s.elements) + "," + std::to_string(s.set.size()) + ")");
  }
};

template <class F, class Expiry> auto processed_by(F f, Expiry expiry, ns bound = 0ns) {
  return [=](stream<event> s) { return in_time(std::move(s), bound) | key_by(&event::key) | process(f, expiry); };
}
// All that comes out for `line`, whatever the chunks.
template <class F, class Expiry> std::string told(std::string const& line, F f, Expiry expiry, ns bound = 0ns) {
  return same_for_all_chunkings(events(line), processed_by(f, expiry, bound));
}
std::string told(std::string const& line, ns bound = 0ns) { return told(line, alarm_clock(), never_expires(), bound); }

// Numbers that are their own time; two keys; one result for each.
template <class Look> auto numbers_processed(stream<int> s, Look look) {
  auto in = std::move(s) | event_time([](int x) { return instant{x}; }, monotonic()) | key_by([](int x) { return x % 2; });
  return std::move(in) | process<int, int>(
                             [look](int x, int& n, auto& c) {
                               look(x);
                               ++n;
                               c.emit(x);
                             },
                             expire_after(10ns));
}
// The state of in_time before the first element.
kept_state in_time_state() {
  feed<event> in(events("a1"));
  in.barrier_at(0);
  auto const got = testing::run(run_to(as_text(in_time(in.open(), 0ns)), in.barrier()));
  return *got.state;
}
auto passed_on(stream<int> s) { return numbers_processed(std::move(s), no_three); }

}  // namespace

//      0         10        20        30
//      | a>15  b>12       a
// timers               b21 a16
TEST_CASE("process calls its function with the state of each key, and its timers in the order of time") {
  CHECK(told("a1=15 b9=12 a30=0") == "a1 b9 a30 (a16 of 2,1) (b21 of 1,1)");
  CHECK(told("a1=15 b9=12 c20 a30=0") == "a1 b9 c20 (a16 of 1,1) a30 (b21 of 1,1) (c21 of 1,1)");
}

TEST_CASE("process of an empty stream gives nothing") { CHECK(told("") == ""); }

TEST_CASE("timers of one time fire in the order in which their keys were first seen") {
  CHECK(told("c1=9 a2=8 b3=7 a4=6 c5=5 x20=0") == "c1 a2 b3 a4 c5 x20 (c10 of 2,2) (a10 of 2,2) (b10 of 1,1)");
}

// A watermark of 10 - 0 - 1 does not reach a timer at 10.
TEST_CASE("an event timer fires when the watermark reaches it, and its results precede that watermark") {
  for (std::size_t const n : chunkings) {
    timed_stream<std::string> out = processed_by(alarm_clock(), never_expires())(feed(events("a4=6 b10=0 b11=0")).chunks(n).open());
    CHECK(testing::run(show<std::string>(std::move(out))) == "a4@4 w3 b10@10 w9 b11@11 (a10 of 1,1)@10 w10 w-end");
  }
}

TEST_CASE("a timer that is set twice for one time fires once") {
  CHECK(told("a1=9 a2=8 a3=8 b20=0") == "a1 a2 a3 b20 (a10 of 3,3) (a11 of 3,3)");
}

TEST_CASE("a timer that was cancelled does not fire, unless it is set again") {
  CHECK(told("a1=9 a2=-8 b20=0") == "a1 a2 b20");
  CHECK(told("a1=9 a2=-8 a3=7 b20=0") == "a1 a2 a3 b20 (a10 of 3,2)");
  CHECK(told("a1=9 a2=-7 b20=0") == "a1 a2 b20 (a10 of 2,1)");  // there is none at 9
  CHECK(told("a1=9 a2=12 a3=-7 a4=1 b20=0") == "a1 a2 a3 a4 b20 (a5 of 4,3) (a14 of 4,3)");
}

// The watermark is at 19 when a5 comes: its timer at 10 is overdue, that at 25 is not.
TEST_CASE("late elements are processed, and a timer for a time that has passed fires right behind the function that set it") {
  CHECK(told("b20=0 a5=5 c30=0") == "b20 a5! (a10 of 1,1) c30");
  CHECK(told("b20=0 a5=20 a6=3 c30=0") == "b20 a5! a6! (a9 of 2,2) c30 (a25 of 2,2)");
}

TEST_CASE("elements within the bound are not late") {
  CHECK(told("b20=0 a15=0 a14=0 a13=0", 5ns) == "b20 a15 a14 a13!");  // the watermark is at 14
}

namespace {

struct every_ten {
  using output = std::string;
  struct state {};
  void element(event const& e, state&, auto& c) { c.set_timer(e.time + 10); }
  void timer(instant at, state&, auto& c) {
    c.emit(c.key() + std::to_string(at));
    c.set_timer(at + 10);
  }
};

}  // namespace

TEST_CASE("a timer may set the next one, each in its turn however far the watermark steps, and ends when the data has ended") {
  CHECK(told("a0 b5 a36", every_ten(), never_expires()) == "a10 b15 a20 b25 a30 b35 a40 b45 a46");
}

TEST_CASE("a timer for the end of time fires at the end of the data, and not in a stream that was stopped") {
  struct last_words {
    using output = std::string;
    using state = int;
    void element(event const&, int& n, context_of_texts& c) {
      ++n;
      c.set_timer(end_of_time);
    }
    void timer(instant, int& n, context_of_texts& c) { c.emit(c.key() + " " + std::to_string(n), c.watermark() - 1); }
  };
  CHECK(told("b1 a2 b3", last_words(), never_expires()) == "b 2 a 1");
  auto stopped = processed_by(last_words(), never_expires())(feed(events("b1 a2 b3")).stops().open());
  CHECK(all_of<std::string>(std::move(stopped)).empty());
}

TEST_CASE("a timer that sets one which is not later than itself is refused, as it would never end") {
  struct endless {
    using output = int;
    using state = int;
    void element(event const&, int&, process_context<std::string, int>& c) { c.set_timer(c.later(5ns)); }
    void timer(instant at, int&, process_context<std::string, int>& c) { c.set_timer(at); }
  };
  auto const got = testing::run(drain<int>(processed_by(endless(), never_expires())(feed(events("a1 a10")).open())));
  CHECK(got.code == errc::misuse);
}

TEST_CASE("a timer that has no function is refused when it is set") {
  auto const sets = [](auto set) {
    auto in = in_time(feed(events("a1")).open(), 0ns) | key_by(&event::key);
    auto out = std::move(in) | process<int, int>([set](event const&, int&, auto& c) { set(c); }, never_expires());
    return testing::run(drain<int>(std::move(out))).failure;
  };
  CHECK(sets([](auto& c) { c.set_timer(5); }).find("no timer(at, state, context)") != std::string::npos);
  CHECK(sets([](auto& c) { c.set_processing_timer(5s); }).find("no processing_timer(at, state, context)") != std::string::npos);
  CHECK(sets([](auto& c) { c.cancel_timer(5); }) == "");
}

TEST_CASE("process tells each call its key, its time and the watermark") {
  struct tells {
    using output = std::string;
    using state = int;
    void element(event const& e, int&, context_of_texts& c) {
      c.emit(c.key() + " " + time_text(c.time()) + " " + time_text(c.watermark()));
      if (e.value == 2) c.set_timer(c.later(3ns));
      if (e.value == 3) c.emit(time_text(c.earlier(3ns)), 7);
    }
    void timer(instant, int&, context_of_texts& c) {
      c.emit(c.key() + " " + time_text(c.time()) + " " + time_text(c.watermark()) + (c.is_late() ? "!" : ""));
    }
  };
  for (std::size_t const n : chunkings) {
    timed_stream<std::string> out = processed_by(tells(), never_expires())(feed(events("a1=2 b8=3")).chunks(n).open());
    CHECK(testing::run(show<std::string>(std::move(out))) == "a 1 start@1 w0 b 8 0@8 5@7 a 4 7@4 w7 w-end");
  }
}

TEST_CASE("later and earlier stop at the ends of time") {
  std::vector<instant> times;
  auto in = in_time(feed(events("a5")).open(), 0ns) | key_by(&event::key);
  auto out = std::move(in) | process<int, int>(
                                 [&times](event const&, int&, auto& c) {
                                   times = {c.later(3ns),       c.earlier(3ns),    c.later(ns::max()),  c.earlier(ns::max()),
                                            c.later(ns::min()), c.earlier(ns(-3)), c.earlier(ns::min())};
                                 },
                                 never_expires());
  all_of<int>(std::move(out));
  CHECK(times == std::vector<instant>{8, 2, end_of_time, 5 - end_of_time, 5 + start_of_time, 8, end_of_time});
}

TEST_CASE("process keeps its place among barriers, and a barrier fires nothing") {
  feed<event> in(events("a1=1 b2=0 b3=0"));
  in.chunks(3).barrier_at(1).barrier_at(2).stops();
  timed_stream<std::string> out = processed_by(alarm_clock(), never_expires())(in.open());
  CHECK(testing::run(show<std::string>(std::move(out))) == "a1@1 w0 | b2@2 w1 | b3@3 (a2 of 1,1)@2 w2 stop");
}

TEST_CASE("process goes on from its states and timers after a restart, in the same order") {
  auto const input = events("c1=9 a2=8 b3=7 a4=-6 c5=5 x20=3 a21=0 b22=4 a9=1");
  auto const run = [](auto expiry) {
    return [expiry](stream<event> s) -> stream<std::string> { return processed_by(alarm_clock(), expiry, 2ns)(std::move(s)); };
  };
  check_restored_equals_uninterrupted(input, run(never_expires()));
  check_restored_equals_uninterrupted(input, run(expire_after(6ns)));
}

TEST_CASE("process refuses a state that is not its own") {
  auto const code_of = [](std::vector<std::byte> part) {
    feed<event> in(events("a1"));
    kept_state all = in_time_state();
    all.emplace_back("process", "", std::move(part));
    in.restores(std::move(all));
    return testing::run(drain<std::string>(processed_by(alarm_clock(), never_expires())(in.open()))).code;
  };
  CHECK(code_of(std::vector<std::byte>(3)) == errc::corrupt);
  CHECK(code_of(std::vector<std::byte>(500)) == errc::corrupt);
}

namespace {

struct without_timers {
  using output = std::string;
  using state = alarm_clock::state;
  void element(event const& e, state& s, context_of_texts& c) { c.emit(text(e) + " of " + std::to_string(++s.elements)); }
};

}  // namespace

TEST_CASE("a function that got or lost its timers goes on from the old state, unless timers wait in it") {
  feed<event> old(events("a1=0 a2=0")), waiting(events("a1=5 a2=0"));
  std::vector<kept_state> states;
  for (auto* const f : {&old, &waiting}) {
    f->barrier_at(2);
    stream<std::string> out = processed_by(alarm_clock(), never_expires())(f->open());
    states.push_back(*testing::run(run_to(std::move(out), f->barrier())).state);
  }
  auto const resumed = [](auto function, kept_state const& state) {
    feed<event> rest(events("a3=1 b9=0"));
    rest.restores(state);
    return testing::run(drain<std::string>(processed_by(function, never_expires())(rest.open())));
  };
  CHECK(in_a_line(resumed(without_timers(), states[0]).values) == "a3 of 3 b9 of 1");
  CHECK(resumed(without_timers(), states[1]).code == errc::incompatible);

  feed<event> bare(events("a1 a2"));
  bare.barrier_at(2);
  stream<std::string> out = processed_by(without_timers(), never_expires())(bare.open());
  auto const state = *testing::run(run_to(std::move(out), bare.barrier())).state;
  CHECK(in_a_line(resumed(alarm_clock(), state).values) == "a3 b9 (a4 of 3,1)");
}

// The head of its state speaks for all keys, also for those that did not come again.
TEST_CASE("a function that got or lost its timers restarts as often as it wants") {
  auto const store = std::make_shared<memory_state_store>();
  auto const run = [&](auto function, std::string const& line) {
    std::vector<std::string> out;
    application app(keeping_in(store));
    app.use_memory_stream(testing::script<event>().elements(events(line)), [&](auto& pipeline) {
      pipeline.use_stream([&](stream<event> s, stream_context&) -> task<> {
        auto results = processed_by(function, never_expires())(std::move(s));
        while (auto* const r = co_await results.next()) out.push_back(*r);
      });
    });
    testing::run(app.serve());
    return in_a_line(out);
  };
  CHECK(run(without_timers(), "a1=0 b2=0") == "a1 of 1 b2 of 1");
  CHECK(run(alarm_clock(), "a1=0 b2=0 a3=0") == "a3");
  CHECK(run(alarm_clock(), "a1=0 b2=0 a3=0 b4=0") == "b4");
  CHECK(run(without_timers(), "a1=0 b2=0 a3=0 b4=0 a5=0") == "a5 of 3");
  CHECK(run(without_timers(), "a1=0 b2=0 a3=0 b4=0 a5=0 b6=0") == "b6 of 3");
}

TEST_CASE("process takes elements that cannot be copied, and gives them away") {
  std::vector<std::unique_ptr<int>> in;
  for (int i : {1, 2, 3}) in.push_back(std::make_unique<int>(i));
  auto timed = feed(std::move(in)).open() | event_time([](auto const& p) { return instant{*p}; }, monotonic());
  auto out = std::move(timed) | key_by([](auto const& p) { return *p % 2; }) |
             process<int, std::unique_ptr<int>>([](std::unique_ptr<int> p, int& n, auto& c) { *p += 10 * n++, c.emit(std::move(p)); },
                                                never_expires());
  std::vector<int> got;
  for (auto const& p : all_of<std::unique_ptr<int>>(std::move(out))) got.push_back(*p);
  CHECK(got == std::vector{1, 2, 13});
}

TEST_CASE("a side output is what the function holds") {
  std::vector<std::string> rejected;
  auto const reject = [&rejected](event const& e) { rejected.push_back(text(e)); };
  auto out = in_time(feed(events("a1 b2=-1 a3")).open(), 0ns) | key_by(&event::key) |
             process<int, int>(
                 [reject](event const& e, int& n, auto& c) {
                   if (e.value < 0) return reject(e);
                   c.emit(++n);
                 },
                 never_expires());
  CHECK(all_of<int>(std::move(out)) == std::vector{1, 2});
  CHECK(rejected == std::vector<std::string>{"b2"});
}

TEST_CASE("every element of process is in the ledger, as out") {
  ledger books;
  auto out = in_time(feed(events("a1 b9 a2")).open(), 0ns) | key_by(&event::key) |
             process(alarm_clock(), never_expires()).named("alarms").counted_in(books, "alarms");
  all_of<std::string>(std::move(out));
  CHECK(text(books.sum("alarms")) == "in 3 = out 3");
}

TEST_CASE("process passes an upstream failure on after what came before it") { check_upstream_failure<int>({1, 2}, {1, 2}, passed_on); }

TEST_CASE("process's failing function ends the stream after what came before, and the element it failed for is not done") {
  check_user_failure<int>({1, 2}, passed_on);
}

TEST_CASE("a call that fails gives none of its results") {
  struct fails_in_timer {
    using output = std::string;
    using state = int;
    void element(event const& e, int&, context_of_texts& c) {
      c.emit(text(e));
      c.set_timer(c.later(1ns));
    }
    void timer(instant at, int&, context_of_texts& c) {
      c.emit(time_text(at));
      if (at > 5) throw std::runtime_error("no more");
    }
  };
  auto const got = testing::run(drain<std::string>(processed_by(fails_in_timer(), never_expires())(feed(events("a1 a5 a9")).open())));
  CHECK(in_a_line(got.values) == "a1 a5 2 a9");
  CHECK(got.failure == "no more");
}

TEST_CASE("process that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) { return numbers_processed(std::move(s), hook); });
}

TEST_CASE("process dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) {
    auto in = std::move(s) | event_time([](tracked const& t) { return instant{t.value()}; }, monotonic()) | key_by(&tracked::value);
    return std::move(in) | process<int, tracked>([](tracked t, int&, auto& c) { c.emit(std::move(t)); }, never_expires());
  });
}

TEST_CASE("process does not run ahead of its consumer") {
  check_does_not_run_ahead([](stream<int> s) { return numbers_processed(std::move(s), [](int) {}); }, [](std::size_t n) { return n; });
}
