#include <weir/operators/accumulators/combined.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/accumulators/sum.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/tumbling_window.hpp>

#include "operators/stage_checks.hpp"
#include "operators/timed_support.hpp"
#include "support/fails_with.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

using namespace weir;
using namespace weir::test;

namespace {

// An accumulator as a user writes it.
struct longest {
  using state = std::size_t;
  void add(state& s, std::string const& x, instant) const { s = std::max(s, x.size()); }
  void merge(state& s, state const& other) const { s = std::max(s, other); }
  std::size_t result(state const& s) const { return s; }
};
// One whose settings are a member, whose state is a container, and which looks at the time.
class per_part {
public:
  explicit per_part(instant part) : part_(part) {}
  using state = std::map<instant, int>;
  void add(state& s, event const& e, instant t) const {
    CHECK(t == e.time);
    s[t / part_] += e.value;
  }
  void merge(state& s, state const& other) const {
    for (auto const& [part, sum] : other) s[part] += sum;
  }
  std::string result(state const& s) const {
    std::string out;
    for (auto const& [part, sum] : s) out += (out.empty() ? "" : ",") + std::to_string(part) + ":" + std::to_string(sum);
    return out;
  }

private:
  instant part_;
};
// One that throws "no three" where it is told to.
enum class where { add, merge, result };
class refuses_three {
public:
  explicit refuses_three(where w) : where_(w) {}
  using state = std::vector<int>;
  void add(state& s, int x, instant) const { s.push_back(where_ == where::add ? no_three(x) : x); }
  void merge(state& s, state const& other) const {
    for (int const x : other) s.push_back(where_ == where::merge ? no_three(x) : x);
  }
  std::uint64_t result(state const& s) const {
    for (int const x : s)
      if (where_ == where::result) no_three(x);
    return s.size();
  }

private:
  where where_;
};

auto in_order(stream<int> s) {
  return std::move(s) | event_time([](int x) { return instant{10 * x}; }, monotonic());
}
template <class K, class Key> std::vector<K> keys_by(Key key, std::string const& line) {
  auto out = in_time(feed(events(line)).open(), 0ns) | key_by(key) | tumbling_window(100ns, late::drop()) | aggregate(count());
  using result = typename decltype(out)::value_type;
  static_assert(std::is_same_v<decltype(result::key), K>);
  std::vector<K> keys;
  for (result const& r : all_of<result>(std::move(out))) keys.push_back(r.key);
  return keys;
}

}  // namespace

//      0         10        20
//      |a b    a |  a      |
TEST_CASE("aggregate gives key, window and what the accumulator says") {
  auto out = in_time(feed(events("a1=5 b2=7 a8=9 a12=1")).open(), 0ns) | key_by(&event::key) | tumbling_window(10ns, late::drop()) |
             aggregate(sum(&event::value));
  auto const got = all_of<window_result<std::string, std::int64_t>>(std::move(out));
  REQUIRE(got.size() == 3);
  CHECK(got[0].key == "a");
  CHECK(got[0].window == time_window(0, 10));
  CHECK(got[0].value == 14);
  CHECK(got[0].revision == 0);
  CHECK(got[0].pane == pane::on_time);
  CHECK(got[1].key == "b");
  CHECK(got[1].value == 7);
  CHECK(got[2].window == time_window(10, 20));
}

TEST_CASE("several accumulators over the same windows are one") {
  auto run = [](stream<event> s) {
    return in_time(std::move(s), 0ns) | key_by(&event::key) | tumbling_window(10ns, late::drop()) |
           aggregate(combined(count(), sum(&event::value))) | map([](auto const& r) {
             auto const& [n, total] = r.value;
             return window_result<std::string, std::string>(r.key, r.window, std::to_string(n) + "," + std::to_string(total));
           });
  };
  CHECK(same_for_all_chunkings(events("a1=5 b2=7 a8=9 a12=1"), run) == "a[0,10)=2,14 b[0,10)=1,7 a[10,20)=1,1");
}

TEST_CASE("an accumulator of one's own is a state and three functions") {
  auto by_size = [](std::string const& x) { return static_cast<instant>(x.size()); };
  auto out = feed<std::string>({"to", "be", "or", "not"}).open() | event_time(by_size, monotonic()) | tumbling_window(10ns, late::drop()) |
             aggregate(longest());
  CHECK(in_a_line(all_of(as_text(std::move(out)))) == "[0,10)=3");
}

//      0    5    10   15   20        parts of 3
TEST_CASE("accumulators see event times, may have settings, and keep containers that are part of checkpoints") {
  auto const input = events("a1=1 a2=1 a3=5 a8=2 a7=4 b9=1 a12=7 a16=1");
  auto tumbling = [](stream<event> s) {
    return in_time(std::move(s), 2ns) | key_by(&event::key) | tumbling_window(10ns, late::drop()) | aggregate(per_part(3));
  };
  CHECK(same_for_all_chunkings(input, tumbling) == "a[0,10)=0:2,1:5,2:6 b[0,10)=3:1 a[10,20)=4:7,5:1");
  auto sliding = [](stream<event> s) {
    return in_time(std::move(s), 2ns) | key_by(&event::key) | sliding_window(10ns, 5ns, late::drop()) | aggregate(per_part(3));
  };
  CHECK(same_for_all_chunkings(input, sliding) ==
        "a[-5,5)=0:2,1:5 a[0,10)=0:2,1:5,2:6 b[0,10)=3:1 a[5,15)=2:6,4:7 b[5,15)=3:1 a[10,20)=4:7,5:1 a[15,25)=5:1");
  check_restored_equals_uninterrupted(input, [&](stream<event> s) { return as_text(tumbling(std::move(s))); });
  check_restored_equals_uninterrupted(input, [&](stream<event> s) { return as_text(sliding(std::move(s))); });
}

TEST_CASE("keys may be text by view, numbers, enumerations, pairs and tuples; text is kept as std::string") {
  std::string const line = "a1=5 b2=7 a8=5 c12=1";
  CHECK(keys_by<std::string>([](event const& e) { return std::string_view(e.key); }, line) == std::vector<std::string>{"a", "b", "c"});
  CHECK(keys_by<std::string>([](event const& e) { return e.key.c_str(); }, line) == std::vector<std::string>{"a", "b", "c"});
  CHECK(keys_by<int>(&event::value, line) == std::vector{5, 7, 1});
  CHECK(keys_by<bool>([](event const& e) { return e.value > 5; }, line) == std::vector{false, true});
  enum class parity { even, odd };
  CHECK(keys_by<parity>([](event const& e) { return e.value % 2 ? parity::odd : parity::even; }, line) == std::vector{parity::odd});
  using both = std::pair<std::string, int>;
  CHECK(keys_by<both>([](event const& e) { return both(e.key, e.value % 2); }, line) == std::vector<both>{{"a", 1}, {"b", 1}, {"c", 1}});
  using tuple = std::tuple<int, int>;
  CHECK(keys_by<tuple>([](event const& e) { return tuple(e.value, 0); }, line) == std::vector<tuple>{{5, 0}, {7, 0}, {1, 0}});
}

TEST_CASE("many keys keep the order in which they were first seen") {
  std::vector<event> input;
  std::vector<std::string> expected;
  for (int i = 0; i != 3000; ++i) input.emplace_back("k" + std::to_string(i * 7919 % 1000), 1);
  for (int i = 0; i != 1000; ++i) expected.push_back("k" + std::to_string(i * 7919 % 1000) + "[0,10)=3");
  auto run = [](stream<event> s) {
    return in_time(std::move(s), 0ns) | key_by(&event::key) | tumbling_window(10ns, late::drop()) | aggregate(count());
  };
  CHECK(same_for_all_chunkings(input, run) == in_a_line(expected));
}

//      0         10        20        30        40
//      |1  1   1 | 1     1 |    1    |   1   1 |          counted per 10; then summed per 20
TEST_CASE("results are elements with a time, and can be put into windows again") {
  auto run = [](stream<event> s) {
    return in_time(std::move(s), 0ns) | key_by(&event::key) | tumbling_window(10ns, late::drop()) | aggregate(count()) |
           key_by([](auto const& r) { return r.key; }) | tumbling_window(20ns, late::drop()) |
           aggregate(sum([](auto const& r) { return r.value; })).named("sums");
  };
  auto const input = events("a1 a4 b5 a8 a12 a18 a25 a34 a38");
  CHECK(same_for_all_chunkings(input, run) == "a[0,20)=5 b[0,20)=1 a[20,40)=3");
  check_restored_equals_uninterrupted(input, [&](stream<event> s) { return as_text(run(std::move(s))); });
}

TEST_CASE("aggregate over nothing, and over what a filter leaves of it, gives nothing") {
  auto run = [](stream<int> s) {
    return std::move(s) | filter([](int) { return false; }) | event_time([](int x) { return instant{x}; }, monotonic()) |
           tumbling_window(10ns, late::drop()) | aggregate(count());
  };
  CHECK(same_for_all_chunkings(std::vector<int>(), run).empty());
  CHECK(same_for_all_chunkings(numbers(0, 20), run).empty());
}

TEST_CASE("an accumulator that fails ends the stream after what came before, and the element it failed for is not done") {
  check_user_failure<std::string>({"[10,15)=1"}, [](stream<int> s) {
    return as_text(in_order(std::move(s)) | tumbling_window(5ns, late::drop()) | aggregate(refuses_three(where::add)));
  });
  check_user_failure<std::string>({"[9,12)=1"}, [](stream<int> s) {
    return as_text(in_order(std::move(s)) | sliding_window(3ns, 3ns, late::drop()) | aggregate(refuses_three(where::add)));
  });
}

TEST_CASE("an accumulator that fails to merge or to give a result fails the firing, after the results before it") {
  auto run = [](auto chain) { return testing::run(drain(as_text(std::move(chain)))); };
  for (std::size_t const n : chunkings) {
    auto const result = run(in_order(feed<int>({1, 2, 3, 4, 5}).chunks(n).open()) | tumbling_window(5ns, late::drop()) |
                            aggregate(refuses_three(where::result)));
    CHECK(result.values == std::vector<std::string>{"[10,15)=1", "[20,25)=1"});
    CHECK(result.failure == "no three");
    auto const merged = run(in_order(feed<int>({1, 2, 3, 4, 5}).chunks(n).open()) | sliding_window(4ns, 2ns, late::drop()) |
                            aggregate(refuses_three(where::merge)));
    CHECK(merged.values == std::vector<std::string>{"[8,12)=1", "[10,14)=1", "[18,22)=1", "[20,24)=1"});
    CHECK(merged.failure == "no three");
  }
}

TEST_CASE("aggregate dropped half-way destroys the states it holds") {
  check_early_drop([](stream<tracked> s) {
    return std::move(s) | event_time([](tracked const& x) { return instant{x.value()}; }, monotonic()) |
           key_by([](tracked const& x) { return x.value() % 2; }) | tumbling_window(3ns, late::drop()) | aggregate(keeps());
  });
}

TEST_CASE("a chain with open windows may be moved between pulls") {
  auto body = []() -> task<std::string> {
    auto chain = in_time(feed(events("a1 b4 a12 b15 a25")).chunks(1).open(), 0ns) | key_by(&event::key) |
                 tumbling_window(10ns, late::drop()) | aggregate(count());
    auto const* const first = co_await chain.next();
    std::string out = text(*first);
    stream<window_result<std::string, std::uint64_t>> moved = std::move(chain);
    while (auto const* const r = co_await moved.next()) out += " " + text(*r);
    co_return out;
  };
  CHECK(testing::run(body()) == "a[0,10)=1 b[0,10)=1 a[10,20)=1 b[10,20)=1 a[20,30)=1");
}

TEST_CASE("an aggregate counts under its account only what its windows took or missed") {
  ledger books;
  auto per_key = in_time(feed(events("a1 a12 b5 a15")).open(), 0ns) | key_by(&event::key) | tumbling_window(10ns, late::drop()) |
                 aggregate(count()).named("per key").counted_in(books, "a");
  all_of(as_text(std::move(per_key)));
  CHECK(text(books.sum("a")) == "in 4 = out 3 + late 1");
  CHECK(books.all().size() == 1);
}

TEST_CASE("a result can be kept in a checkpoint") {
  using result = window_result<std::string, int>;
  result const r("key", time_window(-5, 10), 42, 3, pane::late);
  std::vector<std::byte> bytes;
  encode_state(r, bytes);
  auto const back = decode_state<result>(bytes);
  CHECK(back == r);
  CHECK(text(back) == "key[-5,10)=42/late3");
  bytes.back() = std::byte(3);  // no such pane
  fails_with(errc::corrupt, [&] { decode_state<result>(bytes); }, "impossible pane");
  bytes.pop_back();
  fails_with(errc::corrupt, [&] { decode_state<result>(bytes); });
}
