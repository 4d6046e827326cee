// What an interval join keeps: how much, and over a restart.
#include "operators/join_support.hpp"

#include <weir/operators/inspect.hpp>

using namespace weir;
using namespace weir::test;

namespace {

constexpr auto inner = join_kind::inner, left = join_kind::left, full = join_kind::full;

auto pairs(stream<side> s) { return pairs_within(std::move(s), 2ns, interval(-5ns, 3ns), full); }

}  // namespace

// One event on each side per key and 10 ns, 1 ns apart: at 15 ns of disorder and 5 ns of interval no more than three keys are needed.
TEST_CASE("the elements that an interval join keeps, and their keys, are gone when the watermark has passed their last partner") {
  std::vector<side> input;
  for (int i = 0; i != 500; ++i) {
    event e("key " + std::to_string(i), 10 * i);
    input.emplace_back(e);
    e.time += i % 3;
    input.emplace_back(quote(std::move(e)));
  }
  for (join_kind const kind : {inner, left, full}) {
    for (std::size_t const n : {0u, 1u}) {
      ledger books;
      std::uint64_t most = 0;
      auto watched = feed(input).chunks(n).open() | inspect([&](side const&) { most = std::max(most, books.sum("join").open); });
      CHECK(all_of<pair_of_sides>(pairs_within(std::move(watched), 15ns, interval(0ns, 5ns), kind, late::drop(), books)).size() == 500);
      CHECK(most <= 6);
      CHECK(text(books.sum("join")) == "in 1000 = out 1000");
    }
  }
  feed<side> in(input);
  in.barrier_at(20).barrier_at(990);
  auto out = pairs_within(in.open(), 15ns, interval(0ns, 5ns), full);
  all_of<pair_of_sides>(std::move(out));
  auto const size_at = [&](std::size_t barrier) { return size_of(state_at(in.barrier(barrier))); };
  CHECK(size_at(1) < size_at(0) + 30);  // longer keys
}

// The interval reaches an hour back, so the left ones go at once, though each is in a row where something waits for an hour.
TEST_CASE("what one side must keep for long does not hold the other") {
  std::vector<side> input = sides(">a0");
  for (int i = 1; i != 300; ++i) input.emplace_back(event("a", i));
  ledger books;
  std::uint64_t most = 0;
  auto watched = feed(input).chunks(1).open() | inspect([&](side const&) { most = std::max(most, books.sum("join").open); });
  auto out = pairs_within(std::move(watched), 0ns, interval(-1h, 0ns), full, late::drop(), books);
  CHECK(all_of<pair_of_sides>(std::move(out)).size() == 299);
  CHECK(most <= 3);
}

//           0         10        20        30
// left      | a  b a  |a   b    |    c    | a  b
// right     |  a     b|   a a   |c        |    b        late: >c8 after <a14, <b18 behind >c25
TEST_CASE("an interval join goes on after a restart as if there had been none, from every place and in every chunking") {
  auto const input = sides("<a1 >a2 <b4 >b9 <a7 <a11 >a13 <a14 >c8 >a15 <b15 >c25 <b18 <c25 <a31 >b34 <b34");
  for (join_kind const kind : {inner, left, full}) {
    check_restored_equals_uninterrupted(
        input, [kind](stream<side> s) { return as_text(pairs_within(std::move(s), 2ns, interval(-5ns, 3ns), kind)); });
  }
}

TEST_CASE("the counts of an interval join go on after a restart") {
  std::string const before = "<a1 >a2 <b9 >c20 <a3", behind = "<c21";
  ledger books;
  auto const make = [&](stream<side> s) { return pairs_within(std::move(s), 0ns, interval(-5ns, 3ns), full, late::drop(), books); };
  kept_state const parts = join_state_after(before, make);
  CHECK(test::in_a_line(restored_with(parts, behind, make).values) == "c21+20");
  CHECK(text(books.sum("join")) == "in 6 = out 5 + late 1");
}

TEST_CASE("a damaged checkpoint of an interval join is refused, or taken, but breaks nothing") {
  check_damaged_states("<a1 >a2 <b4 >c4 <a9", "<a5 >b10 <c30", pairs);
  check_damaged_states("", "<a5", pairs);
}

TEST_CASE("an interval join refuses a checkpoint that contradicts itself, and that of another interval") {
  kept_state parts = join_state_after("<a1 >a2", pairs);
  auto const other = [](stream<side> s) { return pairs_within(std::move(s), 2ns, interval(-5ns, 4ns), full); };
  auto const got = restored_with(parts, "<a5", other);
  CHECK(got.code == errc::incompatible);
  CHECK(got.failure.find("interval_join: cannot be restored: it is of a join with another interval") != std::string::npos);

  auto const code_of = [&](instant watermark, std::uint64_t open, std::vector<kept_row> const& rows) {
    join_part(parts) = join_state({-5, 3}, watermark, open, rows);
    return restored_with(parts, "<z50", pairs).code;
  };
  CHECK(code_of(2, 5, {{"a", {1, 1, 4}, {2}}, {"b", {}, {4}}}) == std::error_code());
  CHECK(code_of(2, 4, {{"a", {1, 1, 4}, {2}}, {"b", {}, {4}}}) == errc::corrupt);  // the counts
  CHECK(code_of(2, 2, {{"a", {4, 1}, {}}}) == errc::corrupt);                      // out of order
  CHECK(code_of(2, 2, {{"a", {1}, {}}, {"a", {1}, {}}}) == errc::corrupt);         // a key twice
  CHECK(code_of(2, 1, {{"a", {1}, {}}, {"b", {}, {}}}) == errc::corrupt);          // nothing under a key
  CHECK(code_of(4, 1, {{"a", {1}, {}}}) == std::error_code());                     // may have a partner at 4
  CHECK(code_of(5, 1, {{"a", {1}, {}}}) == errc::corrupt);                         // should be gone
  CHECK(code_of(2, 1, {{"a", {end_of_time}, {}}}) == errc::corrupt);
}

//           0    10   20                 the watermark goes to 15, back to 3, to 15; the elements have times 0, 10, 20
TEST_CASE("a watermark that goes back brings nothing back to an interval join") {
  for (std::size_t const n : chunkings) {
    feed<side> in(sides("<a0 >a0 <a0"));
    in.chunks(n).mark_at(1, mark::watermark(15)).mark_at(1, mark::watermark(3)).mark_at(2, mark::watermark(15));
    ledger books;
    using stage =
        detail::interval_join_stage<std::string, event, quote, std::string event::*, std::string quote::*, detail::late_side<late::drop>>;
    stage join(&event::key, &quote::key, -5ns, 10ns, full, detail::late_side<late::drop>(late::drop()),
               join_options().counted_in(books, "join").naming());
    auto out = detail::as_chain(in.open_timed()).with(timed<pair_of_sides>(), std::move(join));
    CHECK(all_of<pair_of_sides>(std::move(out)).size() == 1);
    CHECK(text(books.sum("join")) == "in 3 = out 1 + late 1 + open 1");
  }
}

TEST_CASE("times of a source of one's own that an interval cannot be computed for are an error") {
  for (instant const t : {start_of_time, detail::earliest_event - 1, end_of_time - 1, end_of_time}) {
    CAPTURE(t);
    using stage =
        detail::interval_join_stage<std::string, event, quote, std::string event::*, std::string quote::*, detail::late_side<late::drop>>;
    stage join(&event::key, &quote::key, -5ns, 10ns, full, detail::late_side<late::drop>(late::drop()), detail::naming());
    timed_stream<side> in(with_times(sides("<a0 >a0"), {0, t}));
    auto out = detail::as_chain(std::move(in)).with(timed<pair_of_sides>(), std::move(join));
    CHECK(testing::run(drain<pair_of_sides>(std::move(out))).code == errc::out_of_range);
  }
}
