// What comes out of an interval join, in which order, and what it keeps. Two streams: join_inputs_test.cpp; random ones: properties/.
#include "operators/join_support.hpp"
#include "operators/stage_checks.hpp"
#include "support/fails_with.hpp"

using namespace weir;
using namespace weir::test;

namespace {

constexpr auto inner = join_kind::inner, left = join_kind::left, full = join_kind::full;

// The pairs of a line, whose events come as written; at most `bound` out of order.
std::string within(interval i, join_kind kind, ns bound, std::string const& line) {
  return same_for_all_chunkings(sides(line), [&](stream<side> s) { return pairs_within(std::move(s), bound, i, kind); });
}
std::string inner_within(interval i, std::string const& line) { return within(i, inner, 20ns, line); }

// With watermarks and times; they are all shown, as each element is a chunk.
std::string shown(interval i, join_kind kind, std::string const& line) {
  timed_stream<std::string> out =
      pairs_within(feed(sides(line)).chunks(1).open(), 0ns, i, kind) | map([](auto const& p) { return text(p); });
  return testing::run(show<std::string>(std::move(out)));
}

// The numbers of odd_and_even within 1 ns of each other.
template <class T, class Key> auto neighbours(stream<T> s, Key key) {
  using K = detail::owned_key<Key, T>;
  using stage = detail::interval_join_stage<K, T, T, Key, Key, detail::late_side<late::drop>>;
  stage pairs(key, key, -1ns, 1ns, inner, detail::late_side<late::drop>(late::drop()), detail::naming());
  return odd_and_even(std::move(s)).with(timed<weir::joined<K, T, T>>(), std::move(pairs));
}
stream<std::string> number_pairs(stream<int> s) {
  return as_numbers(neighbours(std::move(s), [](int) { return 0; }));
}

}  // namespace

//           5         10
// left      |    .    a . a b|      with all on the right from 5 before up to the same time
// right     a    b    aa     |      and a4
TEST_CASE("an interval join pairs each element with those of its key in the interval, when the second of them comes") {
  CHECK(inner_within(interval(-5ns, 0ns), "<a10 >a5 >a10 >a4 >a11 >b8 <a12 <b13") == "a10+5 a10+10 a12+10 a12+11 b13+8");
}

//           7 8   10    13 14
// left      .     a      .
// right     a a          a  a
TEST_CASE("both ends of the interval belong to it, from either side") {
  CHECK(inner_within(interval(-2ns, 3ns), "<a10 >a7 >a8 >a13 >a14") == "a10+8 a10+13");
  CHECK(inner_within(interval(-2ns, 3ns), ">a10 <a6 <a7 <a12 <a13") == "a7+10 a12+10");
}

// A watermark behind x + 1 is x: it has not passed x.
//           10    13 14 15
// left      a
// right            a  b or b
TEST_CASE("an element waits until the watermark has passed its last partner, on either side") {
  CHECK(within(interval(-2ns, 3ns), inner, 0ns, "<a10 >b14 >a13") == "a10+13");
  CHECK(within(interval(-2ns, 3ns), inner, 0ns, "<a10 >b15 >a13").empty());
  CHECK(within(interval(-2ns, 3ns), inner, 0ns, ">a10 <b13 <a12") == "a12+10");
  CHECK(within(interval(-2ns, 3ns), inner, 0ns, ">a10 <b14 <a12").empty());
}

TEST_CASE("an interval may be a point, or lie wholly before or behind") {
  CHECK(inner_within(interval(0ns, 0ns), "<a5 >a5 >a6 <a6 <a7") == "a5+5 a6+6");
  CHECK(inner_within(interval(-5ns, -3ns), ">a1 >a3 <a6 >a5 <a8 >a8") == "a6+1 a6+3 a8+3 a8+5");
  CHECK(inner_within(interval(3ns, 5ns), "<a1 >a3 >a4 >a6 >a7") == "a1+4 a1+6");
  CHECK(within(interval(-5ns, -3ns), full, 0ns, ">a1 <a6 >a7 <a20") == "a6+1 a+7 a20+");
  CHECK(within(interval(3ns, 5ns), full, 0ns, "<a1 >a4 <a5 >a20") == "a1+4 a5+ a+20");
}

TEST_CASE("equal elements are all paired, the earlier partners first, of equal times those that came first") {
  CHECK(inner_within(interval(0ns, 5ns), "<a1=7 <a1=8 >a2=3 >a2=4") == "a1=7+2=3 a1=8+2=3 a1=7+2=4 a1=8+2=4");
  CHECK(inner_within(interval(0ns, 5ns), ">a5=3 >a2 >a5=4 >a3 <a1") == "a1+2 a1+3 a1+5=3 a1+5=4");
}

TEST_CASE("a pair has the later event time of its two; the watermark behind an inner join is that before it") {
  CHECK(shown(interval(-5ns, 5ns), inner, "<a1 >a4 <b9 >b8") == "w0 a1+4@4 w3 w8 b9+8@9 w-end");
}

//           -5   1    5    9    14   20     watermark behind the join: 3 or 5 behind
// left            a                  b
// right                     a
TEST_CASE("who finds no partner is given when the last possible one has not come, with its own time, which is never behind the watermark") {
  CHECK(shown(interval(-5ns, 3ns), left, "<a1 >a9 <b20") == "w-3 a1+@1 w5 w16 b20+@20 w-end");
  CHECK(shown(interval(-5ns, 3ns), full, "<a1 >a9 <b20") == "w-5 a1+@1 w3 a+9@9 w14 b20+@20 w-end");
  CHECK(shown(interval(-5ns, 3ns), left, "<a1 >b5 >b6") == "w-3 w1 a1+@1 w2 w-end");
}

TEST_CASE("who has found one partner is not given alone, whatever the kind") {
  CHECK(within(interval(-2ns, 2ns), inner, 0ns, "<a1 >a2 <a10 >a20") == "a1+2");
  CHECK(within(interval(-2ns, 2ns), left, 0ns, "<a1 >a2 <a10 >a20") == "a1+2 a10+");
  CHECK(within(interval(-2ns, 2ns), full, 0ns, "<a1 >a2 <a10 >a20") == "a1+2 a10+ a+20");
}

// Left ones can find nobody from 5 behind them on, right ones at once: a1 and c5 at 6, b2 at 7, a3 at 8.
TEST_CASE("those without a partner come in the order in which that became certain, then by key, however far the watermark steps") {
  CHECK(within(interval(0ns, 4ns), full, 0ns, "<a1 <b2 <a3 >c5 <z100") == "a1+ c+5 b2+ a3+ z100+");
  CHECK(within(interval(0ns, 4ns), full, 0ns, "<a1 <b2 <a3 >c5 >z7 >z8 >z9") == "a1+ c+5 b2+ a3+ z+7 z+8 z+9");
}

//           10        18 19 20           the watermark is 19 when a12 and a18 come
// left      a   (a)      a
// right               (a)   a
TEST_CASE("late elements of both sides go to the side output, with where their partners would have been") {
  for (std::size_t const n : chunkings) {
    std::vector<std::string> lost;
    ledger books;
    lost_and_found const takes(lost);
    auto out = pairs_within(feed(sides("<a10 >a20 <a12 >a18 <a19")).chunks(n).open(), 0ns, interval(-5ns, 3ns), full,
                            late::side_output(takes), books);
    CHECK(test::in_a_line(all_of(as_text(std::move(out)))) == "a10+ a19+20");
    CHECK(lost == std::vector<std::string>{"<a12[7,16)w19", ">a18[15,24)w19"});
    CHECK(text(books.sum("join")) == "in 5 = out 3 + late 2");
  }
  CHECK(within(interval(-5ns, 3ns), full, 0ns, "<a10 >a20 <a12 >a18 <a19") == "a10+ a19+20");  // dropped
}

TEST_CASE("an interval join over nothing, or one side only, gives what its kind says") {
  for (join_kind const k : {inner, left, full}) CHECK(within(interval(-1ns, 1ns), k, 0ns, "").empty());
  CHECK(within(interval(-1ns, 1ns), inner, 0ns, "<a1 <b2").empty());
  CHECK(within(interval(-1ns, 1ns), left, 0ns, "<a1 <b2") == "a1+ b2+");
  CHECK(within(interval(-1ns, 1ns), left, 0ns, ">a1 >b2").empty());
  CHECK(within(interval(-1ns, 1ns), full, 0ns, ">a1 >b2") == "a+1 b+2");
}

TEST_CASE("of a stream that was stopped nobody is given for want of a partner") {
  for (std::size_t const n : chunkings) {
    auto out = pairs_within(feed(sides("<a1 >a2 <b3 >c4")).chunks(n).stops().open(), 20ns, interval(-1ns, 1ns), full);
    CHECK(test::in_a_line(all_of(as_text(std::move(out)))) == "a1+2");
  }
}

TEST_CASE("an interval join passes an upstream failure on after the pairs before it") {
  check_upstream_failure<std::string>(numbers(0, 4), {"1+0", "1+2", "3+2"}, number_pairs);
}

TEST_CASE("a key that fails ends the stream after the pairs before it, and its element counts nowhere") {
  check_user_failure<std::string>(
      {"1+2"}, [](stream<int> s) { return as_numbers(neighbours(std::move(s), [](int x) { return no_three(x) < 0; })); });
}

TEST_CASE("a side output that fails ends the stream, and its element counts nowhere") {
  ledger books;
  auto fails = [](auto const&) { throw std::runtime_error("no room"); };
  auto out = pairs_within(feed(sides("<a1 >a2 >a20 <a5")).open(), 0ns, interval(-1ns, 1ns), inner, late::side_output(fails), books);
  auto const got = testing::run(drain(as_text(std::move(out))));
  CHECK(test::in_a_line(got.values) == "a1+2");
  CHECK(got.failure == "no room");
  CHECK(text(books.sum("join")) == "in 3 = out 2 + open 1");
}

TEST_CASE("an interval join that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) { return neighbours(std::move(s), [hook](int x) { return hook(x); }); });
}

TEST_CASE("an interval join dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) { return neighbours(std::move(s), [](tracked const&) { return 0; }); });
}

TEST_CASE("an interval join does not run ahead of its consumer") {
  check_does_not_run_ahead(number_pairs, [](std::size_t n) { return n + 1; });
}

TEST_CASE("an interval has two ends in order, within 20 years") {
  auto with = [](ns lower, ns upper) { return [lower, upper] { (void)interval(lower, upper); }; };
  fails_with(errc::invalid_option, with(1ns, 0ns), "interval", "its length", "-1 ns");
  fails_with(errc::invalid_option, with(ns::min(), 0ns), "interval", "its lower end");
  fails_with(errc::invalid_option, with(0ns, ns::max()), "interval", "its upper end", "20 years");
  constexpr ns longest = 24h * 365 * 20;
  CHECK_NOTHROW(with(-longest, 0ns)());
  CHECK_NOTHROW(with(longest, longest)());
  CHECK_NOTHROW(with(-longest, -longest)());
}
