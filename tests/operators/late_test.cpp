#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/accumulators/sum.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/inspect.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/tumbling_window.hpp>

#include "operators/stage_checks.hpp"
#include "operators/timed_support.hpp"
#include "support/fails_with.hpp"

using namespace weir;
using namespace weir::test;

namespace {

// Counts per key in windows of 10 ns; times rise, so that what goes back behind a window that has fired is late.
template <class Late> auto counts(stream<event> s, Late policy, ledger books = ledger()) {
  return in_time(std::move(s), 0ns) | key_by(&event::key) | tumbling_window(10ns, std::move(policy)) |
         aggregate(count()).counted_in(std::move(books), "all");
}
template <class Late> std::string counted(std::string const& line, Late policy) {
  return same_for_all_chunkings(events(line), [&](stream<event> s) { return counts(std::move(s), policy); });
}
template <class Late> std::string tallied(std::string const& line, Late policy) {
  ledger books;
  all_of(as_text(counts(feed(events(line)).open(), policy, books)));
  return text(books.sum("all"));
}

}  // namespace

//      0         10        20
//      | a   (a) |  a  a   |      a5 comes after a12, which has fired [0, 10)
TEST_CASE("a late element is dropped and counted, and goes into no other window") {
  CHECK(counted("a1 a12 a5 a15", late::drop()) == "a[0,10)=1 a[10,20)=2");
  CHECK(tallied("a1 a12 a5 a15", late::drop()) == "in 4 = out 3 + late 1");
}

//      0         10        20
//      |(a)    a |aa       |      a0 comes after a10: at the watermark 9, [0, 10) is still open. After a11 it is not.
TEST_CASE("an element is late when its window has fired, not before") {
  CHECK(counted("a8 a10 a0", late::drop()) == "a[0,10)=2 a[10,20)=1");
  CHECK(counted("a8 a11 a0", late::drop()) == "a[0,10)=1 a[10,20)=1");
}

TEST_CASE("a late element goes to the side output, with the window it missed and where the watermark was") {
  for (std::size_t const n : chunkings) {
    std::vector<std::string> missed;
    auto takes = [&missed](event const& e, lateness const& l) {
      CHECK(l.time == e.time);
      missed.push_back(text(e) + text(l.window) + "w" + std::to_string(l.watermark));
    };
    auto out = counts(feed(events("a1 a12 a5 b7 a25 b19")).chunks(n).open(), late::side_output(takes));
    CHECK(in_a_line(all_of(as_text(std::move(out)))) == "a[0,10)=1 a[10,20)=1 a[20,30)=1");
    CHECK(missed == std::vector<std::string>{"a5[0,10)w11", "b7[0,10)w11", "b19[10,20)w24"});
  }
}

TEST_CASE("the side output's function may take the element alone, and move from it") {
  std::vector<event> missed;
  counted("a1", late::side_output([](event const&) {}));
  auto takes = [&missed](event& e) { missed.push_back(std::move(e)); };
  all_of(as_text(counts(feed(events("a1 a12 a_quite_long_key_that_is_allocated5")).open(), late::side_output(takes))));
  REQUIRE(missed.size() == 1);
  CHECK(missed.front().key == "a_quite_long_key_that_is_allocated");
}

// a3 is late for [-5, 5) and in time for [0, 10); b2 is late for both.
//     -5    0     5     10    15
//      |    |(b)(a)|  a  |     |
TEST_CASE("a side output that moves from an element does not harm the windows which it is in time for, nor its other calls") {
  std::vector<event> missed;
  auto takes = [&missed](event& e) { missed.push_back(std::move(e)); };
  std::string const key = "a_quite_long_key_that_is_allocated";
  auto const run = [&](auto policy) {
    missed.clear();
    auto out = in_time(feed(events(key + "8 " + key + "3 b12 b2")).open(), 0ns) | key_by(&event::key) | sliding_window(10ns, 5ns, policy) |
               aggregate(count());
    return in_a_line(all_of(as_text(std::move(out))));
  };
  std::string const expected = key + "[0,10)=2 " + key + "[5,15)=1 b[5,15)=1 b[10,20)=1";
  CHECK(run(late::side_output(takes)) == expected);
  CHECK(missed.size() == 3);
  for (event const& e : missed) CHECK((e.key == key || e.key == "b"));
  CHECK(run(late::update(0ns, late::side_output(takes))) == expected);
  CHECK(missed.size() == 3);
  for (event const& e : missed) CHECK((e.key == key || e.key == "b"));
}

//      0         10        20        30
//      | a (a)   |  aa     |     a   |       a5 comes after a12; a6 after a25, whose watermark 24 is beyond 10 + 10
TEST_CASE("an element within the allowed lateness updates its window, which gives its next revision at once") {
  CHECK(counted("a1 a12 a5 a13 a25 a6", late::update(10ns)) == "a[0,10)=1 a[0,10)=2/late1 a[10,20)=2 a[20,30)=1");
  CHECK(tallied("a1 a12 a5 a13 a25 a6", late::update(10ns)) == "in 6 = out 5 + late 1");
}

TEST_CASE("the allowed lateness ends with the watermark at the window's end plus it") {
  CHECK(counted("a1 a20 a5", late::update(10ns)) == "a[0,10)=1 a[0,10)=2/late1 a[20,30)=1");  // at 19
  CHECK(counted("a1 a21 a5", late::update(10ns)) == "a[0,10)=1 a[20,30)=1");                  // at 20
  CHECK(counted("a1 a11 a5", late::update(0ns)) == "a[0,10)=1 a[10,20)=1");
}

TEST_CASE("a key, and a window, that come only within the allowed lateness give their first result then") {
  CHECK(counted("a1 a12 b5 b6 a7", late::update(10ns)) == "a[0,10)=1 b[0,10)=1/late0 b[0,10)=2/late1 a[0,10)=2/late1 a[10,20)=1");
  CHECK(counted("a12 a5 a6", late::update(10ns)) == "a[0,10)=1/late0 a[0,10)=2/late1 a[10,20)=1");
}

TEST_CASE("what is beyond the allowed lateness goes to the side output that is given for it") {
  std::vector<std::string> missed;
  auto takes = [&missed](event const& e, lateness const& l) { missed.push_back(text(e) + text(l.window)); };
  all_of(as_text(counts(feed(events("a1 a12 a5 a25 a6")).open(), late::update(10ns, late::side_output(takes)))));
  CHECK(missed == std::vector<std::string>{"a6[0,10)"});
}

// Windows of 10 every 5, kept for 5 more. At the watermark 13, a8 is in [0, 10), which has fired and is kept until 15, and in [5, 15). At
// 17, a9 is too late for [0, 10), and updates [5, 15), which is kept until 20.
TEST_CASE("sliding windows are updated one by one") {
  auto run = [](stream<event> s) {
    return in_time(std::move(s), 0ns) | key_by(&event::key) | sliding_window(10ns, 5ns, late::update(5ns)) | aggregate(count());
  };
  CHECK(same_for_all_chunkings(events("a3 a14 a8 a18 a9"), run) ==
        "a[-5,5)=1 a[0,10)=1 a[0,10)=2/late1 a[5,15)=2 a[5,15)=3/late1 a[10,20)=2 a[15,25)=1");
}

TEST_CASE("at the end of the data nothing is given twice, and the ledger has everything") {
  CHECK(counted("a1 a12 a5", late::update(1000ns)) == "a[0,10)=1 a[0,10)=2/late1 a[10,20)=1");
  CHECK(tallied("a1 a12 a5", late::update(1000ns)) == "in 3 = out 3");
}

TEST_CASE("the ledger holds before and after every element, also inside the side output and while results are handed on") {
  auto const line = "a1 b4 a7 a11 a13 c8 b15 a9 c25 a31 b34 a2 c33";
  auto const check = [&](auto window, std::size_t chunk) {
    ledger books;
    std::uint64_t looks = 0;
    auto balanced = [&books, &looks](auto const&) {
      CHECK(books.sum("all").balanced());
      ++looks;
    };
    auto out = feed(events(line)).chunks(chunk).open() | inspect(balanced) | event_time(&event::time, bounded_disorder(2ns)) |
               key_by(&event::key) | window(late::side_output(balanced)) | aggregate(count()).counted_in(books, "all") | inspect(balanced);
    auto const results = all_of<window_result<std::string, std::uint64_t>>(std::move(out));
    CHECK(looks > 13 + results.size());
    CHECK(books.sum("all").open == 0);
  };
  for (std::size_t const n : chunkings) {
    check([](auto late) { return tumbling_window(10ns, late); }, n);
    check([](auto late) { return tumbling_window(10ns, late::update(10ns, late)); }, n);
    check([](auto late) { return sliding_window(10ns, 5ns, late); }, n);
    check([](auto late) { return sliding_window(10ns, 5ns, late::update(5ns, late)); }, n);
  }
}

TEST_CASE("a side output that fails ends the stream after what came before, and the element it failed for is not done") {
  // 3 is from long ago; 2 has fired the window of 1.
  auto times = [](int x) { return instant{x == 3 ? 1 : 10 * x}; };
  check_user_failure<std::string>({"[10,15)=1"}, [&](stream<int> s) {
    return as_text(std::move(s) | event_time(times, monotonic()) | tumbling_window(5ns, late::side_output([](int x) { no_three(x); })) |
                   aggregate(count()));
  });
  check_user_failure<std::string>({"[8,12)=1", "[10,14)=1"}, [&](stream<int> s) {
    return as_text(std::move(s) | event_time(times, monotonic()) | sliding_window(4ns, 2ns, late::side_output([](int x) { no_three(x); })) |
                   aggregate(count()));
  });
}

TEST_CASE("windows that are kept for late elements go on after a restart, from every place and in every chunking") {
  auto const input = events("a1 a12 a5 b5 a13 a25 a6 b17 c2 a30 b29");
  check_restored_equals_uninterrupted(input, [](stream<event> s) { return as_text(counts(std::move(s), late::update(10ns))); });
  check_restored_equals_uninterrupted(input, [](stream<event> s) {
    return as_text(in_time(std::move(s), 0ns) | key_by(&event::key) | sliding_window(10ns, 5ns, late::update(5ns)) |
                   aggregate(sum(&event::value)));
  });
}

TEST_CASE("the ledger goes on from a checkpoint") {
  ledger books;
  feed<event> in(events("a1 a12 a5 a13"));
  in.barrier_at(4).stops();
  auto const got = testing::run(run_to(as_text(counts(in.open(), late::drop(), books)), in.barrier()));
  CHECK(text(books.sum("all")) == "in 4 = out 1 + late 1 + open 2");
  feed<event> rest(events("a25 a14"));
  rest.restores(*got.state);
  all_of(as_text(counts(rest.open(), late::drop(), books)));
  CHECK(text(books.sum("all")) == "in 6 = out 4 + late 2");
}

TEST_CASE("after a restart with less allowed lateness, windows that were kept for more of it are gone") {
  feed<event> in(events("a1 a12 a15"));
  in.barrier_at(3);
  auto const got = testing::run(run_to(as_text(counts(in.open(), late::update(10ns))), in.barrier()));
  feed<event> rest(events("a2 a16"));
  rest.restores(*got.state);
  CHECK(in_a_line(all_of(as_text(counts(rest.open(), late::update(1ns))))) == "a[10,20)=3");
}

TEST_CASE("explain tells which windows have fired and until when they are kept") {
  auto out = counts(feed(events("a1 a12")).chunks(1).open(), late::update(10ns));
  explanation const e = testing::run(explained_after<window_result<std::string, std::uint64_t>>(1, std::move(out)));
  REQUIRE(e.windows.size() == 2);
  CHECK(e.windows[0].fired);
  CHECK(e.windows[0].end == 10);
  CHECK(e.windows[0].closes == 20);
  CHECK_FALSE(e.windows[1].fired);
  CHECK(e.windows[1].closes == 30);
  CHECK(e.text().find("has fired and is kept for late elements until the watermark reaches 1970-01-01T00:00:00.000000020Z") !=
        std::string::npos);
}

TEST_CASE("the state of a window that is kept for late elements goes when the watermark is beyond its lateness") {
  REQUIRE(tracked::alive == 0);
  auto body = []() -> task<> {
    auto out = feed<int>(numbers(0, 300)).open() | event_time([](int x) { return instant{x}; }, monotonic()) |
               tumbling_window(10ns, late::update(20ns)) | aggregate(keeps());
    while (auto const* const r = co_await out.next()) {
      if (r->window.end + 1 >= 300) break;
      // [s, s + 10) fires at the element s + 11: what is kept is from s - 10 on, as [s - 20, s - 10) goes at s + 10.
      CHECK(tracked::alive == r->window.end + 2 - std::max<instant>(r->window.start - 10, 0));
    }
  };
  testing::run(body());
  CHECK(tracked::alive == 0);
}

TEST_CASE("an allowed lateness is between nothing and 20 years") {
  fails_with(errc::invalid_option, [] { (void)late::update(-1ns); }, "late::update", "the allowed lateness is -1 ns");
  fails_with(errc::invalid_option, [] { (void)late::update(ns::max()); }, "up to 20 years");
  CHECK_NOTHROW(late::update(0ns));
}
