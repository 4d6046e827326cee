// All of the left with all of the right of a window. Two streams: join_inputs_test.cpp; random ones: properties/joins_test.cpp.
#include "operators/join_support.hpp"
#include "operators/stage_checks.hpp"
#include "support/fails_with.hpp"

#include <weir/operators/window_join.hpp>

using namespace weir;
using namespace weir::test;

namespace {

constexpr auto inner = join_kind::inner, left = join_kind::left, full = join_kind::full;

// Windows of 10 ns over a line whose events come as written; at most `bound` out of order.
std::string in_windows(join_kind kind, ns bound, std::string const& line) {
  return same_for_all_chunkings(sides(line), [&](stream<side> s) { return pairs_in_windows(std::move(s), bound, 10ns, kind); });
}
auto pairs(stream<side> s) { return pairs_in_windows(std::move(s), 2ns, 10ns, full); }

// Of odd_and_even: windows of 2 ns.
template <class T, class Key> auto couples(stream<T> s, Key key) {
  detail::either_key<Key, Key> of(key, key);
  return detail::join_in_windows<T, T>(odd_and_even(std::move(s)), std::move(of), 2ns, detail::late_side<late::drop>(late::drop()), inner,
                                       detail::naming());
}
stream<std::string> number_pairs(stream<int> s) {
  return as_numbers(couples(std::move(s), [](int) { return 0; }));
}

}  // namespace

//           0         10        20        30
// left      |a   a    |  b      |    c    |
// right     |  a   b  | a       |         |
TEST_CASE("a window join pairs all of the left with all of the right per key and window; its kind says who is given alone") {
  std::string const line = "<a1 >a3 <a5 >b7 >a12 <b13 <c25";
  CHECK(in_windows(inner, 2ns, line) == "a1+3 a5+3");
  CHECK(in_windows(left, 2ns, line) == "a1+3 a5+3 b13+ c25+");
  CHECK(in_windows(full, 2ns, line) == "a1+3 a5+3 b+7 a+12 b13+ c25+");
}

TEST_CASE("a window holds its start, not its end; pairs come as the left came, then as the right did, duplicates too") {
  CHECK(in_windows(inner, 20ns, "<a0 >a9 >a10 <a10 <a19 >a20") == "a0+9 a10+10 a19+10");
  CHECK(in_windows(inner, 20ns, ">a9 >a3 <a8=7 <a2 <a2") == "a8=7+9 a8=7+3 a2+9 a2+3 a2+9 a2+3");
}

TEST_CASE("the pairs of a window have its last instant as time, and come before the watermark that fired it") {
  timed_stream<std::string> out =
      pairs_in_windows(feed(sides("<a1 >a3 <b10 >b11")).chunks(1).open(), 0ns, 10ns, full) | map([](auto const& p) { return text(p); });
  CHECK(testing::run(show<std::string>(std::move(out))) == "w0 w2 w9 a1+3@9 w10 b10+11@19 w-end");
}

//           0         10        20       the watermark is 11 when a5 and a9 come
// left      |a   (a)  |  a
// right     |       (a)
TEST_CASE("late elements of both sides go to the side output with the window they missed, and are counted") {
  for (std::size_t const n : chunkings) {
    std::vector<std::string> lost;
    ledger books;
    lost_and_found const takes(lost);
    auto out = pairs_in_windows(feed(sides("<a1 <a12 <a5 >a9 >a11")).chunks(n).open(), 0ns, 10ns, full, late::side_output(takes), books);
    CHECK(test::in_a_line(all_of(as_text(std::move(out)))) == "a1+ a12+11");
    CHECK(lost == std::vector<std::string>{"<a5[0,10)w11", ">a9[0,10)w11"});
    CHECK(text(books.sum("join")) == "in 5 = out 3 + late 2");
  }
}

TEST_CASE("a window join over nothing, or one side only, gives what its kind says") {
  for (join_kind const k : {inner, left, full}) CHECK(in_windows(k, 0ns, "").empty());
  CHECK(in_windows(inner, 0ns, "<a1 <b2").empty());
  CHECK(in_windows(left, 0ns, "<a1 <b2") == "a1+ b2+");
  CHECK(in_windows(left, 0ns, ">a1 >b2").empty());
  CHECK(in_windows(full, 0ns, ">a1 >b2") == "a+1 b+2");
}

TEST_CASE("of a stream that was stopped no open window is given") {
  auto out = pairs_in_windows(feed(sides("<a1 >a3 <a15 >a16")).stops().open(), 0ns, 10ns, full);
  CHECK(test::in_a_line(all_of(as_text(std::move(out)))) == "a1+3");
}

TEST_CASE("a window join fails as its source or its key does, after the windows before") {
  check_upstream_failure<std::string>(numbers(0, 6), {"1+0", "3+2"}, number_pairs);
  check_user_failure<std::string>({},
                                  [](stream<int> s) { return as_numbers(couples(std::move(s), [](int x) { return no_three(x) < 0; })); });
}

TEST_CASE("a window join that is cancelled ends at the next chunk; dropped half-way it destroys what it holds") {
  check_cancellation([](stream<int> s, auto hook) { return couples(std::move(s), [hook](int x) { return hook(x); }); });
  check_early_drop([](stream<tracked> s) { return couples(std::move(s), [](tracked const&) { return 0; }); });
}

// [0, 2) needs 3, which says that there is no other 1.
TEST_CASE("a window join does not run ahead of its consumer") {
  check_does_not_run_ahead(number_pairs, [](std::size_t n) { return 2 * n + 2; });
}

TEST_CASE("a window join goes on after a restart as if there had been none, from every place and in every chunking") {
  auto const input = sides("<a1 >a2 <b4 >b9 <a7 <a11 >a13 <a14 >c8 >a15 <b15 >c25 <b18 <c25 <a31 >b34 <b34");
  for (join_kind const kind : {inner, left, full}) {
    check_restored_equals_uninterrupted(input, [kind](stream<side> s) { return as_text(pairs_in_windows(std::move(s), 2ns, 10ns, kind)); });
  }
}

TEST_CASE("a damaged checkpoint of a window join is refused, or taken, but breaks nothing") {
  check_damaged_states("<a1 >a2 <b4 >c4 <a12", "<a5 >b10 <c30", pairs);
}

TEST_CASE("a window join refuses sizes that make no sense") {
  auto with = [](ns size) {
    return [size] {
      auto l = feed<event>({}).open() | event_time(&event::time, monotonic()) | key_by(&event::key);
      auto r = feed<event>({}).open() | event_time(&event::time, monotonic()) | key_by(&event::key);
      auto unused = window_join(std::move(l), std::move(r), size, late::drop());
    };
  };
  fails_with(errc::invalid_option, with(0ns), "its size is 0 ns");
  fails_with(errc::invalid_option, with(ns::max()), "20 years");
}
