#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/window.hpp>

#include "operators/stage_checks.hpp"
#include "operators/timed_support.hpp"
#include "support/fails_with.hpp"

using namespace weir;
using namespace weir::test;

namespace {

// Elements per key in windows of 10 ns, at most 2 ns out of order.
auto counts(stream<event> s) {
  return in_time(std::move(s), 2ns) | key_by(&event::key) | tumbling_window(10ns, late::drop()) | aggregate(count());
}
std::string counted(std::string const& line) { return same_for_all_chunkings(events(line), counts); }

// The same over numbers which are their own time and come in order.
auto numbers_in_time(stream<int> s) {
  return std::move(s) | event_time([](int x) { return instant{x}; }, monotonic());
}
stream<std::string> count_numbers(stream<int> s) {
  return as_text(numbers_in_time(std::move(s)) | tumbling_window(10ns, late::drop()) | aggregate(count()));
}

// A source with event times of its own, which all have come.
stream<int> timed_ones(std::vector<instant> times) {
  std::vector<int> ones(times.size(), 1);
  mark all_came = mark::watermark(end_of_time);
  all_came.at = static_cast<std::uint32_t>(times.size());
  chunk<int> const c(ones, times.data(), std::span<mark const>(&all_came, 1));
  co_yield c;
}
timed_stream<int> at_times(std::vector<instant> times) { return timed_stream<int>(timed_ones(std::move(times))); }

}  // namespace

//      0         10        20        30
//      |a  b a   |   c  a  |         |    b
TEST_CASE("tumbling windows count each key's elements, whatever the chunks") {
  CHECK(counted("a1 b4 a6 c14 a17 b35") == "a[0,10)=2 b[0,10)=1 c[10,20)=1 a[10,20)=1 b[30,40)=1");
}

//      0         10        20
//      |  b    a |  a  b     |       come as b2 a7 a11 a9 b14
TEST_CASE("tumbling windows put elements that are out of order where they belong, and give keys in first-seen order") {
  CHECK(counted("b2 a7 a11 a9 b14") == "b[0,10)=1 a[0,10)=2 a[10,20)=1 b[10,20)=1");
}

//      0         10        20        30
//      |a        |         |        a|
TEST_CASE("a tumbling window holds its start, not its end, and does not exist without elements") {
  CHECK(counted("a0 a29") == "a[0,10)=1 a[20,30)=1");
  CHECK(counted("a9 a10") == "a[0,10)=1 a[10,20)=1");
}

// With a bound of 2, a12 says only that nothing below 10 comes any more but a 10 may: the watermark is 9. a13 raises it to 10.
//      0         10        20
//      | a       |  aa     |
TEST_CASE("a tumbling window fires when the watermark reaches its end: before that watermark, with its last instant as time") {
  for (std::size_t const n : chunkings) {
    auto texts = counts(feed(events("a1 a12 a13")).chunks(n).open()) | map([](auto const& r) { return text(r); });
    timed_stream<std::string> out = std::move(texts);
    std::string const shown = testing::run(show<std::string>(std::move(out)));
    CAPTURE(n);
    CHECK(shown == (n == 1 ? "w-2 " : "") + std::string("w9 a[0,10)=1@9 w10 a[10,20)=2@19 w-end"));  // watermarks at one place coalesce
  }
}

//      0         10        20        30        40
//      | a  b    |         | c       | a       |       end of data
TEST_CASE("at the end of the data all tumbling windows fire, in the order of their ends; of a stream that was stopped none does") {
  CHECK(counted("a21 b3 c1") == "a[20,30)=1");  // b3 and c1 are late: dropped
  auto wide = [](stream<event> s) {
    return in_time(std::move(s), 100ns) | key_by(&event::key) | tumbling_window(10ns, late::drop()) | aggregate(count());
  };
  CHECK(same_for_all_chunkings(events("c21 a31 b3 a1"), wide) == "b[0,10)=1 a[0,10)=1 c[20,30)=1 a[30,40)=1");
  for (std::size_t const n : chunkings) CHECK(all_of(as_text(wide(feed(events("c21 a31 b3 a1")).chunks(n).stops().open()))).empty());
}

TEST_CASE("a tumbling window over nothing gives nothing") { CHECK(counted("").empty()); }

//     -20       -10        0         10
//      |    a a  |   a    a|a        |
TEST_CASE("tumbling windows lie in the same way before the epoch") {
  CHECK(counted("a-16 a-14 a-7 a-1 a0") == "a[-20,-10)=2 a[-10,0)=2 a[0,10)=1");
  CHECK(counted("a-10 a-11") == "a[-20,-10)=1 a[-10,0)=1");
}

//     -7         3         13
//      |  a     a|a       a|         offset 3
TEST_CASE("an offset moves all tumbling windows") {
  auto moved = [](stream<event> s) {
    return in_time(std::move(s), 2ns) | key_by(&event::key) | tumbling_window(10ns, late::drop()).offset(3ns) | aggregate(count());
  };
  CHECK(same_for_all_chunkings(events("a-5 a2 a3 a12 a13"), moved) == "a[-7,3)=2 a[3,13)=2 a[13,23)=1");
}

TEST_CASE("without a key, tumbling windows are over all elements") {
  auto all = [](stream<event> s) { return in_time(std::move(s), 2ns) | tumbling_window(10ns, late::drop()) | aggregate(count()); };
  CHECK(same_for_all_chunkings(events("a1 b4 a6 c14"), all) == "[0,10)=3 [10,20)=1");
}

TEST_CASE("tumbling windows pass an upstream failure on after what came before it; what is open is not given") {
  check_upstream_failure<std::string>(numbers(0, 15), {"[0,10)=10"}, count_numbers);
}

TEST_CASE("a key that fails ends the stream after the windows which fired before") {
  check_user_failure<std::string>({"1[10,15)=1"}, [](stream<int> s) -> stream<std::string> {
    return as_text(std::move(s) | event_time([](int x) { return instant{10 * x}; }, monotonic()) | key_by(no_three) |
                   tumbling_window(5ns, late::drop()) | aggregate(count()));
  });
}

TEST_CASE("tumbling windows that are cancelled end at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) {
    return numbers_in_time(std::move(s)) | key_by([hook](int x) { return hook(x); }) | tumbling_window(10ns, late::drop()) |
           aggregate(count());
  });
}

TEST_CASE("tumbling windows dropped half-way destroy what they hold") {
  check_early_drop([](stream<tracked> s) {
    return std::move(s) | event_time([](tracked const& x) { return instant{x.value()}; }, monotonic()) |
           tumbling_window(5ns, late::drop()) | aggregate(keeps());
  });
}

// [0, 10) needs the element 11, which says that there is no other 9.
TEST_CASE("tumbling windows do not run ahead of their consumer") {
  check_does_not_run_ahead(count_numbers, [](std::size_t n) { return 10 * n + 2; });
}

//      0         10        20        30        40
//      | a  b a  |a   b    |    c    | a  b    |       late: c8 after a13
TEST_CASE("tumbling windows go on after a restart as if there had been none, from every place and in every chunking") {
  auto const input = events("a1 b4 a7 a11 a13 c8 b15 a9 c25 a31 b34");
  check_restored_equals_uninterrupted(input, [](stream<event> s) { return as_text(counts(std::move(s))); });
  check_restored_equals_uninterrupted(numbers(0, 25), count_numbers);
}

TEST_CASE("all windows of the end of the data are handed on before the end, however many") {
  for (std::size_t const n : chunkings) {
    // A thousand windows fire at the end, more than one chunk of results; the last batch is not full.
    auto batches = std::move(feed<int>(numbers(0, 1000)).chunks(n)).open() |
                   event_time([](int x) { return instant{x}; }, bounded_disorder(2000ns)) | tumbling_window(1ns, late::drop()) |
                   aggregate(count()) | map([](auto const& r) { return static_cast<int>(r.value); }) | window(600);
    auto const got = all_of<std::vector<int>>(std::move(batches));
    REQUIRE(got.size() == 2);
    CHECK(got[0].size() == 600);
    CHECK(got[1].size() == 400);
  }
}

TEST_CASE("the state of a closed tumbling window is gone") {
  REQUIRE(tracked::alive == 0);
  auto body = [](std::size_t chunk) -> task<> {
    ledger books;
    auto out = feed<int>(numbers(0, 500)).chunks(chunk).open() | event_time([](int x) { return instant{x}; }, bounded_disorder(15ns)) |
               key_by([](int x) { return x % 3; }) | tumbling_window(10ns, late::drop()) | aggregate(keeps()).counted_in(books, "kept");
    int results = 0;
    for (;; ++results) {
      auto const* const r = co_await out.next();
      if (!r) break;
      CHECK(static_cast<std::uint64_t>(tracked::alive) == books.sum("kept").open);
    }
    CHECK(results == 150);
    CHECK(tracked::alive == 0);
  };
  for (std::size_t const n : {0u, 1u}) testing::run(body(n));
}

//      0         10        20
//      | a  b    |  a  a   |        after b[0,10)
TEST_CASE("explain names each open tumbling window, with the watermark it waits for") {
  auto out = in_time(feed(events("a1 b4 a12 a14 b15")).open(), 2ns) | key_by(&event::key) | tumbling_window(10ns, late::drop()) |
             aggregate(count()).named("hits");
  explanation const e = testing::run(explained_after<window_result<std::string, std::uint64_t>>(2, std::move(out)));
  REQUIRE(e.windows.size() == 1);
  open_window const& w = e.windows.front();
  CHECK(w.operator_name == "hits");
  CHECK(w.start == 10);
  CHECK(w.end == 20);
  CHECK(w.closes == 20);
  CHECK(w.keys == 1);
  CHECK(w.elements == 2);
  CHECK(w.watermark == 11);
  CHECK_FALSE(w.fired);
  INFO(e.text());
  CHECK(
      e.text().find("window [1970-01-01T00:00:00.000000010Z, 1970-01-01T00:00:00.000000020Z) of hits (1 key, 2 elements) is open until the "
                    "watermark reaches 1970-01-01T00:00:00.000000020Z; it is at 1970-01-01T00:00:00.000000011Z") != std::string::npos);
}

TEST_CASE("tumbling windows refuse sizes and offsets that make no sense") {
  auto with = [](ns size) { return [size] { (void)tumbling_window(size, late::drop()); }; };
  fails_with(errc::invalid_option, with(0ns), "tumbling_window", "its size is 0 ns");
  fails_with(errc::invalid_option, with(-1min), "tumbling_window", "its size");
  fails_with(errc::invalid_option, with(ns::max()), "up to 20 years");
  CHECK_NOTHROW(with(24h * 365 * 20)());
  auto moved = [](ns by) { return [by] { (void)tumbling_window(10ns, late::drop()).offset(by); }; };
  fails_with(errc::invalid_option, moved(10ns), "offset is 10 ns");
  fails_with(errc::invalid_option, moved(-1ns), "offset is -1 ns");
  CHECK_NOTHROW(moved(9ns)());
}

TEST_CASE("tumbling windows of any size hold every possible time, up to the limits") {
  constexpr ns longest = 24h * 365 * 20;
  for (instant const t : {detail::earliest_event, instant{-1}, instant{0}, instant{1}, detail::latest_event}) {
    for (ns const size : {ns(1), ns(7), ns(24h), longest}) {
      for (ns const offset : {ns(0), size - 1ns}) {
        CAPTURE(t, size.count(), offset.count());
        auto out = at_times({t}) | tumbling_window(size, late::drop()).offset(offset) | aggregate(count());
        auto const results = all_of<window_result<no_key, std::uint64_t>>(std::move(out));
        REQUIRE(results.size() == 1);
        time_window const w = results.front().window;
        CHECK(w.contains(t));
        CHECK(w.end - w.start == size.count());
        CHECK((w.start - offset.count()) % size.count() == 0);
      }
    }
  }
}

TEST_CASE("times of a source of one's own that windows cannot be computed for are an error") {
  for (instant const t : {start_of_time, detail::earliest_event - 1, end_of_time - 1, end_of_time}) {
    CAPTURE(t);
    auto out = at_times({0, t}) | tumbling_window(10ns, late::drop()) | aggregate(count());
    CHECK(testing::run(drain<window_result<no_key, std::uint64_t>>(std::move(out))).code == errc::out_of_range);
  }
}

//      0         10        20
//      |0        |1        |2         a number is the tenth of its time; the watermark goes to 15, back to 3, to 15, to 21
TEST_CASE("a watermark that goes back opens no window again") {
  for (std::size_t const n : chunkings) {
    feed<int> in({0, 1, 2});
    in.chunks(n).mark_at(1, mark::watermark(15)).mark_at(1, mark::watermark(3)).mark_at(2, mark::watermark(15));
    in.mark_at(3, mark::watermark(21));
    auto out = in.open_timed() | tumbling_window(10ns, late::drop()) | aggregate(count());
    CHECK(in_a_line(all_of(as_text(std::move(out)))) == "[0,10)=1 [10,20)=1");
  }
}
