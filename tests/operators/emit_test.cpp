#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/emit.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/tumbling_window.hpp>

#include "operators/stage_checks.hpp"
#include "operators/timed_support.hpp"
#include "support/fails_with.hpp"

using namespace weir;
using namespace weir::test;

namespace {

// Counts per key in windows of 20 ns of times that rise.
template <class Emission, class Late = late::drop> auto counts(stream<event> s, Emission when, Late policy = Late()) {
  return in_time(std::move(s), 0ns) | key_by(&event::key) | tumbling_window(20ns, policy, when) | aggregate(count());
}
template <class Emission, class Late = late::drop> std::string counted(std::string const& line, Emission when, Late policy = Late()) {
  return same_for_all_chunkings(events(line), [&](stream<event> s) { return counts(std::move(s), when, policy); });
}

auto early_numbers(stream<int> s) {
  return std::move(s) | event_time([](int x) { return instant{x}; }, monotonic()) | tumbling_window(20ns, late::drop(), emit::early(5ns)) |
         aggregate(count());
}

}  // namespace

//      0    5    10   15   20
//      |a a |a b |a   |    | a      the watermark follows one behind: a6 takes it to 5, a11 to 10, a21 to 20
TEST_CASE("final windows give one result for each key, early ones also at each multiple of their period that the watermark passes") {
  CHECK(counted("a1 a3 a6 b7 a11 a21", emit::final()) == "a[0,20)=4 b[0,20)=1 a[20,40)=1");
  CHECK(counted("a1 a3 a6 b7 a11 a21", emit::early(5ns)) ==
        "a[0,20)=3/early0 a[0,20)=4/early1 b[0,20)=1/early0 a[0,20)=4/on_time2 b[0,20)=1/on_time1 a[20,40)=1/early0 "
        "a[20,40)=1/on_time1");  // 20 is a multiple of 5 too
}

TEST_CASE("an early result is given only for keys that have changed since their last") {
  CHECK(counted("a1 b2 a6 b11 b16", emit::early(5ns)) ==
        "a[0,20)=2/early0 b[0,20)=1/early0 b[0,20)=2/early1 b[0,20)=3/early2 a[0,20)=2/on_time1 b[0,20)=3/on_time3");
}

TEST_CASE("a watermark that passes several multiples gives one early result, and none for windows it closes") {
  CHECK(counted("a1 a2 a18", emit::early(5ns)) == "a[0,20)=3/early0 a[0,20)=3/on_time1");
  CHECK(counted("a1 a2 a43", emit::early(5ns)) == "a[0,20)=2 a[40,60)=1/early0 a[40,60)=1/on_time1");
}

// The watermark has been at 41 since a42. b43 takes it to 42, which passes no multiple of 5; c46 takes it to 45.
//      0         20        40   45
//      | a       |         | ab |c
TEST_CASE("after a time without windows, early results wait for the next multiple") {
  CHECK(counted("a1 a42 b43 c46", emit::early(5ns)) ==
        "a[0,20)=1 a[40,60)=1/early0 b[40,60)=1/early0 c[40,60)=1/early0 a[40,60)=1/on_time1 b[40,60)=1/on_time1 c[40,60)=1/on_time1");
}

//     -17        3    8    13   18   23      offset 3, windows of 20
//      |       a |a a |a
TEST_CASE("the multiples of the early period lie as the windows do") {
  auto run = [](stream<event> s) {
    return in_time(std::move(s), 0ns) | tumbling_window(20ns, late::drop(), emit::early(5ns)).offset(3ns) | aggregate(count());
  };
  // The watermark after a5 is 4: [-17, 3) has fired, and 3 is passed for a5 too. After a8 it is 7; after a9 it is 8.
  CHECK(same_for_all_chunkings(events("a1 a5 a8 a9"), run) == "[-17,3)=1 [3,23)=1/early0 [3,23)=3/early1 [3,23)=3/on_time2");
}

TEST_CASE("early results of a quiet stream come with the clock") {
  auto source = []() -> stream<int> {
    co_yield 1;
    co_yield 2;
    for (int quiet : {1, 4, 5, 30}) co_yield mark::idle(ns(quiet));
    co_yield mark::stop();
  };
  // The time is 2 + quiet, the watermark 1 less: 2, 5, 6, 31.
  CHECK(in_a_line(all_of(as_text(early_numbers(source())))) == "[0,20)=2/early0 [0,20)=2/on_time1");
}

// The result of a21 comes before those of the windows which the watermark behind it closes.
TEST_CASE("on_each gives a result after each element, and the last one when the window closes") {
  CHECK(counted("a1 b3 a6 a21", emit::on_each()) ==
        "a[0,20)=1/early0 b[0,20)=1/early0 a[0,20)=2/early1 a[20,40)=1/early0 a[0,20)=2/on_time2 b[0,20)=1/on_time1 a[20,40)=1/on_time1");
}

TEST_CASE("on_each of sliding windows gives a result for each window the element is in") {
  auto run = [](stream<event> s) {
    return in_time(std::move(s), 0ns) | sliding_window(10ns, 5ns, late::drop(), emit::on_each()) | aggregate(count());
  };
  CHECK(same_for_all_chunkings(events("a3 a7"), run) ==
        "[-5,5)=1/early0 [0,10)=1/early0 [0,10)=2/early1 [5,15)=1/early0 [-5,5)=1/on_time1 [0,10)=2/on_time2 [5,15)=1/on_time1");
}

TEST_CASE("early sliding windows give early results for every window that is open") {
  auto run = [](stream<event> s) {
    return in_time(std::move(s), 0ns) | sliding_window(10ns, 5ns, late::drop(), emit::early(2ns)) | aggregate(count());
  };
  // After a3 the watermark is 2 (the first passes nothing); after a4 3; after a7 6.
  CHECK(same_for_all_chunkings(events("a3 a4 a7"), run) == "[-5,5)=2 [0,10)=3/early0 [5,15)=1/early0 [0,10)=3/on_time1 [5,15)=1/on_time1");
}

TEST_CASE("with late::update, late results go on counting revisions behind early ones") {
  CHECK(counted("a1 a6 a21 a5 a28", emit::early(5ns), late::update(10ns)) ==
        "a[0,20)=2/early0 a[0,20)=2/on_time1 a[20,40)=1/early0 a[0,20)=3/late2 a[20,40)=2/early1 a[20,40)=2/on_time2");
  CHECK(counted("a1 a21 a5", emit::on_each(), late::update(10ns)) ==
        "a[0,20)=1/early0 a[20,40)=1/early0 a[0,20)=1/on_time1 a[0,20)=2/late2 a[20,40)=1/on_time1");
}

TEST_CASE("early results have the last instant of their window as time, and come before the watermark that gave them") {
  feed<int> in({1, 3, 6});
  timed_stream<std::string> out = early_numbers(in.chunks(1).open()) | map([](auto const& r) { return text(r); });
  CHECK(testing::run(show(std::move(out))) == "w0 w2 [0,20)=3/early0@19 w5 [0,20)=3/on_time1@19 w-end");
}

TEST_CASE("windows with early results pass an upstream failure on after what came before") {
  auto texts = [](stream<int> s) { return as_text(early_numbers(std::move(s))); };
  check_upstream_failure<std::string>(numbers(0, 13), {"[0,20)=2/early0", "[0,20)=7/early1", "[0,20)=12/early2"}, texts);
}

TEST_CASE("windows with early results that are cancelled end at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) {
    return std::move(s) | event_time([](int x) { return instant{x}; }, monotonic()) | key_by([hook](int x) { return hook(x); }) |
           tumbling_window(10ns, late::drop(), emit::on_each()) | aggregate(count());
  });
}

TEST_CASE("windows with early results dropped half-way destroy what they hold") {
  auto time = [](tracked const& x) { return instant{x.value()}; };
  check_early_drop([&](stream<tracked> s) {
    return std::move(s) | event_time(time, monotonic()) | tumbling_window(50ns, late::drop(), emit::early(2ns)) | aggregate(keeps());
  });
  check_early_drop([&](stream<tracked> s) {
    return std::move(s) | event_time(time, monotonic()) | tumbling_window(50ns, late::drop(), emit::on_each()) | aggregate(keeps());
  });
}

TEST_CASE("windows with early results do not run ahead of their consumer") {
  // The n-th early result, at the watermark 5 (n - 1), needs the element one behind it.
  check_does_not_run_ahead([](stream<int> s) { return early_numbers(std::move(s)); }, [](std::size_t n) { return 5 * (n - 1) + 2; });
  check_does_not_run_ahead(
      [](stream<int> s) {
        return std::move(s) | event_time([](int x) { return instant{x}; }, monotonic()) |
               tumbling_window(20ns, late::drop(), emit::on_each()) | aggregate(count());
      },
      [](std::size_t n) { return n; });
}

TEST_CASE("windows with early results go on after a restart, from every place and in every chunking") {
  auto const input = events("a1 b2 a6 b11 b16 a5 b21 a7 a42 b43 c46 a44 a61");
  check_restored_equals_uninterrupted(input, [](stream<event> s) { return as_text(counts(std::move(s), emit::early(5ns))); });
  check_restored_equals_uninterrupted(input, [](stream<event> s) { return as_text(counts(std::move(s), emit::on_each())); });
  check_restored_equals_uninterrupted(input,
                                      [](stream<event> s) { return as_text(counts(std::move(s), emit::early(3ns), late::update(10ns))); });
  check_restored_equals_uninterrupted(input, [](stream<event> s) {
    return as_text(in_time(std::move(s), 2ns) | key_by(&event::key) | sliding_window(10ns, 4ns, late::update(5ns), emit::early(3ns)) |
                   aggregate(count()));
  });
}

TEST_CASE("an early period is between 1 ns and 20 years") {
  fails_with(errc::invalid_option, [] { (void)emit::early(0ns); }, "emit::early", "its period is 0 ns");
  fails_with(errc::invalid_option, [] { (void)emit::early(-5ns); }, "its period");
  fails_with(errc::invalid_option, [] { (void)emit::early(ns::max()); }, "up to 20 years");
  CHECK(counted("a1 a7", emit::early(24h * 365 * 20)) == "a[0,20)=2");
}
