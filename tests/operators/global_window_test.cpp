#include <weir/operators/accumulators/collect.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/global_window.hpp>
#include <weir/operators/key_by.hpp>

#include "operators/timed_support.hpp"
#include "support/fails_with.hpp"

using namespace weir;
using namespace weir::test;

namespace {

// Elements per key, in order of time: the watermark is 1 ns behind the highest.
template <class... Args> std::string counted(std::string const& line, Args... args) {
  return same_for_all_chunkings(events(line), [&](stream<event> s) {
    return in_time(std::move(s), 0ns) | key_by(&event::key) | global_window(args...) | aggregate(count());
  });
}

}  // namespace

//      1  2  3  4  5  6  7
//   a  x     x  x     x     x      a result after every second, and at the end for the one that is left
//   b     x        x
TEST_CASE("a global window that counts gives a result after every n elements of its key, and the rest at the end") {
  CHECK(counted("a1 b2 a3 a4 b5 a6 a7", trigger::count(2), expire_after(1h), late::drop()) ==
        "a[1,end)=2/early0 b[2,end)=2/early0 a[1,end)=4/early1 a[1,end)=5/on_time2");
  CHECK(counted("a1 b2 a3 a4 b5 a6 a7", trigger::count(2).accumulating(), expire_after(1h), late::drop()) ==
        "a[1,end)=2/early0 b[2,end)=2/early0 a[1,end)=4/early1 a[1,end)=5/on_time2");
  CHECK(counted("a1 b2 a3 a4 b5 a6 a7", trigger::count(2).discarding(), expire_after(1h), late::drop()) ==
        "a[1,end)=2/early0 b[2,end)=2/early0 a[1,end)=2/early1 a[1,end)=1/on_time2");
}

TEST_CASE("a global window may give a result after each element, of all so far or of that one") {
  CHECK(counted("a1 b2 a3", trigger::on_each(), expire_after(1h), late::drop()) == "a[1,end)=1/early0 b[2,end)=1/early0 a[1,end)=2/early1");
  CHECK(counted("a1 b2 a3", trigger::on_each().discarding(), never_expires()) == "a[1,end)=1/early0 b[2,end)=1/early0 a[1,end)=1/early1");
}

//      1     8 | 12            | 21      |     watermarks 0 ... 7, 11 and 20: multiples of 10 are passed
//   b  x x     |               |         |     2 before 10
//   a        x | x             |         |     12 has come before the watermark that passes 10
//   b          |               | x       |     the next result of b; a has not changed
TEST_CASE("a global window gives results when the watermark passes a multiple of the period, for keys that have changed") {
  CHECK(counted("b1 b4 a8 a12 b21", trigger::every(10ns), expire_after(1h), late::drop()) ==
        "b[1,end)=2/early0 a[8,end)=2/early0 b[1,end)=3/early1");
  CHECK(counted("b1 b4 a8 a12 b21", trigger::every(10ns).discarding(), expire_after(1h), late::drop()) ==
        "b[1,end)=2/early0 a[8,end)=2/early0 b[1,end)=1/early1");
  // Several multiples at once are one, and the end of the data gives what is left.
  CHECK(counted("b1 b99 a99", trigger::every(10ns), expire_after(1h), late::drop()) == "b[1,end)=2/early0 a[99,end)=1");
}

TEST_CASE("without key_by a global window has everything") {
  CHECK(same_for_all_chunkings(events("a1 b2 c3"), [](stream<event> s) {
          return in_time(std::move(s), 0ns) | global_window(trigger::count(2), never_expires()) | aggregate(count());
        }) == "[1,end)=2/early0 [1,end)=3/on_time1");
  CHECK(counted("", trigger::count(2), expire_after(1h), late::drop()) == "");
}

//      0         10        20        30       40
//   a  x...................|                              untouched for 20: last result at 20, forgotten
//   b       x    x   x....................|               touched at 18: 38
//   a                                x...................|   its next window
TEST_CASE("a key that is untouched for as long as it takes to expire gives a last result, and begins another window after that") {
  CHECK(counted("a0 b5 b11 b18 b25 a30 b39 b60", trigger::count(100), expire_after(20ns), late::drop()) ==
        "a[0,end)=1 a[30,end)=1 b[5,end)=6");
  // It is the watermark that decides: at 17 it has not reached 20 when a30 comes, which finds its window.
  CHECK(counted("a0 b5 b11 b18 a30 c39 c60", trigger::count(100), expire_after(20ns), late::drop()) == "b[5,end)=3 a[0,end)=2 c[39,end)=2");
  // Nothing is said a second time.
  CHECK(counted("a0 b40 a41", trigger::on_each(), expire_after(20ns), late::drop()) ==
        "a[0,end)=1/early0 b[40,end)=1/early0 a[41,end)=1/early0");
}

TEST_CASE("keys that expire together do so by their expiry, and of equal ones the first seen is first") {
  CHECK(counted("c3 b5 a5 d5 d6 e100", trigger::count(9), expire_after(20ns), late::drop()) ==
        "c[3,end)=1 b[5,end)=1 a[5,end)=1 d[5,end)=2 e[100,end)=1");
  CHECK(same_for_all_chunkings(events("b9 a4 c4 b2"), [](stream<event> s) {
          return in_time(std::move(s), 50ns) | key_by(&event::key) | global_window(trigger::count(9), expire_after(20ns), late::drop()) |
                 aggregate(count());
        }) == "a[4,end)=1 c[4,end)=1 b[9,end)=2");
}

//      1         10   16   20        30  33 35    the watermark goes from 0 to 35 at once
//   a  x..............|                           has expired before the last multiple of 10: a last result
//   b               18..................|         has not: one of the trigger, nothing more when it expires
//   b                                     x       its next window
TEST_CASE("a watermark that passes multiples and expiries at once takes them in their order") {
  CHECK(same_for_all_chunkings(events("a1 b18 c36 b36"), [](stream<event> s) {
          return std::move(s) | event_time(&event::time, punctuated([](event const& e) {
                   return e.key == "b" ? std::optional<instant>() : std::optional(e.time - 1);
                 })) |
                 key_by(&event::key) | global_window(trigger::every(10ns), expire_after(15ns), late::drop()) | aggregate(count());
        }) == "a[1,end)=1 b[18,end)=1/early0 c[36,end)=1/early0 b[36,end)=1");
}

//      0         10        20        30           w: 49 when b50 has come
//   b                                     x (50)
//   c            x...................|            would have expired: late
//   d                                  x........  would not
//   b       x                                     b is there
TEST_CASE("an element is late for a global window when its key is not there and it would have expired itself") {
  ledger books;
  std::vector<std::string> missed;
  auto const set_aside = [&missed](event const& e, lateness const& l) {
    missed.push_back(text(e) + " " + text(l.window) + " w" + std::to_string(l.watermark));
  };
  auto out = in_time(feed(events("a0 b50 c10 c29 c30 b5")), 0ns) | key_by(&event::key) |
             global_window(trigger::count(9), expire_after(20ns), late::side_output(set_aside)) |
             aggregate(count()).counted_in(books, "all");
  CHECK(in_a_line(all_of(as_text(std::move(out)))) == "a[0,end)=1 c[30,end)=1 b[50,end)=2");
  CHECK(missed == std::vector<std::string>{"c10 [10,end) w49", "c29 [29,end) w49"});
  CHECK(text(books.sum("all")) == "in 6 = out 4 + late 2");
}

TEST_CASE("elements of a global window count as open until a result has them") {
  ledger books;
  auto const run = [&books](std::string const& line, auto... args) {
    auto out = in_time(feed(events(line)).stops(), 0ns) | key_by(&event::key) | global_window(args...) |
               aggregate(count()).counted_in(books, "all");
    (void)all_of(as_text(std::move(out)));
    return text(books.sum("all"));
  };
  CHECK(run("a1 a2 a3 b4 b5", trigger::count(3), never_expires()) == "in 5 = out 3 + open 2");
  CHECK(run("a1 a2 a3 b4 b5", trigger::count(3).discarding(), never_expires()) == "in 5 = out 3 + open 2");
  CHECK(run("a1 a2 b21", trigger::count(3), expire_after(10ns), late::drop()) == "in 3 = out 2 + open 1");
  CHECK(run("a1 b9 b11 b12", trigger::every(10ns), never_expires()) == "in 4 = out 3 + open 1");
}

TEST_CASE("results of a global window have the time of what triggered them, and those at the end are not late") {
  auto const shown = [](std::string const& line, auto... args) {
    feed<event> in(events(line));
    timed_stream<std::string> out = in_time(in.chunks(1), 0ns) | key_by(&event::key) | global_window(args...) | aggregate(count()) |
                                    map([](auto const& r) { return text(r); });
    return testing::run(show<std::string>(std::move(out)));
  };
  CHECK(shown("a5 a3", trigger::on_each(), never_expires()) == "a[5,end)=1/early0@5 w4 a[5,end)=2/early1@3 w-end");
  CHECK(shown("a5 b27", trigger::every(10ns), never_expires()) == "w4 a[5,end)=1/early0@19 b[27,end)=1/early0@19 w26 w-end");
  CHECK(shown("a5 b27", trigger::count(9), expire_after(20ns), late::drop()) == "w4 a[5,end)=1@24 w26 b[27,end)=1@46 w-end");
  CHECK(shown("a5 b27", trigger::count(9), never_expires()) == "w4 w26 a[5,end)=1@26 b[27,end)=1@27 w-end");
}

TEST_CASE("a result that discards has only what came since the one before, in any accumulator") {
  auto const values = [](auto when) {
    std::vector<std::string> out;
    auto chain = in_time(feed(events("a1=1 a2=2 a3=3 a4=4 a5=5")), 0ns) | global_window(when, never_expires()) |
                 aggregate(collect(&event::value)) | map([](auto const& r) { return text(r.value); });
    return in_a_line(all_of(stream<std::string>(std::move(chain))));
  };
  CHECK(values(trigger::count(2)) == "[1,2] [1,2,3,4] [1,2,3,4,5]");
  CHECK(values(trigger::count(2).discarding()) == "[1,2] [3,4] [5]");
}

TEST_CASE("global_window refuses options that make no sense, when it is built") {
  fails_with(errc::invalid_option, [] { (void)trigger::count(0); }, "trigger::count: cannot be built", "0 elements");
  for (auto const span : {0ns, -1ns, ns::max()}) {
    fails_with(errc::invalid_option, [span] { (void)trigger::every(span); }, "trigger::every: cannot be built", "its period");
    fails_with(errc::invalid_option, [span] { (void)expire_after(span); }, "expire_after: cannot be built", "its span");
  }
}
