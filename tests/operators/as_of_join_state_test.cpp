// What an as-of join keeps: how much, and over a restart.
#include "operators/join_support.hpp"

#include <weir/operators/inspect.hpp>

using namespace weir;
using namespace weir::test;

namespace {

constexpr auto inner = join_kind::inner, left = join_kind::left;

auto pairs(stream<side> s) { return pairs_as_of(std::move(s), 2ns, 5ns, left); }

// How many elements wait when each comes, before it is looked at.
std::vector<std::uint64_t> waiting(std::vector<side> const& input, ns bound, ns tolerance) {
  ledger books;
  std::vector<std::uint64_t> out;
  auto watched = feed(input).chunks(1).open() | inspect([&](side const&) { out.push_back(books.sum("join").open); });
  all_of<pair_of_sides>(pairs_as_of(std::move(watched), bound, tolerance, left, late::drop(), books));
  tally const end = books.sum("join");
  CHECK(end.balanced());
  CHECK(end.open == 0);
  return out;
}

}  // namespace

TEST_CASE("of a key's right side the last one behind the watermark is kept, for as long as the tolerance") {
  std::vector<side> input;
  for (int i = 0; i != 300; ++i) input.emplace_back(quote(event("a", i)));
  for (std::uint64_t const n : waiting(input, 0ns, 1h)) CHECK(n <= 3);  // the last, and one or two that the watermark has not passed
  input = sides(">a1 >b2 >c3 >d20 >e21 >e22");
  CHECK(waiting(input, 0ns, 10ns) == std::vector<std::uint64_t>{0, 1, 2, 3, 1, 2});  // at 19 all up to 8 are too old
}

TEST_CASE("keys that are seen once do not stay") {
  std::vector<side> input;
  for (int i = 0; i != 500; ++i) {
    event e("key " + std::to_string(i), 10 * i);
    input.emplace_back(quote(e));
    e.time += i % 3;
    input.emplace_back(std::move(e));
  }
  for (std::uint64_t const n : waiting(input, 15ns, 20ns)) CHECK(n <= 8);
}

// Those of a are ahead of the watermark when they come, and a is not seen again: b moves the watermark.
TEST_CASE("of a right side that falls quiet no more than twice what can still be wanted is kept") {
  constexpr int many = 400;
  std::vector<side> input;
  for (int i = 0; i != many; ++i) input.emplace_back(quote(event("a", i)));
  for (int i = 0; i != many; ++i) input.emplace_back(event("b", many + 1 + i));
  auto const counts = waiting(input, ns(many + 1), 1h);
  for (std::size_t i = 2; i != many; ++i) {  // at b's i-th, before it
    CAPTURE(i);
    std::size_t const watermark = i - 2, b_waits = i;
    CHECK(counts[many + i] - b_waits <= 2 * (many - watermark) + 1);
  }
  CHECK(counts.back() <= many + 5);
}

//           0         10        20        30
// left      | a  b a  |a   b    |    c    | a  b
// right     |  a     b|   a a   |c        |    b        late: >c8 after <a14, <b18 behind >c25
TEST_CASE("an as-of join goes on after a restart as if there had been none, from every place and in every chunking") {
  auto const input = sides("<a1 >a2=5 >a2 <b4 >b9 <a7 <a11 >a13 <a14 >c8 >a15 <b15 >c25 <b18 <c25 <a31 >b34 <b34 <a34");
  for (join_kind const kind : {inner, left}) {
    check_restored_equals_uninterrupted(input, [kind](stream<side> s) { return as_text(pairs_as_of(std::move(s), 2ns, 5ns, kind)); });
  }
}

TEST_CASE("a damaged checkpoint of an as-of join is refused, or taken, but breaks nothing") {
  check_damaged_states("<a1 >a2 <b4 >c4 <a9 >a8", "<a5 >b10 <c30", pairs);
  check_damaged_states("", "<a5", pairs);
}

TEST_CASE("an as-of join refuses a checkpoint that contradicts itself, and that of another tolerance") {
  kept_state parts = join_state_after("<a1 >a2", pairs);
  auto const other = [](stream<side> s) { return pairs_as_of(std::move(s), 2ns, 6ns, left); };
  auto const got = restored_with(parts, "<a5", other);
  CHECK(got.code == errc::incompatible);
  CHECK(got.failure.find("as_of_join: cannot be restored: it is of a join with another tolerance") != std::string::npos);

  auto const code_of = [&](instant watermark, std::uint64_t open, std::vector<kept_row> const& rows) {
    join_part(parts) = join_state({5}, watermark, open, rows);
    return restored_with(parts, "<z50", pairs).code;
  };
  CHECK(code_of(4, 4, {{"a", {4, 4}, {2}}, {"b", {}, {4}}}) == std::error_code());
  CHECK(code_of(4, 5, {{"a", {4, 4}, {2}}, {"b", {}, {4}}}) == errc::corrupt);  // the counts
  CHECK(code_of(5, 1, {{"a", {4}, {}}}) == errc::corrupt);                      // should have been given
  CHECK(code_of(2, 2, {{"a", {}, {4, 1}}}) == errc::corrupt);                   // out of order
  CHECK(code_of(2, 2, {{"a", {2}, {}}, {"a", {2}, {}}}) == errc::corrupt);      // a key twice
  CHECK(code_of(2, 1, {{"a", {2}, {}}, {"b", {}, {}}}) == errc::corrupt);       // nothing under a key
  CHECK(code_of(2, 1, {{"a", {}, {end_of_time}}}) == errc::corrupt);
}

TEST_CASE("times of a source of one's own that an as-of join cannot compute with are an error; a watermark that goes back is none") {
  using stage =
      detail::as_of_join_stage<std::string, event, quote, std::string event::*, std::string quote::*, detail::late_side<late::drop>>;
  auto const join = [](join_options const& o) {
    return stage(&event::key, &quote::key, 5ns, left, detail::late_side<late::drop>(late::drop()), o.naming());
  };
  for (instant const t : {start_of_time, detail::earliest_event - 1, end_of_time - 1, end_of_time}) {
    CAPTURE(t);
    timed_stream<side> in(with_times(sides("<a0 >a0"), {0, t}));
    auto out = detail::as_chain(std::move(in)).with(timed<pair_of_sides>(), join(join_options()));
    CHECK(testing::run(drain<pair_of_sides>(std::move(out))).code == errc::out_of_range);
  }
  ledger books;
  feed<side> in(sides("<a0 >a0 <a0"));  // at 0, 10, 20
  in.chunks(1).mark_at(1, mark::watermark(15)).mark_at(1, mark::watermark(3)).mark_at(2, mark::watermark(15));
  auto out = detail::as_chain(in.open_timed()).with(timed<pair_of_sides>(), join(join_options().counted_in(books, "join")));
  CHECK(all_of<pair_of_sides>(std::move(out)).size() == 1);
  CHECK(text(books.sum("join")) == "in 3 = out 1 + late 1 + open 1");
}
