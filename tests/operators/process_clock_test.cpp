// Timers of `process` by the clock, in virtual time.
#include <weir/operators/key_by.hpp>
#include <weir/operators/process.hpp>
#include <weir/testing/script.hpp>

#include "operators/timed_support.hpp"

using namespace weir;
using namespace weir::test;
using weir::testing::script;

namespace {

using context_of_texts = process_context<std::string, std::string>;
constexpr instant begin = 1'704'067'200'000'000'000;  // of the virtual clock
std::string seconds(instant t) { return std::to_string((t - begin) / 1'000'000'000); }
// Of key, `after` seconds behind the beginning, and the seconds its timer waits.
event at(std::string key, int after, int waits = 0) { return event(std::move(key), begin + after * 1'000'000'000LL, waits); }

// Tells when it was called, by the clock, and for which time.
struct reminder {
  using output = std::string;
  struct state {
    int elements = 0;
    instant last = 0;
  };
  void element(event const& e, state& s, context_of_texts& c) {
    ++s.elements;
    if (e.value > 0) s.last = c.set_processing_timer(std::chrono::seconds(e.value));
    if (e.value < 0) c.cancel_processing_timer(s.last);
    c.emit(c.key() + "@" + seconds(c.now()));
  }
  void processing_timer(instant at, state& s, context_of_texts& c) {
    c.emit("(" + c.key() + " of " + std::to_string(s.elements) + " for " + seconds(at) + "@" + seconds(c.now()) + ")");
  }
};
template <class Expiry = never_expires> auto reminded(stream<event> s, Expiry expiry = Expiry()) {
  return in_time(std::move(s), 0ns) | key_by(&event::key) | process(reminder(), expiry);
}
std::string told(script<event> const& s) { return in_a_line(all_of<std::string>(reminded(s.play()))); }

}  // namespace

TEST_CASE("a processing-time timer fires with the first element that comes when its time has passed, before it") {
  CHECK(told(script<event>().element(at("a", 0, 5)).wait(4s).element(at("b", 4)).wait(3s).element(at("b", 7))) ==
        "a@0 b@4 (a of 1 for 5@7) b@7");
}

TEST_CASE("a processing-time timer fires on a quiet stream, as precisely as its source says that it is quiet") {
  CHECK(told(script<event>().element(at("a", 0, 5)).quiet(8s, 1s).element(at("b", 9))) == "a@0 (a of 1 for 5@5) b@8");
  CHECK(told(script<event>().element(at("a", 0, 5)).quiet(8s, 4s).element(at("b", 9))) == "a@0 (a of 1 for 5@8) b@8");
}

TEST_CASE("processing-time timers fire in the order of their times, for one time in the order in which their keys were first seen") {
  CHECK(told(script<event>()
                 .elements({at("a", 0, 9), at("b", 0, 5), at("c", 0, 7), at("b", 0, 9), at("a", 0, 5)})
                 .wait(20s)
                 .element(at("d", 20))) ==
        "a@0 b@0 c@0 b@0 a@0 (a of 2 for 5@20) (b of 2 for 5@20) (c of 1 for 7@20) (a of 2 for 9@20) (b of 2 for 9@20) d@20");
}

TEST_CASE("a processing-time timer that was taken back does not fire") {
  CHECK(told(script<event>().element(at("a", 0, 5)).element(at("a", 0, -1)).wait(6s).element(at("b", 6))) == "a@0 a@0 b@6");
}

TEST_CASE("processing-time timers do not fire when the data ends") {
  CHECK(told(script<event>().element(at("a", 0, 5)).wait(3s)) == "a@0");
  CHECK(told(script<event>().element(at("a", 0, 5)).wait(6s)) == "a@0 (a of 1 for 5@6)");  // the end is a watermark, and it was due
}

namespace {

struct heartbeat_of_key {
  using output = std::string;
  using state = int;
  void element(event const&, int&, context_of_texts& c) { c.set_processing_timer(2s); }
  void processing_timer(instant at, int& n, context_of_texts& c) {
    c.emit(c.key() + std::to_string(++n) + "@" + seconds(at));
    c.set_processing_timer(2s);
  }
};

}  // namespace

TEST_CASE("a processing-time timer may set the next one, and does not prolong its key's life") {
  auto const beats = [](auto expiry) {
    auto in = in_time(script<event>().element(at("a", 0)).quiet(9s, 1s).play(), 0ns) | key_by(&event::key);
    return in_a_line(all_of<std::string>(std::move(in) | process(heartbeat_of_key(), expiry)));
  };
  CHECK(beats(never_expires()) == "a1@2 a2@4 a3@6 a4@8");
  CHECK(beats(expire_after(5s)) == "a1@2 a2@4 a3@6");  // event time passes 5 with the mark at 6, behind the timer
}

TEST_CASE("a processing-time timer's results have the watermark as their event time, or the key's latest time") {
  timed_stream<std::string> out =
      reminded(script<event>().element(at("a", 0, 2)).quiet(2s, 1s).element(at("a", 9, 1)).wait(1s).element(at("b", 9)).play());
  auto const shown = testing::run(show<std::string>(std::move(out)));
  CHECK(shown.find("(a of 1 for 2@2)@" + std::to_string(begin + 1'000'000'000 - 1)) != std::string::npos);
  CHECK(shown.find("(a of 2 for 3@3)@" + std::to_string(begin + 9'000'000'000)) != std::string::npos);
}

TEST_CASE("a delay that is none is the shortest, and does not fire in the same breath") {
  struct restless {
    using output = std::string;
    using state = int;
    void element(event const&, int&, context_of_texts& c) { c.set_processing_timer(-5s); }
    void processing_timer(instant, int& n, context_of_texts& c) {
      c.emit(std::to_string(++n));
      c.set_processing_timer(0s);
    }
  };
  auto in = in_time(script<event>().element(at("a", 0)).quiet(3s, 1s).play(), 0ns) | key_by(&event::key);
  CHECK(in_a_line(all_of<std::string>(std::move(in) | process(restless(), never_expires()))) == "1 2 3");
}

TEST_CASE("processing-time timers keep their time over a restart") {
  feed<event> first({at("a", 0, 5), at("b", 0, 3)});
  first.barrier_at(2);
  auto const got = testing::run(run_to(stream<std::string>(reminded(first.open())), first.barrier()));
  REQUIRE(got.state);
  auto const resumed = [](kept_state state) -> stream<event> {
    restored_state s(std::move(state));
    co_yield mark::restore(s);
    co_await sleep_for(2s);
    co_yield at("c", 2);
    co_await sleep_for(2s);
    co_yield at("c", 4);
    co_await sleep_for(2s);
    co_yield at("c", 6);
  };
  CHECK(in_a_line(all_of<std::string>(reminded(resumed(*got.state)))) == "c@2 (b of 1 for 3@4) c@4 (a of 1 for 5@6) c@6");
}
