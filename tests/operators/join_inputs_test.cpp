// What all joins have in common: two streams with event time and key, which fail, end, are cancelled or dropped.
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/as_of_join.hpp>
#include <weir/operators/interval_join.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/window_join.hpp>

#include "operators/join_support.hpp"
#include "operators/stage_checks.hpp"

#include <map>
#include <string_view>

using namespace weir;
using namespace weir::test;

namespace {

// At most 100 ns out of order: whichever side is ahead, nothing is late.
auto lefts(stream<event> s) { return std::move(s) | event_time(&event::time, bounded_disorder(100ns)) | key_by(&event::key); }
auto rights(stream<quote> s) { return std::move(s) | event_time(&quote::time, bounded_disorder(100ns)) | key_by(&quote::key); }

enum class join { interval, as_of, window };
constexpr std::array all_joins{join::interval, join::as_of, join::window};

// A join of each sort, with all that is alone where there is such a kind.
template <class Left, class Right, class Late = late::drop>
stream<pair_of_sides> joins(join which, Left l, Right r, Late late = Late(), join_options const& o = join_options()) {
  if (which == join::interval) return interval_join(std::move(l), std::move(r), interval(-5ns, 5ns), std::move(late), join_kind::full, o);
  if (which == join::as_of) return as_of_join(std::move(l), std::move(r), 5ns, std::move(late), join_kind::left, o);
  return window_join(std::move(l), std::move(r), 10ns, std::move(late), join_kind::full, o);
}
// Sorted, since nobody says which side comes first.
std::string sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return test::in_a_line(texts);
}
std::string of_two(join which, std::string const& line, std::size_t chunk = 0) {
  feed<event> l(left_of(line));
  feed<quote> r(right_of(line));
  return sorted(all_of(as_text(joins(which, lefts(l.chunks(chunk).open()), rights(r.chunks(chunk).open())))));
}

}  // namespace

//           0         10        20
// left      |a   a    |  b      |    c
// right     |  a   b  | a       |
TEST_CASE("a join takes two streams, and its result does not depend on who is faster or on chunks", "[operators][join]") {
  for (std::size_t const n : chunkings) {
    std::string const line = "<a1 >a3 <a5 >b7 >a12 <b13 <c25";
    CHECK(of_two(join::interval, line, n) == "a+12 a1+3 a5+3 b+7 b13+ c25+");
    CHECK(of_two(join::as_of, line, n) == "a1+ a5+3 b13+ c25+");
    CHECK(of_two(join::window, line, n) == "a+12 a1+3 a5+3 b+7 b13+ c25+");
  }
}

TEST_CASE("a join over one stream without elements, or two", "[operators][join]") {
  for (join const j : all_joins) {
    CHECK(of_two(j, "").empty());
    CHECK(of_two(j, "<a1 <b2") == "a1+ b2+");
    CHECK(of_two(j, ">a1 >b2") == (j == join::as_of ? "" : "a+1 b+2"));
  }
}

TEST_CASE("a join fails as either of its streams does, and gives nobody up for that", "[operators][join]") {
  for (join const j : all_joins) {
    for (bool const left_fails : {true, false}) {
      feed<event> l(events("a1"));
      feed<quote> r(right_of(">b1"));
      if (left_fails) l.fails("connection lost");
      else r.fails("connection lost");
      auto const got = testing::run(drain(as_text(joins(j, lefts(l.open()), rights(r.open())))));
      CHECK(got.values.empty());
      CHECK(got.failure == "connection lost");
    }
  }
}

TEST_CASE("a join fails as a key of either side does, or the side output", "[operators][join]") {
  auto const by_time = [](auto key_left, auto key_right) {
    return [=](join j) {
      auto l = feed(events("a1 a3")).open() | event_time(&event::time, monotonic()) | key_by(key_left);
      auto r = feed(right_of(">a1 >a3")).open() | event_time(&quote::time, monotonic()) | key_by(key_right);
      return testing::run(drain(joins(j, std::move(l), std::move(r)))).failure;
    };
  };
  auto const good = [](auto const& x) -> std::string { return x.key; };
  auto const bad = [](auto const& x) -> std::string { return no_three(static_cast<int>(x.time)), x.key; };
  for (join const j : all_joins) {
    CHECK(by_time(good, good)(j) == "");
    CHECK(by_time(bad, good)(j) == "no three");
    CHECK(by_time(good, bad)(j) == "no three");
    auto l = feed(events("a30 a3")).open() | event_time(&event::time, monotonic()) | key_by(&event::key);
    auto fails = [](auto const&) { throw std::runtime_error("no room"); };
    auto out = joins(j, std::move(l), rights(feed<quote>({}).open()), late::side_output(fails));
    CHECK(testing::run(drain(std::move(out))).failure == "no room");
  }
}

TEST_CASE("a join that is cancelled ends both its streams", "[operators][join]") {
  for (join const j : all_joins) {
    auto const body = [j]() -> task<> {
      context& own = co_await current_context();
      context branch(own);
      feed<event> l(std::vector<event>(100, event("a", 1)));
      feed<quote> r(std::vector<quote>(100, quote(event("a", 2))));
      auto key = [&branch, n = 0](event const& e) mutable {
        if (++n == 14) branch.cancel();
        return e.key;
      };
      auto from_left = l.chunks(10).open() | event_time(&event::time, monotonic()) | key_by(key);
      auto out = joins(j, std::move(from_left), rights(r.chunks(10).open()));
      auto const got = co_await drain(std::move(out)).under(branch);
      CHECK(got.code == condition::cancelled);
      CHECK(l.handed_out() <= 40);
      CHECK(r.handed_out() <= 40);
    };
    testing::run(body());
  }
}

namespace {
task<> take_three(join j) {
  std::vector<tracked> in;
  for (int i = 1; i <= 20; ++i) in.emplace_back(i);
  auto timed_and_keyed = [](stream<tracked> s) {
    auto time_of = [](tracked const& x) { return instant{x.value()}; };
    return std::move(s) | event_time(time_of, monotonic()) | key_by([](tracked const&) { return 0; });
  };
  auto run = [&](auto out) -> task<> {
    for (int i = 0; i < 3; ++i) {
      auto const* const x = co_await out.next();
      CHECK(x);
    }
  };
  auto l = timed_and_keyed(feed(in).chunks(3).open()), r = timed_and_keyed(feed(in).open());
  if (j == join::interval) {
    auto out = interval_join(std::move(l), std::move(r), interval(-5ns, 5ns), late::drop());
    co_await run(std::move(out));
  } else if (j == join::as_of) {
    auto out = as_of_join(std::move(l), std::move(r), 5ns, late::drop());
    co_await run(std::move(out));
  } else {
    auto out = window_join(std::move(l), std::move(r), 10ns, late::drop());
    co_await run(std::move(out));
  }
}
}  // namespace

TEST_CASE("a join dropped half-way, or never pulled, destroys what it holds", "[operators][join]") {
  REQUIRE(tracked::alive == 0);
  for (join const j : all_joins) {
    testing::run(take_three(j));
    CHECK(tracked::alive == 0);
  }
}

TEST_CASE("a join counts under its account what becomes of the elements of both sides", "[operators][join]") {
  for (join const j : all_joins) {
    ledger books;
    auto l = feed(events("a1 b50 a3")).open() | event_time(&event::time, monotonic()) | key_by(&event::key);
    auto r = feed(right_of(">a2 >b51")).open() | event_time(&quote::time, monotonic()) | key_by(&quote::key);
    std::vector<std::string> lost;
    lost_and_found const takes(lost);
    auto out = joins(j, std::move(l), std::move(r), late::side_output(takes), join_options().named("pairs").counted_in(books, "pairs"));
    (void)all_of(std::move(out));
    CHECK(books.all().size() == 1);
    tally const t = books.sum("pairs");
    CHECK(t.balanced());
    CHECK(t.in == 5);
    CHECK(t.open == 0);
    CHECK(t.late == lost.size());
  }
}

// Wherever partners are missing, the results of a full join come up to 30 ns of event time later than what was not missed.
TEST_CASE("nothing is late in windows behind a full interval join that was not late before it", "[operators][join]") {
  std::string line;
  for (int i = 0; i != 200; ++i) {
    if (i % 7 != 3) line += "<" + std::string(1, static_cast<char>('a' + i % 5)) + std::to_string(i) + " ";
    if (i % 50 > 20 && i % 4 != 0) line += ">" + std::string(1, static_cast<char>('a' + i % 3)) + std::to_string(i) + " ";
  }
  auto const l = left_of(line);
  auto const r = right_of(line);
  std::map<instant, std::uint64_t> expected;  // results per window of 10 ns
  std::vector<bool> paired(r.size());
  for (event const& e : l) {
    bool alone = true;
    for (std::size_t i = 0; i != r.size(); ++i) {
      if (r[i].key != e.key || r[i].time < e.time - 30 || r[i].time > e.time + 20) continue;
      ++expected[std::max(e.time, r[i].time) / 10];
      alone = false;
      paired[i] = true;
    }
    if (alone) ++expected[e.time / 10];
  }
  for (std::size_t i = 0; i != r.size(); ++i)
    if (!paired[i]) ++expected[r[i].time / 10];
  for (std::size_t const n : chunkings) {
    CAPTURE(n);
    std::uint64_t late = 0;
    auto count_late = [&late](pair_of_sides const&) { ++late; };
    auto from_left = feed(l).chunks(n).open() | event_time(&event::time, monotonic()) | key_by(&event::key);
    auto from_right = feed(r).chunks(n).open() | event_time(&quote::time, monotonic()) | key_by(&quote::key);
    auto windows = interval_join(std::move(from_left), std::move(from_right), interval(-30ns, 20ns), late::drop(), join_kind::full) |
                   tumbling_window(10ns, late::side_output(count_late)) | aggregate(count());
    std::map<instant, std::uint64_t> got;
    for (auto const& w : all_of<window_result<no_key, std::uint64_t>>(std::move(windows))) got[w.window.start / 10] += w.value;
    CHECK(late == 0);
    CHECK(got == expected);
  }
}

namespace {
struct order {  // simple structs need no codec
  std::string id;
  instant time;
};
}  // namespace

TEST_CASE("keys may be views of text, and elements simple structs of one type", "[operators][join]") {
  auto const orders = [](std::vector<order> xs, auto key) {
    return feed(std::move(xs)).open() | event_time(&order::time, monotonic()) | key_by(key);
  };
  auto const view = [](order const& o) { return std::string_view(o.id); };
  std::string const id = "an identifier that is longer than what fits into a string";
  auto out = interval_join(orders({{id, 1}}, view), orders({{id, 2}, {"another", 2}}, &order::id), interval(0ns, 1ns), late::drop());
  auto const got = all_of<weir::joined<std::string, order, order>>(std::move(out));
  REQUIRE(got.size() == 1);
  CHECK(got.front().key == id);
  REQUIRE(got.front().left);
  CHECK(got.front().left->time == 1);
  REQUIRE(got.front().right);
  CHECK(got.front().right->time == 2);
}

TEST_CASE("what a join gives can be part of a checkpoint", "[operators][join]") {
  for (std::string const line : {"<a1=5 >a2", "<a1", ">a2=7"}) {
    pair_of_sides p("a", std::nullopt, std::nullopt);
    for (event& e : left_of(line)) p.left = std::move(e);
    for (quote& q : right_of(line)) p.right = std::move(q);
    std::vector<std::byte> bytes;
    encode_state(p, bytes);
    CHECK(text(decode_state<pair_of_sides>(bytes)) == text(p));
  }
}
