// What session_window does like every stage: failures, cancellation, dropping, checkpoints; and what it says about itself.
#include <weir/operators/accumulators/collect.hpp>
#include <weir/operators/session_window.hpp>

#include "operators/session_support.hpp"
#include "operators/stage_checks.hpp"

using namespace weir;
using namespace weir::test;

namespace {

// Numbers that are their own event times, in order.
auto timed_numbers(stream<int> s) {
  return std::move(s) | event_time([](int x) { return instant{x}; }, monotonic());
}
template <class Emission> auto sessions(stream<int> s, Emission e) {
  return timed_numbers(std::move(s)) | session_window(10ns, late::drop(), std::move(e)) | aggregate(count());
}

}  // namespace

TEST_CASE("session_window passes an upstream failure on after the sessions that had fired") {
  check_upstream_failure<std::string>({1, 2, 30}, {"[1,12)=2"},
                                      [](stream<int> s) { return as_said(sessions(std::move(s), emit::final())); });
}

TEST_CASE("a key function, accumulator or side output that fails ends the stream, and the element it failed for is not done") {
  check_user_failure<std::string>({"1[1,2)=1/early0", "2[2,3)=1/early0"}, [](stream<int> s) {
    return as_said(timed_numbers(std::move(s)) | key_by([](int x) { return no_three(x); }) |
                   session_window(1ns, late::drop(), emit::on_each()) | aggregate(count()));
  });
  struct no_three_in {
    using state = std::uint64_t;
    void add(state& n, int x, instant) const {
      no_three(x);
      ++n;
    }
    void merge(state& n, state m) const { n += m; }
    std::uint64_t result(state n) const { return n; }
  };
  check_user_failure<std::string>({"[1,2)=1/early0", "[2,3)=1/early0"}, [](stream<int> s) {
    return as_said(timed_numbers(std::move(s)) | session_window(1ns, late::drop(), emit::on_each()) | aggregate(no_three_in()));
  });
  check_user_failure<std::string>({}, [](stream<int> s) {
    auto times_back = [](int x) { return instant{-100} * x; };  // 1 is at -100, the others are late
    return as_said(std::move(s) | event_time(times_back, monotonic()) | session_window(1ns, late::side_output([](int x) { no_three(x); })) |
                   aggregate(count()));
  });
}

TEST_CASE("session_window that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) {
    return timed_numbers(std::move(s)) | key_by([hook](int x) { return hook(x); }) | session_window(10ns, late::drop()) |
           aggregate(count());
  });
}

TEST_CASE("session_window dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) {
    return std::move(s) | event_time([](tracked const& x) { return instant{x.value()}; }, monotonic()) |
           session_window(10ns, late::update(10ns), emit::on_each()) | aggregate(collect(&tracked::value));
  });
}

TEST_CASE("session_window does not run ahead of its consumer") {
  // The first element gives a result, each further one a retraction and a result.
  check_does_not_run_ahead([](stream<int> s) { return sessions(std::move(s), emit::on_each()); }, [](std::size_t n) { return 1 + n / 2; });
}

namespace {

// Sessions that grow, are bridged, fire together, are updated after that, and elements that are late for all.
std::string const eventful = "a0 b3 a8 c4 a25 b13 a16 c30 b40 a33 a41 c2 b21 c38 a90 b35 a52 a60 c75 b99 a70 c81";

template <class Late, class Emission> void check_restarts(Late late, Emission e) {
  check_restored_equals_uninterrupted(
      events(eventful), [&](stream<event> s) -> stream<std::string> { return as_said(count_sessions(std::move(s), 5ns, late, e)); });
}

}  // namespace

TEST_CASE("sessions restored at any point go on as if nothing had happened") {
  check_restarts(late::drop(), emit::final());
  check_restarts(late::update(15ns), emit::final());
  check_restarts(late::drop(), emit::on_each());
  check_restarts(late::update(15ns), emit::on_each());
  check_restarts(late::update(15ns), emit::early(7ns));
  check_restored_equals_uninterrupted(events(eventful), [](stream<event> s) -> stream<std::string> {
    return as_said(in_time(std::move(s), 5ns) | session_window(10ns, late::update(15ns)) | aggregate(collect(&event::value)));
  });
}

TEST_CASE("the books go on after a restart") {
  ledger books;
  auto const make = [&books](stream<event> s) -> stream<std::string> {
    return as_said(in_time(std::move(s), 5ns) | key_by(&event::key) | session_window(10ns, late::update(15ns)) |
                   aggregate(count()).counted_in(books, "all"));
  };
  (void)all_of(make(feed(events(eventful)).open()));
  tally const whole = books.sum("all");
  CHECK(whole.late > 0);
  CHECK(whole.balanced());
  auto const input = events(eventful);
  for (std::size_t at = 1; at != input.size(); ++at) {
    CAPTURE(at);
    feed<event> first(input);
    first.barrier_at(at);
    auto const got = testing::run(run_to(make(first.open()), first.barrier()));
    REQUIRE(got.state);
    feed<event> rest(std::vector<event>(input.begin() + static_cast<std::ptrdiff_t>(at), input.end()));
    (void)all_of(make(rest.restores(*got.state).open()));
    CHECK(books.sum("all") == whole);
  }
}

TEST_CASE("session_window refuses the state of other windows") {
  feed<event> first(events("a0 b5 a20"));
  first.barrier_at(2);
  auto const written = testing::run(run_to(as_said(count_sessions(first.open(), 5ns, late::drop())), first.barrier()));
  REQUIRE(written.state);
  auto const restored = [&](auto window) {
    feed<event> rest(events("a20"));
    rest.restores(*written.state);
    auto out = in_time(rest, 5ns) | key_by(&event::key) | std::move(window) | aggregate(count());
    return testing::run(drain<std::string>(as_said(std::move(out)))).code;
  };
  CHECK(restored(session_window(10ns, late::drop())) == std::error_code());
  CHECK(restored(session_window(11ns, late::drop())) == errc::incompatible);
  CHECK(restored(session_window(10ns, late::drop(), emit::on_each())) == errc::incompatible);
  CHECK(restored(session_window(10ns, late::update(5ns))) == errc::incompatible);
}

namespace {

// What it says when the last of `input` has come.
task<explanation> explained(std::vector<event> input, ns bound, std::string name) {
  feed<event> in(std::move(input));
  auto out = in_time(in.stops(), bound) | key_by(&event::key) | session_window(10ns, late::update(15ns)) | aggregate(count()).named(name);
  while (co_await out.next()) {}
  co_return out.explain();
}
std::string shown(open_window const& w) {
  return w.operator_name + " " + text(time_window(w.start, w.end)) + " keys " + std::to_string(w.keys) + " elements " +
         std::to_string(w.elements) + (w.fired ? " fired, closes " : " closes ") + std::to_string(w.closes) + " w" +
         std::to_string(w.watermark);
}

}  // namespace

//      0         10  14  18  24  28            w: 17
//   a  x---------)...............|             has fired, is kept until 25
//   b        6---x-------)                     is open until 22
//   c                     x------)             is open
TEST_CASE("session_window explains which sessions are open, until when, and which are kept") {
  explanation const e = testing::run(explained(events("a0 b6 b12 c18"), 0ns, "visits"));
  REQUIRE(e.windows.size() == 3);
  CHECK(shown(e.windows[0]) == "visits [0,10) keys 1 elements 1 fired, closes 25 w17");
  CHECK(shown(e.windows[1]) == "visits [6,22) keys 1 elements 2 closes 37 w17");
  CHECK(shown(e.windows[2]) == "visits [18,28) keys 1 elements 1 closes 43 w17");
  CHECK(testing::run(explained(events("a0 b50"), 0ns, "")).windows.size() == 1);
}

TEST_CASE("session_window explains thousands of open sessions in a few lines that say how many they are") {
  std::vector<event> input;
  for (int i = 0; i != 3000; ++i) input.emplace_back(std::to_string(i % 1000), 20 * i);
  explanation const e = testing::run(explained(input, 1s, "visits"));
  REQUIRE(e.windows.size() == 17);
  CHECK(shown(e.windows[0]) == "visits [0,10) keys 1 elements 1 closes 25 w-999940021");
  CHECK(shown(e.windows[15]) == "visits [300,310) keys 1 elements 1 closes 325 w-999940021");
  CHECK(shown(e.windows[16]) == "2984 more sessions of visits [320,59990) keys 1000 elements 2984 closes 60005 w-999940021");
  CHECK(e.text().size() < 5000);
  CHECK(testing::run(explained(input, 1s, "")).windows[16].operator_name == "2984 more sessions");
}
