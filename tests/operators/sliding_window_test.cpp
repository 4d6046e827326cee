#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/window.hpp>

#include "operators/stage_checks.hpp"
#include "operators/timed_support.hpp"
#include "support/fails_with.hpp"

using namespace weir;
using namespace weir::test;

namespace {

// Elements per key in windows of 10 ns every 5 ns, at most 2 ns out of order. Two ways lead there: slices, and one table per window, which
// is what a late policy that updates asks for.
auto sliced(stream<event> s) {
  return in_time(std::move(s), 2ns) | key_by(&event::key) | sliding_window(10ns, 5ns, late::drop()) | aggregate(count());
}
auto whole(stream<event> s) {
  return in_time(std::move(s), 2ns) | key_by(&event::key) | sliding_window(10ns, 5ns, late::update(0ns)) | aggregate(count());
}
std::string counted(std::string const& line) {
  std::string const out = same_for_all_chunkings(events(line), sliced);
  CHECK(same_for_all_chunkings(events(line), whole) == out);
  return out;
}
// Windows of `size` every `slide` over all of the data, which may be in any order.
std::string counted(std::string const& line, ns size, ns slide, ns offset = 0ns) {
  return same_for_all_chunkings(events(line), [&](stream<event> s) {
    return in_time(std::move(s), 1000ns) | key_by(&event::key) | sliding_window(size, slide, late::drop()).offset(offset) |
           aggregate(count());
  });
}

stream<std::string> count_numbers(stream<int> s) {
  return as_text(std::move(s) | event_time([](int x) { return instant{x}; }, monotonic()) | sliding_window(10ns, 5ns, late::drop()) |
                 aggregate(count()));
}
stream<std::string> count_whole_numbers(stream<int> s) {
  return as_text(std::move(s) | event_time([](int x) { return instant{x}; }, monotonic()) | sliding_window(10ns, 5ns, late::update(0ns)) |
                 aggregate(count()));
}

}  // namespace

//     -5    0     5     10    15    20
//      | a a      | a   |  b  |     |
//      |----------|                      a 1
//            |----------|                a 2
//                 |-----------|          a 1, b 1
//                       |-----------|    b 1
TEST_CASE("sliding windows count each key's elements in every window they are in") {
  CHECK(counted("a1 a7 b12") == "a[-5,5)=1 a[0,10)=2 a[5,15)=1 b[5,15)=1 b[10,20)=1");
}

//     -4        0   3 5   6    10       14
//      |----------------|                        a3, a5
//               |---------------|                a3, a5
//                     4 |----------------|       a5
TEST_CASE("sliding windows may start at distances that do not divide their size") {
  CHECK(counted("a3 a5", 10ns, 4ns) == "a[-4,6)=2 a[0,10)=2 a[4,14)=1");
  CHECK(counted("a9", 10ns, 4ns) == "a[0,10)=1 a[4,14)=1 a[8,18)=1");
  CHECK(counted("a7", 7ns, 3ns) == "a[3,10)=1 a[6,13)=1");
}

TEST_CASE("sliding windows as far apart as they are large are tumbling windows") {
  CHECK(counted("a1 b4 a6 c14 a17 b35", 10ns, 10ns) == "a[0,10)=2 b[0,10)=1 c[10,20)=1 a[10,20)=1 b[30,40)=1");
}

TEST_CASE("an offset moves all sliding windows, and they lie in the same way before the epoch") {
  CHECK(counted("a1 a-7", 10ns, 5ns, 2ns) == "a[-13,-3)=1 a[-8,2)=2 a[-3,7)=1");
  CHECK(counted("a-1", 10ns, 5ns) == "a[-10,0)=1 a[-5,5)=1");
}

//      0     5     10    15    20    25    30    35
//      | a         |     |     |     |   a |
TEST_CASE("sliding windows without elements do not exist") {
  CHECK(counted("a1 a28") == "a[-5,5)=1 a[0,10)=1 a[20,30)=1 a[25,35)=1");
  CHECK(counted("").empty());
}

// a11 comes with the watermark at 16 - 2 - 1 = 13: of its windows [5, 15) and [10, 20) both are open; of a8's [0, 10) is closed; a3 is too
// late for both of its.
//      0     5     10    15    20    25
//      |  a  |  a  |a    |a    |
TEST_CASE("an element is late for some sliding windows and in time for others, and counts once for each") {
  ledger books;
  std::vector<std::string> missed;
  auto run = [&](stream<event> s) {
    return in_time(std::move(s), 2ns) | key_by(&event::key) |
           sliding_window(10ns, 5ns, late::side_output([&](event const& e, lateness const& l) {
                            missed.push_back(text(e) + " for " + text(l.window) + " at " + text(l.watermark));
                          })) |
           aggregate(count()).counted_in(books, "all");
  };
  CHECK(in_a_line(all_of(as_text(run(feed(events("a16 a11 a8 a3")).open())))) == "a[5,15)=2 a[10,20)=2 a[15,25)=1");
  CHECK(missed == std::vector<std::string>{"a8 for [0,10) at 13", "a3 for [-5,5) at 13", "a3 for [0,10) at 13"});
  CHECK(text(books.sum("all")) == "in 8 = out 5 + late 3");
}

//      0     5     10    15    20
//      |   a |     |b    |           come as b11, a4: at the end [0, 10) has a, [5, 15) has b
//      |     | a   |b    |           come as b11, a9: [5, 15) has both
TEST_CASE("keys of a sliding window that fires once come slice by slice, else in the order in which they came") {
  CHECK(same_for_all_chunkings(events("b11 a9"), sliced) == "a[0,10)=1 a[5,15)=1 b[5,15)=1 b[10,20)=1");
  CHECK(same_for_all_chunkings(events("b11 a9"), whole) == "a[0,10)=1 b[5,15)=1 a[5,15)=1 b[10,20)=1");
}

TEST_CASE("sliding windows fire before the watermark that reached their end, with their last instant as time") {
  for (auto const make : {count_numbers, count_whole_numbers}) {
    feed<int> in({1, 7, 12});
    stream<std::string> out = make(in.chunks(1).open());
    CHECK(testing::run(show<std::string>(std::move(out))) == "w0 [-5,5)=1@4 w6 [0,10)=2@9 w11 [5,15)=2@14 [10,20)=1@19 w-end");
  }
}

TEST_CASE("sliding windows pass an upstream failure on after what came before it; what is open is not given") {
  check_upstream_failure<std::string>(numbers(0, 13), {"[-5,5)=5", "[0,10)=10"}, count_numbers);
  check_upstream_failure<std::string>(numbers(0, 13), {"[-5,5)=5", "[0,10)=10"}, count_whole_numbers);
}

TEST_CASE("a key that fails ends the stream after the sliding windows which fired before") {
  auto times = [](int x) { return instant{10 * x}; };
  check_user_failure<std::string>({"1[6,12)=1", "1[9,15)=1"}, [&](stream<int> s) {
    return as_text(std::move(s) | event_time(times, monotonic()) | key_by(no_three) | sliding_window(6ns, 3ns, late::drop()) |
                   aggregate(count()));
  });
  check_user_failure<std::string>({"1[6,12)=1", "1[9,15)=1"}, [&](stream<int> s) {
    return as_text(std::move(s) | event_time(times, monotonic()) | key_by(no_three) | sliding_window(6ns, 3ns, late::update(0ns)) |
                   aggregate(count()));
  });
}

TEST_CASE("sliding windows that are cancelled end at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) {
    return std::move(s) | event_time([](int x) { return instant{x}; }, monotonic()) | key_by([hook](int x) { return hook(x); }) |
           sliding_window(10ns, 5ns, late::drop()) | aggregate(count());
  });
}

TEST_CASE("sliding windows dropped half-way destroy what they hold") {
  auto time = [](tracked const& x) { return instant{x.value()}; };
  check_early_drop([&](stream<tracked> s) {
    return std::move(s) | event_time(time, monotonic()) | sliding_window(5ns, 2ns, late::drop()) | aggregate(keeps());
  });
  check_early_drop([&](stream<tracked> s) {
    return std::move(s) | event_time(time, monotonic()) | sliding_window(5ns, 2ns, late::update(0ns)) | aggregate(keeps());
  });
}

// [-5, 5) needs the element 6, which says that there is no other 4; and so on, every 5.
TEST_CASE("sliding windows do not run ahead of their consumer") {
  check_does_not_run_ahead(count_numbers, [](std::size_t n) { return 5 * n + 2; });
  check_does_not_run_ahead(count_whole_numbers, [](std::size_t n) { return 5 * n + 2; });
}

//      0     5     10    15    20    25    30    35
//      |a  b | a   |a a  |c b  |     |c    |a  b |      late: c8, for one window
TEST_CASE("sliding windows go on after a restart as if there had been none, from every place and in every chunking") {
  auto const input = events("a1 b4 a7 a11 a13 c8 b15 a9 c25 a31 b34");
  check_restored_equals_uninterrupted(input, [](stream<event> s) { return as_text(sliced(std::move(s))); });
  check_restored_equals_uninterrupted(input, [](stream<event> s) { return as_text(whole(std::move(s))); });
  check_restored_equals_uninterrupted(numbers(0, 25), count_numbers);
}

TEST_CASE("all sliding windows of the end of the data are handed on before the end, however many") {
  for (std::size_t const n : chunkings) {
    auto batches = feed<int>(numbers(0, 500)).chunks(n).open() | event_time([](int x) { return instant{x}; }, bounded_disorder(2000ns)) |
                   sliding_window(2ns, 1ns, late::drop()) | aggregate(count()) |
                   map([](auto const& r) { return static_cast<int>(r.value); }) | window(300);
    auto const got = all_of<std::vector<int>>(std::move(batches));
    REQUIRE(got.size() == 2);  // 501 windows
    CHECK(got[1].size() == 201);
  }
}

TEST_CASE("the state of a slice is gone with the last window it is in") {
  REQUIRE(tracked::alive == 0);
  auto body = [](std::size_t chunk) -> task<> {
    auto out = feed<int>(numbers(0, 500)).chunks(chunk).open() | event_time([](int x) { return instant{x}; }, monotonic()) |
               sliding_window(10ns, 5ns, late::drop()) | aggregate(keeps());
    while (auto const* const r = co_await out.next()) {
      // The result of [s, s + 10) comes with the element s + 11, or at the end: what is from before s + 5 is gone.
      instant const last = r->window.end + 1 < 500 ? r->window.end + 1 : 499;
      if (last < 499) CHECK(tracked::alive == last - std::max<instant>(r->window.start + 5, 0) + 1);
      else CHECK(tracked::alive == 0);
    }
  };
  testing::run(body(0));
  testing::run(body(1));
}

//      0     5     10    15    20
//      |  a  | b   | a   |           the watermark is at 8: [0, 10), [5, 15) and [10, 20) wait
TEST_CASE("explain names each sliding window that waits, with its elements") {
  for (auto const make : {+[](stream<event> s) { return stream<window_result<std::string, std::uint64_t>>(sliced(std::move(s))); },
                          +[](stream<event> s) { return stream<window_result<std::string, std::uint64_t>>(whole(std::move(s))); }}) {
    explanation const e =
        testing::run(explained_after<window_result<std::string, std::uint64_t>>(1, make(feed(events("a3 b6 a11")).chunks(1).open())));
    REQUIRE(e.windows.size() == 3);
    std::uint64_t const elements[] = {2, 2, 1};
    for (std::size_t i = 0; i != 3; ++i) {
      open_window const& w = e.windows[i];
      CHECK(w.start == static_cast<instant>(5 * i));
      CHECK(w.end == w.start + 10);
      CHECK(w.closes == w.end);
      CHECK(w.watermark == 8);
      CHECK(w.elements == elements[i]);
      CHECK(w.keys >= 1);
    }
  }
}

TEST_CASE("sliding windows refuse sizes, slides and offsets that make no sense") {
  auto with = [](ns size, ns slide) { return [size, slide] { (void)sliding_window(size, slide, late::drop()); }; };
  fails_with(errc::invalid_option, with(0ns, 0ns), "sliding_window", "its size is 0 ns");
  fails_with(errc::invalid_option, with(10ns, 0ns), "its slide is 0 ns");
  fails_with(errc::invalid_option, with(10ns, -5ns), "its slide is -5 ns");
  fails_with(errc::invalid_option, with(10ns, 11ns), "a slide of 11 ns is larger than the size of 10 ns");
  fails_with(errc::invalid_option, with(ns(200'000), ns(1)), "more than 100,000 windows");
  CHECK_NOTHROW(with(ns(100'000), ns(1))());
  fails_with(errc::invalid_option, [] { (void)sliding_window(10ns, 5ns, late::drop()).offset(5ns); }, "offset is 5 ns");
}
