// What global_window does like every stage: failures, cancellation, dropping, checkpoints; and what it says about itself.
#include <weir/operators/accumulators/collect.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/global_window.hpp>
#include <weir/operators/key_by.hpp>

#include "operators/stage_checks.hpp"
#include "operators/timed_support.hpp"

using namespace weir;
using namespace weir::test;

namespace {

// Numbers that are their own event times, in order.
auto timed_numbers(stream<int> s) {
  return std::move(s) | event_time([](int x) { return instant{x}; }, monotonic());
}
auto count_each(stream<int> s) {
  return timed_numbers(std::move(s)) | global_window(trigger::on_each(), never_expires()) | aggregate(count());
}

}  // namespace

TEST_CASE("global_window passes an upstream failure on after the results that were given") {
  check_upstream_failure<std::string>({1, 2, 30}, {"[1,end)=2/early0"}, [](stream<int> s) {
    return as_text(timed_numbers(std::move(s)) | global_window(trigger::count(2), never_expires()) | aggregate(count()));
  });
}

TEST_CASE("a key function or side output that fails ends the stream, and the element it failed for is not done") {
  check_user_failure<std::string>({"1[1,end)=1/early0", "2[2,end)=1/early0"}, [](stream<int> s) {
    return as_text(timed_numbers(std::move(s)) | key_by([](int x) { return no_three(x); }) |
                   global_window(trigger::on_each(), expire_after(10ns), late::drop()) | aggregate(count()));
  });
  check_user_failure<std::string>({"1[-100,end)=1/early0"}, [](stream<int> s) {
    auto times_back = [](int x) { return instant{-100} * x; };  // 1 is at -100, the others are far behind it
    return as_text(std::move(s) | event_time(times_back, monotonic()) | key_by([](int x) { return x; }) |
                   global_window(trigger::on_each(), expire_after(10ns), late::side_output([](int x) { no_three(x); })) |
                   aggregate(count()));
  });
}

TEST_CASE("global_window that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) {
    return timed_numbers(std::move(s)) | key_by([hook](int x) { return hook(x); }) |
           global_window(trigger::count(3), expire_after(1h), late::drop()) | aggregate(count());
  });
}

TEST_CASE("global_window dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) {
    return std::move(s) | event_time([](tracked const& x) { return instant{x.value()}; }, monotonic()) |
           global_window(trigger::on_each(), expire_after(10ns), late::drop()) | aggregate(collect(&tracked::value));
  });
}

TEST_CASE("global_window does not run ahead of its consumer") {
  check_does_not_run_ahead([](stream<int> s) { return count_each(std::move(s)); }, [](std::size_t n) { return n; });
}

namespace {

// Keys that come and go, elements that are late for all.
std::string const eventful = "a0 b3 a8 c4 a25 b13 a16 c30 b40 a33 a41 c2 b21 c38 a90 b35 a52 a60 c75 b99 a70 c81";

template <class... Args> void check_restarts(Args... args) {
  check_restored_equals_uninterrupted(events(eventful), [&](stream<event> s) -> stream<std::string> {
    return as_text(in_time(std::move(s), 5ns) | key_by(&event::key) | global_window(args...) | aggregate(collect(&event::value)));
  });
}

}  // namespace

TEST_CASE("global windows restored at any point go on as if nothing had happened") {
  check_restarts(trigger::count(3), expire_after(20ns), late::drop());
  check_restarts(trigger::count(3).discarding(), never_expires());
  check_restarts(trigger::every(10ns), expire_after(20ns), late::drop());
  check_restarts(trigger::every(10ns).discarding(), expire_after(20ns), late::drop());
  check_restarts(trigger::every(10ns), never_expires());
  check_restarts(trigger::on_each(), expire_after(20ns), late::drop());
}

TEST_CASE("the books of a global window go on after a restart") {
  ledger books;
  auto const make = [&books](stream<event> s) -> stream<std::string> {
    return as_text(in_time(std::move(s), 5ns) | key_by(&event::key) | global_window(trigger::count(3), expire_after(20ns), late::drop()) |
                   aggregate(count()).counted_in(books, "all"));
  };
  auto const input = events(eventful);
  (void)all_of(make(feed(input).open()));
  tally const whole = books.sum("all");
  CHECK(whole.late > 0);
  CHECK(whole.balanced());
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

namespace {

// Says how many of them there are.
struct counted_state {
  counted_state() { ++alive; }
  counted_state(counted_state const&) { ++alive; }
  counted_state& operator=(counted_state const&) = default;
  ~counted_state() { --alive; }
  static inline int alive = 0;
};
struct counted {
  using state = counted_state;
  void add(state&, event const&, instant) const {}
  void merge(state&, state const&) const {}
  int result(state const&) const { return 0; }
};

}  // namespace

namespace weir {
template <> struct codec<counted_state> {
  static void encode(counted_state const&, std::vector<std::byte>& to) { to.emplace_back(); }
  static counted_state decode(std::span<std::byte const>& from) {
    (void)decode_part<bool>(from);
    return {};
  }
};
}  // namespace weir

namespace {

task<> expire_all(int& most) {
  std::vector<event> input;
  for (int i = 0; i != 1000; ++i) input.emplace_back(std::to_string(i), 3 * i);
  auto out = feed<event>(std::move(input)).open() | event_time(&event::time, monotonic()) | key_by(&event::key) |
             global_window(trigger::count(10), expire_after(10ns), late::drop()) | aggregate(counted());
  while (co_await out.next()) most = std::max(most, counted_state::alive);
  CHECK(counted_state::alive == 0);
}

// What it says when the last of `input` has come.
template <class... Args> task<explanation> explained(std::vector<event> input, Args... args) {
  feed<event> in(std::move(input));
  auto out = in_time(in.stops(), 0ns) | key_by(&event::key) | global_window(args...) | aggregate(count()).named("clicks");
  while (co_await out.next()) {}
  co_return out.explain();
}
std::string shown(open_window const& w) {
  return w.operator_name + " " + text(time_window(w.start, w.end)) + " keys " + std::to_string(w.keys) + " elements " +
         std::to_string(w.elements) + " closes " + time_text(w.closes) + " w" + std::to_string(w.watermark);
}

}  // namespace

TEST_CASE("what a global window has kept of a key is gone when it has expired") {
  int most = 0;
  testing::run(expire_all(most));
  CHECK(most > 0);
  CHECK(most < 20);  // of 1,000: those of the last 10 ns
}

TEST_CASE("global_window explains which keys it has and when they expire, in a few lines when they are thousands") {
  explanation const few = testing::run(explained(events("a0 b6 a12 c18"), trigger::on_each(), expire_after(15ns), late::drop()));
  REQUIRE(few.windows.size() == 3);
  CHECK(shown(few.windows[0]) == "clicks [6,21) keys 1 elements 1 closes 21 w17");
  CHECK(shown(few.windows[1]) == "clicks [0,27) keys 1 elements 2 closes 27 w17");
  CHECK(shown(few.windows[2]) == "clicks [18,33) keys 1 elements 1 closes 33 w17");
  std::vector<event> input;
  for (int i = 0; i != 3000; ++i) input.emplace_back(std::to_string(i), i);
  explanation const many = testing::run(explained(input, trigger::on_each(), never_expires()));
  REQUIRE(many.windows.size() == 17);
  CHECK(shown(many.windows[0]) == "clicks [0,end) keys 1 elements 1 closes end w2998");
  CHECK(shown(many.windows[16]) == "2984 more keys of clicks [16,end) keys 2984 elements 2984 closes end w2998");
  CHECK(many.text().size() < 5000);
}
