// The price at the time of the trade. Two streams: join_inputs_test.cpp; random ones: properties/joins_test.cpp.
#include <weir/operators/as_of_join.hpp>

#include "operators/join_support.hpp"
#include "operators/stage_checks.hpp"
#include "support/fails_with.hpp"

using namespace weir;
using namespace weir::test;

namespace {

constexpr auto inner = join_kind::inner, left = join_kind::left;

// What a line gives, whose events come as written; at most `bound` out of order.
std::string as_of(ns tolerance, join_kind kind, ns bound, std::string const& line) {
  return same_for_all_chunkings(sides(line), [&](stream<side> s) { return pairs_as_of(std::move(s), bound, tolerance, kind); });
}

// Of odd_and_even: each odd number with the last even one.
template <class T, class Key> auto last_even(stream<T> s, Key key) {
  using K = detail::owned_key<Key, T>;
  using stage = detail::as_of_join_stage<K, T, T, Key, Key, detail::late_side<late::drop>>;
  stage pairs(key, key, 100ns, left, detail::late_side<late::drop>(late::drop()), detail::naming());
  return odd_and_even(std::move(s)).with(timed<weir::joined<K, T, T>>(), std::move(pairs));
}
stream<std::string> number_pairs(stream<int> s) {
  return as_numbers(last_even(std::move(s), [](int) { return 0; }));
}

}  // namespace

//           0         10
// left      |      a  ab
// right     |a   a   a
TEST_CASE("an as-of join gives each element on the left with the last of its key on the right, or alone") {
  CHECK(as_of(100ns, left, 0ns, ">a1 >a5 <a7 >a9 <a10 <b11") == "a7+5 a10+9 b11+");
  CHECK(as_of(100ns, inner, 0ns, ">a1 >a5 <a7 >a9 <a10 <b11") == "a7+5 a10+9");
}

TEST_CASE("the answer of an as-of join, and its order, do not depend on the order in which elements come") {
  for (char const* line : {"<a7 >a6 >a8 >a3 <a2 <a9", ">a3 <a2 >a6 <a7 >a8 <a9", "<a9 <a7 <a2 >a8 >a6 >a3", ">a8 >a6 >a3 <a9 <a7 <a2"})
    CHECK(as_of(100ns, left, 10ns, line) == "a2+ a7+6 a9+8");
}

TEST_CASE("an element on the right with the same event time counts, also when it comes after") {
  CHECK(as_of(100ns, left, 0ns, "<a5 >a5") == "a5+5");
  CHECK(as_of(100ns, left, 0ns, ">a5 <a5") == "a5+5");
}

TEST_CASE("of elements on the right with one event time the one that came last counts") {
  CHECK(as_of(100ns, left, 0ns, ">a5=2 >a5=3 <a6") == "a6+5=3");
  CHECK(as_of(100ns, left, 10ns, ">a5=2 >a6=9 >a5=3 <a5") == "a5+5=3");
  CHECK(as_of(100ns, left, 10ns, ">a5=3 >a6=9 >a5=2 <a5") == "a5+5=2");
}

//           5     8 9
// left      |     a a      3 behind, 4 behind
// right     a
TEST_CASE("what is as old as the tolerance counts, what is older does not") {
  CHECK(as_of(3ns, left, 0ns, ">a5 <a8 <a9") == "a8+5 a9+");
  CHECK(as_of(3ns, inner, 0ns, ">a5 <a8 <a9") == "a8+5");
  CHECK(as_of(0ns, left, 0ns, ">a5 <a5 <a6") == "a5+5 a6+");
  CHECK(as_of(24h * 365 * 20, left, 0ns, ">a5 <a8 <a9") == "a8+5 a9+5");
}

TEST_CASE("an as-of join gives elements in the order of event times, those of one time key by key, those of a key as they came") {
  CHECK(as_of(9ns, left, 10ns, "<b5 <a5 <a3 <b3=2 <b3=1 <a5=7") == "b3=2+ b3+ a3+ b5+ a5+ a5=7+");
}

TEST_CASE("an element on the left waits until the watermark has passed its time, and keeps it") {
  timed_stream<std::string> out =
      pairs_as_of(feed(sides(">a1 <a3 >b4 >b5 <a9")).chunks(1).open(), 0ns, 100ns, left) | map([](auto const& p) { return text(p); });
  CHECK(testing::run(show<std::string>(std::move(out))) == "w0 w2 w3 a3+1@3 w4 w8 a9+1@9 w-end");
}

//           10             19 20        the watermark is 19 when a15 and a18 come
// left      |         (a)     a
// right     a     (a)      a
TEST_CASE("late elements of both sides of an as-of join go to the side output, and are counted") {
  for (std::size_t const n : chunkings) {
    std::vector<std::string> lost;
    ledger books;
    lost_and_found const takes(lost);
    auto out =
        pairs_as_of(feed(sides(">a10 <a20 >a15 <a18 >a19 <b30")).chunks(n).open(), 0ns, 100ns, left, late::side_output(takes), books);
    CHECK(test::in_a_line(all_of(as_text(std::move(out)))) == "a20+19 b30+");
    CHECK(lost == std::vector<std::string>{">a15[15,16)w19", "<a18[18,19)w19"});
    CHECK(text(books.sum("join")) == "in 6 = out 4 + late 2");
  }
}

TEST_CASE("an as-of join over nothing, or one side only, gives what its kind says") {
  for (join_kind const k : {inner, left}) {
    CHECK(as_of(1ns, k, 0ns, "").empty());
    CHECK(as_of(1ns, k, 0ns, ">a1 >b2").empty());
  }
  CHECK(as_of(1ns, inner, 0ns, "<a1 <b2").empty());
  CHECK(as_of(1ns, left, 0ns, "<a1 <b2") == "a1+ b2+");
}

TEST_CASE("of a stream that was stopped nothing that waits is given") {
  for (std::size_t const n : chunkings) {
    auto out = pairs_as_of(feed(sides(">a1 <a2 <a3 <b9")).chunks(n).stops().open(), 5ns, 100ns, left);
    CHECK(test::in_a_line(all_of(as_text(std::move(out)))) == "a2+1");
  }
}

TEST_CASE("an as-of join passes an upstream failure on after what came before it") {
  check_upstream_failure<std::string>(numbers(0, 6), {"1+0", "3+2"}, number_pairs);
}

TEST_CASE("a key of an as-of join that fails ends the stream after what came before") {
  check_user_failure<std::string>({},
                                  [](stream<int> s) { return as_numbers(last_even(std::move(s), [](int x) { return no_three(x) < 0; })); });
}

TEST_CASE("an as-of join that is cancelled ends at the next chunk") {
  check_cancellation([](stream<int> s, auto hook) { return last_even(std::move(s), [hook](int x) { return hook(x); }); });
}

TEST_CASE("an as-of join dropped half-way destroys what it holds") {
  check_early_drop([](stream<tracked> s) { return last_even(std::move(s), [](tracked const&) { return 0; }); });
}

// 1 is given when the watermark is 2, which 3 says.
TEST_CASE("an as-of join does not run ahead of its consumer") {
  check_does_not_run_ahead(number_pairs, [](std::size_t n) { return 2 * n + 2; });
}

TEST_CASE("an as-of join refuses what makes no sense") {
  auto with = [](ns tolerance, join_kind kind) {
    return [tolerance, kind] {
      auto l = feed<event>({}).open() | event_time(&event::time, monotonic()) | key_by(&event::key);
      auto r = feed<event>({}).open() | event_time(&event::time, monotonic()) | key_by(&event::key);
      auto unused = as_of_join(std::move(l), std::move(r), tolerance, late::drop(), kind);
    };
  };
  fails_with(errc::invalid_option, with(-1ns, left), "as_of_join", "its tolerance is -1 ns");
  fails_with(errc::invalid_option, with(ns::max(), left), "as_of_join", "its tolerance", "20 years");
  fails_with(errc::invalid_option, with(1ns, join_kind::full), "as_of_join", "its kind is full", "use join_kind::left or inner");
  CHECK_NOTHROW(with(0ns, inner)());
}
